// Looks up the API keys of requests in D1. A key whose checksum is wrong is refused without a lookup, so that made-up keys
// cannot slow the database down. For all other keys, each isolate caches both outcomes for a few seconds, by a digest of the
// whole key. How often an invalid key is looked up therefore depends neither on whether its id exists nor on whether a
// valid key with that id is cached.
import { eq } from "drizzle-orm";
import type { Account } from "../../core/accounts/account.ts";
import { hasValidChecksum, importChecksumKey, secretMatches, type ApiKeyParts } from "../../core/accounts/api-key.ts";
import { effectiveRetention } from "../../core/accounts/retention.ts";
import { sha256Hex } from "colophon-base/encoding";
import type { KeyDirectory } from "../../ports/accounts.ts";
import { agedCache, agedSet } from "colophon-base/aged-cache";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { accounts, apiKeys, plans } from "../d1/schema.ts";
import { readChecksumSecret } from "./checksum-secret.ts";
import { rememberHome } from "./home-regions.ts";
import { toAccountRetention, toPlan } from "./plan-rows.ts";

// docs/operations.md promises that an operator's change takes effect within ten seconds. Entries expire after five
// seconds. Valid and invalid keys have separate caches, so that many invalid keys cannot evict valid ones.
const maxAgeMs = 5_000;
const validKeys = agedCache<Account | null>({ maxEntries: 2_000, maxAgeMs });
const invalidKeys = agedSet({ maxEntries: 10_000, maxAgeMs });
/** The key of the checksums. It does not change, except when another database is restored. */
const checksumKeys = agedCache<CryptoKey>({ maxEntries: 1, maxAgeMs: 600_000 });

/** No secret has this digest. It takes the place of the stored digest if the key id is unknown. */
const digestOfNothing = "-".repeat(64);

export function keyDirectory(d1: D1Client): KeyDirectory {
  return {
    async findAccount(key) {
      const digest = await sha256Hex(`${key.id} ${key.secret} ${key.checksum}`);
      const cached = validKeys.peek(digest);
      if (cached) return cached;
      const checksumKey = checksumKeys.peek("");
      if (checksumKey && !(await hasValidChecksum(key, checksumKey))) return null;
      if (invalidKeys.has(digest)) return null;
      const account = await validKeys.get(digest, () => readValidAccount(d1, key));
      if (!account) invalidKeys.add(digest);
      return account;
    },
  };
}

/** A new isolate does not know the secret of the checksums yet. It reads the secret and the key at the same time. */
async function readValidAccount(d1: D1Client, key: ApiKeyParts): Promise<Account | null> {
  const [account, checksumKey] = await Promise.all([
    d1.run((db) => readAccount(db, key)),
    checksumKeys.get("", async () => importChecksumKey(await readChecksumSecret(d1))),
  ]);
  return (await hasValidChecksum(key, checksumKey)) ? account : null;
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
  rememberHome(row.account.id, row.account.region);
  const plan = toPlan(row.plan);
  const retentionDays = effectiveRetention(toAccountRetention(row.account.retentionDays), plan.retentionDays);
  return { id: row.account.id, name: row.account.name, plan, retentionDays };
}
