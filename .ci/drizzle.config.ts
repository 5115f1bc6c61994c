import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/platform/d1/schema.ts", "./src/platform/d1/document-tables.ts"],
  out: "./migrations",
});
