// Runs before each test file of a project in the Workers runtime: one runtime serves all files, so each starts it empty.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);
