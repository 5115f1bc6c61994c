// Where accounts are placed.

/**
 * The time for which isolates remember an account's shard, in ms. The data of a deleted account is removed later than this after its
 * mark, so nobody remembers the shard of an account that is then imported into a different one.
 */
export const shardKnownMs = 30_000;
