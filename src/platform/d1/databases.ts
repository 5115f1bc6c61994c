// The databases: the directory, which all accounts share, and the shards with documents, counts, deleted ids and webhook events. The
// directory is also shard 0. All rows of an account in shards are in one of them, which the account's row names.
import { sql } from "drizzle-orm";
import { CodedError } from "colophon-base/loggable-error";
import { ServiceError } from "../../core/errors.ts";
import type { Jurisdiction } from "../../core/region.ts";
import { messageContains, overloadError } from "../overload.ts";
import { shardOf } from "../placements.ts";
import { d1Client, type D1Client } from "./d1-client.ts";

export type Databases = {
  directory: D1Client;
  /** All shards by their numbers. */
  shards: Map<number, D1Client>;
  /** The jurisdiction of the deployment, in which the objects of new accounts are created. */
  jurisdiction: Jurisdiction | null;
  /** Returns the shard of an account. Rejects if the Worker has no binding for it. */
  of(accountId: string): Promise<D1Client>;
};

/** `bindings` has all shards by their numbers, the directory as number 0. */
export function databases(
  bindings: Map<number, D1Database>,
  tryTimeoutMs: number,
  jurisdiction: Jurisdiction | null,
): Databases {
  const shards = new Map([...bindings].map(([number, database]) => [number, clientOf(database, tryTimeoutMs)]));
  const directory = shardIn(shards, 0);
  return {
    directory,
    shards,
    jurisdiction,
    of: async (accountId) => shardIn(shards, await shardOf(directory, accountId)),
  };
}

/** SQLite's names for the errors that are faults of a statement, not of its database. */
const statementErrors = ["SQLITE_ERROR", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH", "SQLITE_TOOBIG", "SQLITE_RANGE"];

/** Any other error of a query is an outage: the caller may try again later. */
function clientOf(database: D1Database, tryTimeoutMs: number): D1Client {
  const client = d1Client(database, tryTimeoutMs);
  const isFault = (error: unknown) => statementErrors.some((name) => messageContains(error, name));
  return {
    run: (query) =>
      client.run(query).catch((error: unknown) => {
        throw error instanceof ServiceError || isFault(error) ? error : overloadError(error);
      }),
  };
}

/** Returns the size of a database in bytes. */
export async function databaseBytes(d1: D1Client): Promise<number> {
  const { meta } = await d1.run((db) => db.run(sql`SELECT 1`));
  return meta.size_after;
}

function shardIn(shards: Map<number, D1Client>, number: number): D1Client {
  const shard = shards.get(number);
  if (!shard)
    throw new CodedError(`the binding ${number === 0 ? "DB" : `DB_${number}`} is missing, but an account uses it`);
  return shard;
}
