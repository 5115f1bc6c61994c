// Looks up the API keys of requests in D1, and caches them for a few seconds in each isolate.
import { eq } from "drizzle-orm";
import type { KeyDirectory } from "../../ports/accounts.ts";
import { agedCache } from "../aged-cache.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { accounts, apiKeys, plans } from "../d1/schema.ts";
import { toPlan } from "./plan-rows.ts";

type KnownKey = Awaited<ReturnType<KeyDirectory["find"]>>;

// docs/operations.md promises that an operator's change takes effect within ten seconds. Entries expire after five
// seconds, well before that.
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
