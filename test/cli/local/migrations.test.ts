import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterEach, beforeEach, expect, it } from "vitest";
import { applyMigrations } from "../../../src/cli/local/migrations.ts";

let runtime: Miniflare;
let folder: string;

beforeEach(async () => {
  runtime = new Miniflare(convertV4MiniflareOptions({ modules: true, script: "", d1Databases: ["DB"] }));
  folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
  await writeFile(
    join(folder, "0000_a.sql"),
    "CREATE TABLE a (id text);--> statement-breakpoint\nINSERT INTO a VALUES ('one');",
  );
});

afterEach(async () => {
  await runtime.dispose();
  await rm(folder, { recursive: true });
});

const apply = async () => applyMigrations(await runtime.getD1Database("DB"), folder);

async function read(query: string): Promise<unknown[]> {
  const { results } = await (await runtime.getD1Database("DB")).prepare(query).all();
  return results.flatMap((row) => Object.values(row));
}

it("each migration is applied once, in the order of the names", async () => {
  await apply();
  await writeFile(join(folder, "0001_b.sql"), "INSERT INTO a VALUES ('two');");
  await apply();

  expect(await read("SELECT id FROM a")).toEqual(["one", "two"]);
  expect(await read("SELECT name FROM d1_migrations")).toEqual(["0000_a.sql", "0001_b.sql"]);
});

it("a failing migration is named, and its changes are rolled back", async () => {
  const statements = "INSERT INTO a VALUES ('two');--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);";
  await writeFile(join(folder, "0001_b.sql"), statements);

  await expect(apply()).rejects.toThrow(/the migration 0001_b\.sql failed: .*no such table: nowhere/);

  expect(await read("SELECT id FROM a")).toEqual(["one"]);
  expect(await read("SELECT name FROM d1_migrations")).toEqual(["0000_a.sql"]);
});
