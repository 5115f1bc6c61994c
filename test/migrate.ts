// Runs before each test file in the Workers runtime. The files of a project may share one runtime, so the storage is
// emptied and migrated before each file.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { checksumSecret } from "./fixtures/api-keys.ts";

await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);
// Test files that share a runtime also share the caches of the service, so all of them have the same secret.
await env.DB.prepare("UPDATE service_secrets SET secret = ?").bind(checksumSecret).run();
