// `npm run migration` runs once for each kind of database, with the kind in MIGRATIONS_OF. The directory is also shard 0, so it has all
// tables.
import { defineConfig } from "drizzle-kit";

const shard = "./src/platform/d1/document-tables.ts";
const kind = process.env["MIGRATIONS_OF"] ?? "";

export default defineConfig({
  dialect: "sqlite",
  schema: kind === "shard" ? [shard] : ["./src/platform/d1/schema.ts", shard],
  out: `./migrations/${kind}`,
});
