// The databases: the directory, which all accounts share, and the shards with documents, counts, deleted ids and webhook events. The
// directory is also shard 0. All rows of an account in shards are in one of them, which the account's row names.
import { CodedError } from "colophon-base/loggable-error";
import { shardOf } from "../placements.ts";
import { d1Client, type D1Client } from "./d1-client.ts";

export type Databases = {
  directory: D1Client;
  /** All shards by their numbers. */
  shards: Map<number, D1Client>;
  /** Returns the shard of an account. Rejects if the account names one that the Worker has no binding for. */
  of(accountId: string): Promise<D1Client>;
};

/** `bindings` has all shards by their numbers, the directory as number 0. */
export function databases(bindings: Map<number, D1Database>, tryTimeoutMs: number): Databases {
  const shards = new Map([...bindings].map(([number, binding]) => [number, d1Client(binding, tryTimeoutMs)]));
  const directory = shardIn(shards, 0);
  return { directory, shards, of: async (accountId) => shardIn(shards, await shardOf(directory, accountId)) };
}

function shardIn(shards: Map<number, D1Client>, number: number): D1Client {
  const shard = shards.get(number);
  if (!shard)
    throw new CodedError(`the binding ${number === 0 ? "DB" : `DB_${number}`} is missing, which an account names`);
  return shard;
}
