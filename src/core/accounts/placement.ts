// Decides in which shard an account is placed.
import type { Region } from "../region.ts";

/**
 * The time for which isolates remember an account's shard, in ms. The data of a deleted account is removed only after this time, so that
 * no isolate remembers its old shard if the account is then imported into a different one.
 */
export const shardKnownMs = 30_000;

/** D1's limit for one database is 10 GB. Above this share of it, the log warns, and a shard takes no new accounts. */
export const maxDatabaseBytes = 10_000_000_000;
export const warnedShare = 0.7;

/** Shards whose sizes differ by less count as equally large, so that new ones fill evenly. */
const sizeStep = 100_000_000;

/** `location` is where the operator says that the shard is. `bytes` is null if the shard does not respond. */
export type ShardState = { number: number; location: Region | null; accounts: number; bytes: number | null };

/**
 * Returns the number of the shard for a new account: the shard with the most room in the home region, or else among the shards without a
 * location. If none of them has room, returns shard 0.
 */
export function chooseShard(shards: ShardState[], region: Region | null): number {
  const withRoom = shards.flatMap(({ bytes, ...shard }) =>
    bytes !== null && bytes < warnedShare * maxDatabaseBytes ? [{ ...shard, size: Math.floor(bytes / sizeStep) }] : [],
  );
  const inRegion = withRoom.filter(({ location }) => location === region);
  const fitting = inRegion.length > 0 ? inRegion : withRoom.filter(({ location }) => location === null);
  const [best] = fitting.toSorted((a, b) => a.size - b.size || a.accounts - b.accounts || a.number - b.number);
  return best?.number ?? 0;
}
