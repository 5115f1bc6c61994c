// Looks up the API keys of requests in D1. Each isolate caches both outcomes for a few seconds, by a digest of the
// whole key. How often an invalid key is looked up therefore depends neither on whether its id exists nor on whether a
// valid key with that id is cached.
import { eq } from "drizzle-orm";
import type { Account } from "../../core/accounts/account.ts";
import { secretMatches, type ApiKeyParts } from "../../core/accounts/api-key.ts";
import { effectiveRetention } from "../../core/accounts/retention.ts";
import { sha256Hex } from "../../core/encoding.ts";
import type { KeyDirectory } from "../../ports/accounts.ts";
import { agedCache, agedSet } from "../aged-cache.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { accounts, apiKeys, plans } from "../d1/schema.ts";
import { toAccountRetention, toPlan } from "./plan-rows.ts";

// docs/operations.md promises that an operator's change takes effect within ten seconds. Entries expire after five
// seconds, well before that. Valid and invalid keys have separate caches, so that many invalid keys cannot evict valid
// ones.
const maxAgeMs = 5_000;
const validKeys = agedCache<Account | null>({ maxEntries: 2_000, maxAgeMs });
const invalidKeys = agedSet({ maxEntries: 10_000, maxAgeMs });

/** No secret has this digest. It takes the place of the stored digest if the key id is unknown. */
const digestOfNothing = "-".repeat(64);

export function keyDirectory(d1: D1Client): KeyDirectory {
  return {
    async findAccount(key) {
      const digest = await sha256Hex(`${key.id} ${key.secret}`);
      if (invalidKeys.has(digest)) return null;
      const account = await validKeys.get(digest, () => d1.run((db) => readAccount(db, key)));
      if (!account) invalidKeys.add(digest);
      return account;
    },
  };
}

async function readAccount(db: Database, { id, secret }: ApiKeyParts): Promise<Account | null> {
  const row = await db
    .select({ key: apiKeys, account: accounts, plan: plans })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .innerJoin(plans, eq(plans.name, accounts.plan))
    .where(eq(apiKeys.id, id))
    .get();
  const isSecretRight = await secretMatches(secret, row?.key.secretHash ?? digestOfNothing);
  if (!row || !isSecretRight || row.key.revokedAt !== null || row.account.deletedAt !== null) return null;
  const plan = toPlan(row.plan);
  const retentionDays = effectiveRetention(toAccountRetention(row.account.retentionDays), plan.retentionDays);
  return { id: row.account.id, name: row.account.name, plan, retentionDays };
}
