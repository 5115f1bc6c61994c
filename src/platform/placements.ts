// Finds where an account is: the region in which its objects are created, and the shard with its documents. Each isolate remembers both,
// and whatever reads the row of an account adds what it has read.
import { eq } from "drizzle-orm";
import { agedCache } from "colophon-base/aged-cache";
import { liveAccountId } from "../core/accounts/account.ts";
import { shardKnownMs } from "../core/accounts/placement.ts";
import { isRegion, type Region } from "../core/region.ts";
import { isOneOf, type D1Client } from "./d1/d1-client.ts";
import { accounts } from "./d1/schema.ts";
import type { HomeRegionOf } from "./object-client.ts";

/** The columns of an account that say where it is. */
type PlacementRow = Pick<typeof accounts.$inferSelect, "id" | "region" | "shard" | "deletedAt">;

// An account's home region never changes. The bounds only limit memory.
const homes = agedCache<{ region: Region | null }>({ maxEntries: 10_000, maxAgeMs: 3_600_000 });
/** The shards of accounts that are not being deleted. A deleted account may be imported again, into a different shard. */
const shards = agedCache<number | null>({ maxEntries: 10_000, maxAgeMs: shardKnownMs });

/**
 * Returns a function that finds the home region of an account, or `otherwise` if it has none. If D1 fails, the result is
 * also `otherwise`: a wrong hint only costs time, and only if the object has never been called before.
 */
export function homeRegions(directory: D1Client, otherwise: Region | null): HomeRegionOf {
  return async (account) => {
    const accountId = liveAccountId(account);
    const load = async () => ({ region: toRegion((await readPlacement(directory, accountId))?.region) });
    const { region } = await homes.get(accountId, load).catch(() => ({ region: null }));
    return region ?? otherwise;
  };
}

/** Returns the number of the shard with the account's documents. An account that does not exist has none anywhere, so 0 will do. */
export async function shardOf(directory: D1Client, account: string): Promise<number> {
  const accountId = liveAccountId(account);
  let unlasting = 0;
  const known = await shards.get(accountId, async () => {
    const row = await readPlacement(directory, accountId);
    unlasting = row?.shard ?? 0;
    return row?.deletedAt === null ? row.shard : null;
  });
  return known ?? unlasting;
}

/** Remembers where an account is whose row has just been read. */
export function rememberPlacement({ id, region, shard, deletedAt }: PlacementRow): void {
  homes.set(id, { region: toRegion(region) });
  if (deletedAt === null) shards.set(id, shard);
  else shards.delete(id);
}

/** Reads the home regions of many accounts in one query, because the platform limits the queries of an invocation. */
export async function rememberHomes(directory: D1Client, accountIds: string[]): Promise<void> {
  const unknown = [...new Set(accountIds.map(liveAccountId))].filter((id) => !homes.peek(id));
  if (unknown.length === 0) return;
  const { id, region } = accounts;
  const rows = await directory.run((db) => db.select({ id, region }).from(accounts).where(isOneOf(id, unknown)).all());
  const regionOf = new Map(rows.map((row) => [row.id, row.region]));
  for (const accountId of unknown) homes.set(accountId, { region: toRegion(regionOf.get(accountId)) });
}

async function readPlacement(directory: D1Client, accountId: string): Promise<PlacementRow | undefined> {
  const { id, region, shard, deletedAt } = accounts;
  return directory.run((db) =>
    db.select({ id, region, shard, deletedAt }).from(accounts).where(eq(id, accountId)).get(),
  );
}

/** Returns the value as a region, or null for a region that this release does not know. */
function toRegion(value: unknown): Region | null {
  return isRegion(value) ? value : null;
}
