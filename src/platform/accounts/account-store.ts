// Reads and changes accounts, plans and keys in D1. Each change of an account is stored together with its audit event.
import { and, asc, count, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { AccountSummary, ApiKey } from "../../core/accounts/account.ts";
import { formatScopes, parseScopes } from "../../core/accounts/scopes.ts";
import type { Region } from "../../core/region.ts";
import type { SecretCipher } from "../../core/webhooks/secret-encryption.ts";
import type { AccountChange, AccountStore, Owner, Owners, PlanChange } from "../../ports/accounts.ts";
import { recordAudit } from "../d1/audit-log.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { databaseBytes, type Databases } from "../d1/databases.ts";
import { documents, webhookEvents } from "../d1/document-tables.ts";
import { readPage } from "../d1/read-page.ts";
import { accounts, apiKeys, plans, templates, webhookSecrets } from "../d1/schema.ts";
import { webhookSecretRow } from "../webhooks/webhook-secret-store.ts";
import { readChecksumSecret } from "./key-directory.ts";
import { fromAccountRetention, planName, toAccountRetention, toPlan } from "./plan-rows.ts";

/** `cipher` encrypts the first webhook secrets of new accounts. `locations` are those of the shards. */
export function accountStore(
  databases: Databases,
  cipher: SecretCipher,
  locations: Map<number, Region | null> = new Map(),
): AccountStore {
  const d1 = databases.directory;
  return {
    async insertAccount({ webhookSecret: secret, retentionDays, ...account }, audit) {
      const { id: accountId, createdAt } = account;
      const secretRow = await webhookSecretRow(cipher, { accountId, secret, createdAt });
      const { jurisdiction } = databases;
      const row = { ...account, jurisdiction, retentionDays: fromAccountRetention(retentionDays) };
      await d1.run((db) =>
        db.batch([
          db.insert(accounts).values(row).onConflictDoNothing(),
          db.insert(webhookSecrets).values(secretRow).onConflictDoNothing(),
          ...recordAudit(db, audit),
        ]),
      );
    },
    async shards() {
      const { shard } = accounts;
      const [rows, sizes] = await Promise.all([
        d1.run((db) => db.select({ shard, accounts: count() }).from(accounts).groupBy(shard).all()),
        Promise.all([...databases.shards.values()].map((client) => databaseBytes(client).catch(() => null))),
      ]);
      const accountsIn = new Map(rows.map((row) => [row.shard, row.accounts]));
      return [...databases.shards.keys()].map((number, index) => ({
        number,
        location: locations.get(number) ?? null,
        accounts: accountsIn.get(number) ?? 0,
        bytes: sizes[index] ?? null,
      }));
    },
    async listAccounts(page) {
      const { items, ...listed } = await readPage(d1, accounts, isLive(), page);
      return { ...listed, items: items.map(toAccountSummary) };
    },
    async findAccount(id) {
      const row = await d1.run((db) => db.select().from(accounts).where(isLive(id)).get());
      return row ? toAccountSummary(row) : null;
    },
    async updateAccount(id, change, audits) {
      const update = (db: Database) => db.update(accounts).set(accountColumns(change)).where(isLive(id)).returning();
      const record = (db: Database) => audits.flatMap((audit) => recordAudit(db, audit));
      const [[row]] = await d1.run((db) => db.batch([update(db), ...record(db)]));
      return row ? toAccountSummary(row) : null;
    },
    async listPlans() {
      const rows = await d1.run((db) => db.select().from(plans).orderBy(asc(plans.monthlyRenders)).all());
      return rows.map(toPlan);
    },
    async updatePlan(name, change) {
      const columns = planColumns(change);
      const row = await d1.run((db) => db.update(plans).set(columns).where(eq(plans.name, name)).returning().get());
      return toPlan(row);
    },
    ...apiKeyStore(d1),
  };
}

type ApiKeyStore = Pick<AccountStore, "checksumSecret" | "insertKey" | "findKey" | "listKeys" | "revokeKey">;

function apiKeyStore(d1: D1Client): ApiKeyStore {
  const ofAccount = (accountId: string, id: string) => and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id));
  return {
    checksumSecret: () => readChecksumSecret(d1),
    async insertKey({ scopes: granted, ...key }, audit) {
      const row = { ...key, scopes: formatScopes(granted) };
      await d1.run((db) => db.batch([db.insert(apiKeys).values(row).onConflictDoNothing(), ...recordAudit(db, audit)]));
    },
    async findKey(accountId, id) {
      const row = await d1.run((db) => db.select().from(apiKeys).where(ofAccount(accountId, id)).get());
      return row ? toApiKey(row) : null;
    },
    async listKeys(accountId, page) {
      const { items, ...listed } = await readPage(d1, apiKeys, eq(apiKeys.accountId, accountId), page);
      return { ...listed, items: items.map(toApiKey) };
    },
    async revokeKey(accountId, id, audit) {
      const first = { revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${audit.createdAt})` };
      await d1.run((db) =>
        db.batch([db.update(apiKeys).set(first).where(ofAccount(accountId, id)), ...recordAudit(db, audit)]),
      );
    },
  };
}

/** Finds the account to which something belongs, for the operator, who may know only an id. */
export function owners({ directory, shards }: Databases): Owners {
  // The key of events begins with the account, so one look-up per account replaces a scan of all events.
  const next = sql`SELECT min(account_id) FROM ${webhookEvents}`;
  const everyAccount = sql`
    WITH RECURSIVE known(id) AS (${next} UNION ALL SELECT (${next} WHERE account_id > known.id) FROM known WHERE known.id IS NOT NULL)
    SELECT id FROM known`;
  return async (id) => {
    const inDirectory = sql`
      SELECT 'account' AS kind, id AS accountId FROM ${accounts} WHERE id = ${id}
      UNION ALL SELECT 'template', account_id FROM ${templates} WHERE id = ${id}
      UNION ALL SELECT 'key', account_id FROM ${apiKeys} WHERE id = ${id}`;
    const inShard = sql`
      SELECT 'document' AS kind, account_id AS accountId FROM ${documents} WHERE id = ${id}
      UNION ALL SELECT 'webhook', account_id FROM ${webhookEvents} WHERE id = ${id} AND account_id IN (${everyAccount})`;
    const find = (d1: D1Client, query: SQL) => d1.run((db) => db.all<Owner>(query));
    const found = [find(directory, inDirectory), ...[...shards.values()].map((shard) => find(shard, inShard))];
    return (await Promise.all(found)).flat();
  };
}

/** Returns the condition that an account is not deleted, and has this id if one is given. */
function isLive(id?: string) {
  return and(isNull(accounts.deletedAt), id === undefined ? undefined : eq(accounts.id, id));
}

function accountColumns({ retentionDays, ...columns }: AccountChange) {
  return { ...columns, ...(retentionDays !== undefined && { retentionDays: fromAccountRetention(retentionDays) }) };
}

function planColumns({ retentionDays, ...columns }: PlanChange) {
  if (retentionDays === undefined) return columns;
  return { ...columns, retentionDays: retentionDays === "keep" ? null : retentionDays };
}

function toAccountSummary(row: typeof accounts.$inferSelect): AccountSummary {
  const { deletedAt: _, jurisdiction: _jurisdiction, plan, retentionDays, ...account } = row;
  return { ...account, plan: planName(plan), retentionDays: toAccountRetention(retentionDays) };
}

function toApiKey(row: typeof apiKeys.$inferSelect): ApiKey {
  const { accountId: _accountId, secretHash: _secretHash, scopes: granted, ...key } = row;
  return { ...key, scopes: parseScopes(granted) };
}
