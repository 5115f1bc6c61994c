// Finds where an account is: the region in which its objects are created, and the shard with its documents. Each isolate remembers both,
// also from rows of accounts that it reads for other purposes.
import { eq } from "drizzle-orm";
import { agedCache } from "colophon-base/aged-cache";
import { CodedError } from "colophon-base/loggable-error";
import { liveAccountId } from "../core/accounts/account.ts";
import { shardKnownMs } from "../core/accounts/placement.ts";
import { isRegion, type Jurisdiction, type Region } from "../core/region.ts";
import { isOneOf, type D1Client } from "./d1/d1-client.ts";
import { accounts } from "./d1/schema.ts";
import type { HomeRegionOf } from "./object-client.ts";

/** The columns of an account that say where it is. */
type PlacementRow = Pick<typeof accounts.$inferSelect, "id" | "region" | "shard" | "jurisdiction" | "deletedAt">;
type DirectoryHere = { directory: D1Client; jurisdiction: Jurisdiction | null };
/** An account without a row, which has been removed, has no jurisdiction. */
type Home = { region: Region | null; jurisdiction?: Jurisdiction | null };

// An account's home never changes. The bounds only limit memory.
const homes = agedCache<Home>({ maxEntries: 10_000, maxAgeMs: 3_600_000 });
/** The shards of accounts that are not being deleted. A deleted account may be imported again, into a different shard. */
const shards = agedCache<number | null>({ maxEntries: 10_000, maxAgeMs: shardKnownMs });

/**
 * Returns a function that finds the home region of an account, or `otherwise` if it has none. If D1 fails, the result is
 * also `otherwise`: a wrong hint only costs time, and only if the object has never been called before. Rejects if the account was created
 * in a different jurisdiction, because its objects are there, and new ones would begin without its quota, batches and deliveries.
 */
export function homeRegions({ directory, jurisdiction: here }: DirectoryHere, otherwise: Region | null): HomeRegionOf {
  return async (account) => {
    const accountId = liveAccountId(account);
    const load = async () => toHome(await readPlacement(directory, accountId));
    const { region, jurisdiction = here } = await homes.get(accountId, load).catch((): Home => ({ region: null }));
    if (jurisdiction === here) return region ?? otherwise;
    throw new CodedError(`JURISDICTION is "${here ?? ""}", but an account was created with "${jurisdiction ?? ""}"`);
  };
}

/** Returns the number of the shard with the account's documents. An account that does not exist has no documents, so the result is 0. */
export async function shardOf(directory: D1Client, account: string): Promise<number> {
  const accountId = liveAccountId(account);
  let uncached = 0;
  const known = await shards.get(accountId, async () => {
    const row = await readPlacement(directory, accountId);
    uncached = row?.shard ?? 0;
    return row?.deletedAt === null ? row.shard : null;
  });
  return known ?? uncached;
}

/** Remembers where an account is whose row has just been read. */
export function rememberPlacement({ id, shard, deletedAt, ...home }: PlacementRow): void {
  homes.set(id, toHome(home));
  if (deletedAt === null) shards.set(id, shard);
  else shards.delete(id);
}

/** Reads the home regions of many accounts in one query, because the platform limits the queries of an invocation. */
export async function rememberHomes(directory: D1Client, accountIds: string[]): Promise<void> {
  const unknown = [...new Set(accountIds.map(liveAccountId))].filter((id) => !homes.peek(id));
  if (unknown.length === 0) return;
  const { id, region, jurisdiction } = accounts;
  const rows = await directory.run((db) =>
    db.select({ id, region, jurisdiction }).from(accounts).where(isOneOf(id, unknown)).all(),
  );
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  for (const accountId of unknown) homes.set(accountId, toHome(rowOf.get(accountId)));
}

async function readPlacement(directory: D1Client, accountId: string): Promise<PlacementRow | undefined> {
  const { id, region, shard, jurisdiction, deletedAt } = accounts;
  return directory.run((db) =>
    db.select({ id, region, shard, jurisdiction, deletedAt }).from(accounts).where(eq(id, accountId)).get(),
  );
}

/** The region is null if this release does not know it. */
function toHome(row?: Pick<PlacementRow, "region" | "jurisdiction">): Home {
  return { region: isRegion(row?.region) ? row.region : null, ...(row && { jurisdiction: row.jurisdiction }) };
}
