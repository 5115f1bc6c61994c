// The storage of a Durable Object, in memory. It implements the parts that our objects use most: SQL, the alarm's time, and a
// key-value storage that takes part in the transactions. npm runs all commands with the Node of `package.json`, which has SQLite.
import { DatabaseSync, type StatementSync } from "node:sqlite";

export function objectStorage(): DurableObjectStorage {
  const database = new DatabaseSync(":memory:");
  const exec = executorOf(database);
  const keys = new Map<string, unknown>();
  let alarm: number | null = null;
  const storage = {
    kv: {
      get: (key: string) => keys.get(key),
      put: (key: string, value: unknown) => void keys.set(key, value),
      delete: (key: string) => keys.delete(key),
    },
    sql: { exec },
    getAlarm: async () => alarm,
    setAlarm: async (at: number) => void (alarm = at),
    deleteAlarm: async () => void (alarm = null),
    deleteAll: async () => {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      for (const { name } of tables) database.exec(`DROP TABLE ${String(name)}`);
      keys.clear();
    },
    transactionSync: <T>(work: () => T): T => {
      const before = [...keys];
      database.exec("BEGIN");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        keys.clear();
        for (const [key, value] of before) keys.set(key, value);
        throw error;
      }
    },
  };
  return storage as unknown as DurableObjectStorage;
}

/**
 * Like the platform, runs all statements of the query. Queries that return rows have a single statement here, which is prepared
 * once, because tests run the same statements thousands of times.
 */
function executorOf(database: DatabaseSync) {
  const statements = new Map<string, StatementSync>();
  return (query: string, ...bindings: (string | number | null)[]) => {
    const hasSeveral = query.includes(";");
    if (hasSeveral) database.exec(query);
    const statement = hasSeveral ? undefined : (statements.get(query) ?? database.prepare(query));
    if (statement) statements.set(query, statement);
    const rows = statement?.all(...bindings) ?? [];
    return {
      toArray: () => rows,
      one: () => {
        if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}.`);
        return rows[0];
      },
    };
  };
}

/** The storage for one instance of an object, which cannot use it any more after it has ended. */
export function storageOf(instance: { readonly isDead: boolean }, storage: DurableObjectStorage): DurableObjectStorage {
  const guarded = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return guarded(value as object);
        return (...args: unknown[]) => {
          if (instance.isDead) throw new Error("this instance has ended");
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  return guarded(storage);
}
