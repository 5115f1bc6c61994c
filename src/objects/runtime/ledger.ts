// Turns functions that read and write the tables of a Durable Object into methods of a ledger.
import { upgradeStorage } from "./storage-version.ts";

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
