// API keys in D1, as requests look them up: cached for a few seconds in each isolate.
import { eq } from "drizzle-orm";
import type { KeyDirectory } from "../../ports/accounts.ts";
import { agedCache } from "../aged-cache.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { accounts, apiKeys, plans } from "../d1/schema.ts";
import { toPlan } from "./plan-rows.ts";

type KnownKey = Awaited<ReturnType<KeyDirectory["find"]>>;

// A change by the operator is in force within ten seconds; a warm isolate reads a key from D1 at most every five.
const knownKeys = agedCache<KnownKey>({ maxEntries: 2_000, maxAgeMs: 5_000 });

export function keyDirectory(d1: D1Client): KeyDirectory {
  return { find: (keyId) => knownKeys.get(keyId, () => d1.run((db) => findKey(db, keyId))) };
}

async function findKey(db: Database, keyId: string): Promise<KnownKey> {
  const row = await db
    .select({ key: apiKeys, account: accounts, plan: plans })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .innerJoin(plans, eq(plans.name, accounts.plan))
    .where(eq(apiKeys.id, keyId))
    .get();
  if (!row || row.key.revokedAt !== null) return null;
  return {
    account: { id: row.account.id, name: row.account.name, plan: toPlan(row.plan) },
    secretHash: row.key.secretHash,
  };
}
