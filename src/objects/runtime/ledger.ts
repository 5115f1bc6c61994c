// Turns functions that read and write the tables of a Durable Object into methods of a ledger, and upgrades the tables, so that a new
// release can add columns and tables. Before an object uses its tables, the steps that have not been applied to its storage yet are
// applied in order.
//
// The version is stored under a key of the object's key-value storage, which is in the same database as the tables and
// takes part in the same transactions. The platform does not support `PRAGMA user_version`, and a separate table would
// have to be created before its first use. `BrowserPool` has no tables: it stores only the ids of its browsers.
import { CodedError } from "colophon-base/loggable-error";

/** The functions without their first argument. */
export type Ledger<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (sql: SqlStorage, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Returns the column `n` of a query's only row. */
export function count(sql: SqlStorage, query: string, ...bindings: string[]): number {
  return sql.exec<{ n: number }>(query, ...bindings).one().n;
}

/** Upgrades the storage with these steps. Each method of the ledger runs in one synchronous transaction. */
export function openLedger<Functions extends object>(
  storage: DurableObjectStorage,
  steps: readonly string[],
  functions: Functions,
): Ledger<Functions> {
  upgradeStorage(storage, steps);
  type Method = (sql: SqlStorage, ...rest: unknown[]) => unknown;
  const methods = Object.entries<Method>(functions as Record<string, Method>).map(([name, method]) => [
    name,
    (...rest: unknown[]) => storage.transactionSync(() => method(storage.sql, ...rest)),
  ]);
  return Object.fromEntries(methods) as Ledger<Functions>;
}

const versionKey = "storage-version";

/** Returns true if the object has tables. An object that was never used or was destroyed has none. */
export function hasTables(storage: DurableObjectStorage): boolean {
  return storage.kv.get<number>(versionKey) !== undefined;
}

/**
 * Upgrades the storage to version `steps.length`. A step is SQL and may contain several statements. Each step and its
 * version change are one transaction. Never change a released step; append a new step instead. Throws when the storage
 * has a newer version.
 */
export function upgradeStorage(storage: DurableObjectStorage, steps: readonly string[]): void {
  const version = storage.kv.get<number>(versionKey) ?? 0;
  if (version > steps.length) {
    throw new CodedError(
      "storage.newer_version",
      `The storage of this object has version ${version}, but this release supports only version ${steps.length}. ` +
        "A newer release has run: deploy that release or a later one.",
    );
  }
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    storage.transactionSync(() => {
      storage.sql.exec(step);
      storage.kv.put(versionKey, index + 1);
    });
  }
}
