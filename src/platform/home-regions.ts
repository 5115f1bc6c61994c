// Finds the region in which each account's objects are created. An account's home region never changes, so each isolate remembers
// it.
import { eq } from "drizzle-orm";
import { liveAccountId } from "../core/accounts/account.ts";
import { isRegion, type Region } from "../core/region.ts";
import { agedCache } from "colophon-base/aged-cache";
import { isOneOf, type D1Client } from "./d1/d1-client.ts";
import { accounts } from "./d1/schema.ts";
import type { HomeRegionOf } from "./object-client.ts";

// The bounds only limit memory.
const homes = agedCache<{ region: Region | null }>({ maxEntries: 10_000, maxAgeMs: 3_600_000 });

/**
 * Returns a function that finds the home region of an account, or `otherwise` if it has none. If D1 fails, the result is
 * also `otherwise`: a wrong hint only costs time, and only if the object has never been called before.
 */
export function homeRegions(d1: D1Client, otherwise: Region | null): HomeRegionOf {
  return async (account) => {
    const accountId = liveAccountId(account);
    const load = async () => ({ region: await readRegion(d1, accountId) });
    const { region } = await homes.get(accountId, load).catch(() => ({ region: null }));
    return region ?? otherwise;
  };
}

/** Remembers the home region of an account whose row has just been read. */
export function rememberHome(accountId: string, region: unknown): void {
  homes.set(accountId, { region: toRegion(region) });
}

/** Reads the home regions of many accounts in one query, because the platform limits the queries of an invocation. */
export async function rememberHomes(d1: D1Client, accountIds: string[]): Promise<void> {
  const unknown = [...new Set(accountIds.map(liveAccountId))].filter((id) => !homes.peek(id));
  if (unknown.length === 0) return;
  const { id, region } = accounts;
  const rows = await d1.run((db) => db.select({ id, region }).from(accounts).where(isOneOf(id, unknown)).all());
  const regionOf = new Map(rows.map((row) => [row.id, row.region]));
  for (const accountId of unknown) rememberHome(accountId, regionOf.get(accountId));
}

async function readRegion(d1: D1Client, accountId: string): Promise<Region | null> {
  const row = await d1.run((db) => db.select().from(accounts).where(eq(accounts.id, accountId)).get());
  return toRegion(row?.region);
}

/** Returns the value as a region, or null for a region that this release does not know. */
function toRegion(value: unknown): Region | null {
  return isRegion(value) ? value : null;
}
