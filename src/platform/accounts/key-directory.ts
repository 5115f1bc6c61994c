// Looks up the API keys of requests in D1. A key with a wrong checksum is refused without a lookup, so that made-up keys
// cannot slow down the database. For all other keys, each isolate caches both outcomes for a few seconds, by a digest of the
// whole key. So the number of lookups of an invalid key reveals neither whether its id exists nor whether a valid key with
// that id is cached.
import { and, eq, lt, or, isNull } from "drizzle-orm";
import { agedCache, agedSet } from "colophon-base/aged-cache";
import { sha256Hex } from "colophon-base/encoding";
import { CodedError } from "colophon-base/loggable-error";
import { accountOn, type Caller, testAccountOf } from "../../core/accounts/account.ts";
import { hasValidChecksum, secretMatches, type ApiKeyParts } from "../../core/accounts/api-key.ts";
import { parseScopes } from "../../core/accounts/scopes.ts";
import type { FoundCaller, KeyDirectory } from "../../ports/accounts.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import type { Databases } from "../d1/databases.ts";
import { accounts, apiKeys, plans, serviceSecrets } from "../d1/schema.ts";
import { rememberPlacement } from "../placements.ts";
import { toAccountRetention, toPlan } from "./plan-rows.ts";

/** A key that is completely right. */
type StoredKey = { status: "valid"; caller: Caller } | { status: "revoked" };

// docs/operations.md promises that an operator's change takes effect within ten seconds. Entries expire after five
// seconds. Valid and invalid keys have separate caches, so that many invalid keys cannot evict valid ones.
const maxAgeMs = 5_000;
const validKeys = agedCache<StoredKey | null>({ maxEntries: 2_000, maxAgeMs });
const invalidKeys = agedSet({ maxEntries: 10_000, maxAgeMs });
/** The secret of the checksums. It changes only when a backup is restored. */
const checksumSecrets = agedCache<string>({ maxEntries: 1, maxAgeMs: 600_000 });

/** No secret has this digest. It replaces the stored digest if the key id is unknown. */
const digestOfNothing = "-".repeat(64);

const unknown: FoundCaller = { status: "unknown" };

/** The precision of a key's last use. Each recorded use is a write. */
const usePrecisionMs = 3_600_000;
/** Keys whose use this isolate has recorded. */
const recordedKeys = agedSet({ maxEntries: 10_000, maxAgeMs: usePrecisionMs });

export function keyDirectory(databases: Pick<Databases, "directory" | "of">): KeyDirectory {
  const d1 = databases.directory;
  return {
    async findCaller(key, nowMs, { isFresh } = { isFresh: false }) {
      const digest = await sha256Hex(`${key.id} ${key.secret} ${key.checksum}`);
      const checksumSecret = checksumSecrets.peek("");
      const known = validKeys.peek(digest);
      // A revoked key stays revoked.
      const cached = isFresh && known?.status !== "revoked" ? undefined : known;
      if (!cached && checksumSecret && !hasValidChecksum(key, checksumSecret)) return unknown;
      if (!cached && invalidKeys.has(digest)) return unknown;
      const read = async () => {
        const found = await readValidKey(d1, key);
        // Refuses the requests of an account whose shard this Worker has no binding for, before they render anything.
        if (found?.status === "valid") await databases.of(found.caller.account.id);
        return found;
      };
      const stored = cached ?? (await (isFresh ? read() : validKeys.get(digest, read)));
      if (!stored) invalidKeys.add(digest);
      if (stored?.status === "revoked") validKeys.set(digest, stored);
      if (stored?.status !== "valid") return stored ?? unknown;
      const { expiresAt } = stored.caller.key;
      return expiresAt !== null && expiresAt <= nowMs ? { status: "expired" } : stored;
    },
    async recordUse(id, nowMs) {
      if (recordedKeys.has(id)) return;
      recordedKeys.add(id);
      const isOld = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, nowMs - usePrecisionMs));
      const isUnrecorded = and(eq(apiKeys.id, id), isOld);
      await d1.run((db) => db.update(apiKeys).set({ lastUsedAt: nowMs }).where(isUnrecorded).run());
    },
  };
}

/** A new isolate has not read the checksum secret yet. It reads the secret and the key at the same time. */
async function readValidKey(d1: D1Client, key: ApiKeyParts): Promise<StoredKey | null> {
  const [stored, checksumSecret] = await Promise.all([
    d1.run((db) => readKey(db, key)),
    checksumSecrets.get("", () => readChecksumSecret(d1)),
  ]);
  return hasValidChecksum(key, checksumSecret) ? stored : null;
}

/** Returns the checksum secret, which a migration created. Rejects when it is missing, because then no key could be checked. */
export async function readChecksumSecret(d1: D1Client): Promise<string> {
  const name = "api-key-checksum";
  const row = await d1.run((db) => db.select().from(serviceSecrets).where(eq(serviceSecrets.name, name)).get());
  if (!row) throw new CodedError(`the table service_secrets has no row ${name}`);
  return row.secret;
}

async function readKey(db: Database, { id, secret }: ApiKeyParts): Promise<StoredKey | null> {
  const row = await db
    .select({ key: apiKeys, account: accounts, plan: plans })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .innerJoin(plans, eq(plans.name, accounts.plan))
    .where(eq(apiKeys.id, id))
    .get();
  const isSecretRight = await secretMatches(secret, row?.key.secretHash ?? digestOfNothing);
  if (!row || !isSecretRight || row.account.deletedAt !== null) return null;
  if (row.key.revokedAt !== null) return { status: "revoked" };
  rememberPlacement(row.account);
  const { isTest, expiresAt, scopes } = row.key;
  const retentionDays = toAccountRetention(row.account.retentionDays);
  const account = accountOn(toPlan(row.plan), { ...row.account, retentionDays });
  const key = { id, isTest, expiresAt, scopes: parseScopes(scopes) };
  return { status: "valid", caller: { account: isTest ? testAccountOf(account) : account, key } };
}
