// A D1 with one replica, which has only what `replicate` has copied. Both are real databases. As the platform documents it,
// a session that begins with a bookmark waits until the replica has caught up with that bookmark.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

export type ReplicatedD1 = {
  database: D1Database;
  /** Copies the primary database to the replica. */
  replicate(): Promise<void>;
  /** The SQL of all statements that the replica has answered. */
  answered: string[];
};

/** Returns a D1 whose replica has a copy of all that is in the primary database now. */
export async function replicatedD1(): Promise<ReplicatedD1> {
  await applyD1Migrations(env.REPLICA, env.MIGRATIONS);
  const answered: string[] = [];
  let primary = 0;
  let replica = Promise.withResolvers<void>();
  let replicated = 0;
  const caughtUp = async (bookmark: number): Promise<void> => {
    if (replicated >= bookmark) return;
    await replica.promise;
    await caughtUp(bookmark);
  };
  const replicaSession = (bookmark: number) =>
    sessionOf(env.REPLICA, String(bookmark), async (sql) => {
      await caughtUp(bookmark);
      answered.push(sql);
    });
  const withSession = (constraint = "first-unconstrained") => {
    if (constraint === "first-primary") return sessionOf(env.DB, String(++primary), async () => {});
    return replicaSession(constraint === "first-unconstrained" ? 0 : Number(constraint));
  };
  const replicate = async () => {
    const upTo = primary;
    await copyTables();
    replicated = upTo;
    replica.resolve();
    replica = Promise.withResolvers<void>();
  };
  await replicate();
  const database = Object.assign(Object.create(env.DB) as D1Database, {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    withSession,
  });
  return { database, replicate, answered };
}

/** Returns a session whose statements wait for `before`. */
function sessionOf(database: D1Database, bookmark: string, before: (sql: string) => Promise<void>): D1DatabaseSession {
  const waiting = (sql: string, statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      bind: (...values: unknown[]) => waiting(sql, statement.bind(...values)),
      run: () => before(sql).then(() => statement.run()),
      all: () => before(sql).then(() => statement.all()),
      raw: () => before(sql).then(() => statement.raw()),
      first: () => before(sql).then(() => statement.first()),
    }) as unknown as D1PreparedStatement;
  return {
    prepare: (sql: string) => waiting(sql, database.prepare(sql)),
    batch: () => Promise.reject(new Error("this fake has no batches on replicas")),
    getBookmark: () => bookmark,
  } as unknown as D1DatabaseSession;
}

const tables = ["plans", "accounts", "service_secrets", "api_keys", "templates", "template_versions", "documents"];

async function copyTables(): Promise<void> {
  const emptied = tables.toReversed().map((table) => env.REPLICA.prepare(`DELETE FROM ${table}`));
  const copied = await Promise.all(tables.map(copyTable));
  await env.REPLICA.batch([...emptied, env.REPLICA.prepare("DELETE FROM deleted_documents"), ...copied.flat()]);
}

async function copyTable(table: string): Promise<D1PreparedStatement[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>();
  return results.map((row) => {
    const marks = Object.keys(row).map(() => "?");
    const insert = `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${marks.join(", ")})`;
    return env.REPLICA.prepare(insert).bind(...Object.values(row));
  });
}
