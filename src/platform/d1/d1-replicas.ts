// Reads from replicas of D1 that are not older than a few seconds. A replica may lag behind the primary database by any
// time, but a session that begins with a bookmark waits until its replica has caught up with it. Therefore each isolate
// keeps the bookmark of its last read from the primary, and while that is recent enough, it reads from replicas.
// https://developers.cloudflare.com/d1/best-practices/read-replication/
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withDeadline } from "../deadline.ts";

/**
 * The caches of keys and templates keep what they find for five seconds. Together with this time, it stays below the ten
 * seconds within which docs/operations.md promises that a change takes effect.
 */
export const maxReplicaAgeMs = 4_000;

/** A replica that takes longer, for example because it has to catch up, is not worth waiting for. */
const replicaTimeoutMs = 1_000;

type Query<T> = (database: DrizzleD1Database) => Promise<T>;

export type Replicas = {
  /** Returns null if no replica may be read, and if the replica finds nothing or fails. */
  find<T>(query: Query<T>): Promise<T | null>;
  /** Reads from the primary database, and remembers its bookmark. */
  findInPrimary<T>(query: Query<T>): Promise<T>;
};

/** A state of the primary database. It contains everything that was written before `takenAtMs`. */
type Seen = { bookmark: string; takenAtMs: number };

/** The newest state that this isolate has seen, by binding. There is one binding in production. */
const seen = new WeakMap<D1Database, Seen>();

export function replicasOf(binding: D1Database): Replicas {
  return {
    async find(query) {
      const state = seen.get(binding);
      if (!state || Date.now() - state.takenAtMs > maxReplicaAgeMs) return null;
      const session = binding.withSession(state.bookmark);
      return withDeadline("a replica of D1", replicaTimeoutMs, query(databaseOf(session))).catch(() => null);
    },
    async findInPrimary(query) {
      const takenAtMs = Date.now();
      const session = binding.withSession("first-primary");
      const found = await query(databaseOf(session));
      const bookmark = session.getBookmark();
      if (bookmark && takenAtMs >= (seen.get(binding)?.takenAtMs ?? 0)) seen.set(binding, { bookmark, takenAtMs });
      return found;
    },
  };
}

/** Drizzle uses only the methods of a database that a session has, too. */
function databaseOf(session: D1DatabaseSession): DrizzleD1Database {
  return drizzle(session as unknown as D1Database);
}
