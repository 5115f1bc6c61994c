// Applies the migrations to the local databases. They are recorded in wrangler's table and format, so each can continue where the other
// stopped. Wrangler itself would start a separate process and runtime at every start of the service.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import type { Unstable_Config } from "wrangler";
import { projectRoot } from "../paths.ts";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/**
 * Applies to each database of the configuration the migrations in its folder. A shard that cannot be read is left as it is, so that the
 * service starts for the accounts of the others.
 */
export async function migrateAll(miniflare: Miniflare, { d1_databases: databases }: Unstable_Config): Promise<void> {
  for (const { binding, migrations_dir: folder } of databases) {
    if (!folder) throw new Error(`the database ${binding} in wrangler.toml has no migrations_dir`);
    const database = await miniflare.getD1Database(binding);
    const fault = await database
      .prepare("SELECT name FROM sqlite_master")
      .all()
      .then(() => null, String);
    if (fault === null || binding === "DB") await applyMigrations(database, join(projectRoot, folder));
    else console.error(`the database ${binding} cannot be read, so its accounts get 503: ${fault}`);
  }
}

/** Applies the missing migrations, each completely or not at all. */
export async function applyMigrations(database: Database, folder: string): Promise<void> {
  await database
    .prepare(
      "CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    )
    .run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql") && !applied.has(name));
  for (const name of names.sort()) {
    const statements = (await readFile(join(folder, name), "utf8")).split("--> statement-breakpoint");
    const record = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await database.batch([...statements.map((statement) => database.prepare(statement)), record]).catch((cause) => {
      throw new Error(`the migration ${name} failed: ${String(cause)}`, { cause });
    });
  }
}
