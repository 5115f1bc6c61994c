// Runs before each test file in the Workers runtime. The files of a project may share one runtime, so the storage is
// emptied and migrated before each file.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);
