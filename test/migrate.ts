// Runs before each test file in the Workers runtime. The files of a project may share one runtime, so the storage is
// emptied and migrated before each file. After it, no row of an account may be outside the account's shard.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect } from "vitest";
import { readShards } from "../src/settings.ts";
import { checksumSecret } from "./fixtures/api-keys.ts";
import { strayRows } from "./fixtures/census.ts";

await reset();
for (const [number, shard] of readShards(env))
  await applyD1Migrations(shard, number === 0 ? env.MIGRATIONS.directory : env.MIGRATIONS.shard);
// Test files that share a runtime also share the caches of the service, so all of them have the same secret.
await env.DB.prepare("UPDATE service_secrets SET secret = ?").bind(checksumSecret).run();

afterAll(async () => {
  expect(await strayRows(env)).toEqual([]);
});
