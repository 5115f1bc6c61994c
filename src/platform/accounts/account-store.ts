// Reads and changes accounts, plans and keys in D1 for the operator's commands.
import { and, asc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { AccountSummary } from "../../core/accounts/account.ts";
import type { SecretCipher } from "../../core/webhooks/secret-encryption.ts";
import type { AccountStore, PlanChange } from "../../ports/accounts.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { accounts, apiKeys, plans, webhookSecrets } from "../d1/schema.ts";
import { webhookSecretRow } from "../webhooks/webhook-secret-store.ts";
import { readChecksumSecret } from "./checksum-secret.ts";
import { fromAccountRetention, planName, toAccountRetention, toPlan } from "./plan-rows.ts";

/** Without the digest of the secret. */
const { accountId: _accountId, secretHash: _secretHash, ...keyColumns } = getTableColumns(apiKeys);

/** `cipher` encrypts the first webhook secrets of new accounts. */
export function accountStore(d1: D1Client, cipher: SecretCipher): AccountStore {
  return {
    async insertAccount({ webhookSecret: secret, ...account }) {
      const { id: accountId, createdAt } = account;
      const secretRow = await webhookSecretRow(cipher, { accountId, secret, createdAt });
      await d1.run((db) =>
        db.batch([
          db.insert(accounts).values(account).onConflictDoNothing(),
          db.insert(webhookSecrets).values(secretRow).onConflictDoNothing(),
        ]),
      );
    },
    async listAccounts() {
      const rows = await d1.run((db) =>
        db.select().from(accounts).where(isLive()).orderBy(asc(accounts.createdAt), asc(accounts.id)).all(),
      );
      return rows.map(toAccountSummary);
    },
    async findAccount(id) {
      const row = await d1.run((db) => db.select().from(accounts).where(isLive(id)).get());
      return row ? toAccountSummary(row) : null;
    },
    async setAccountPlan(id, plan) {
      const result = await d1.run((db) => db.update(accounts).set({ plan }).where(isLive(id)).returning().all());
      return result.length > 0;
    },
    async setAccountRetention(id, retention) {
      const change = { retentionDays: fromAccountRetention(retention) };
      const result = await d1.run((db) => db.update(accounts).set(change).where(isLive(id)).returning().all());
      return result.length > 0;
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

type ApiKeyStore = Pick<AccountStore, "checksumSecret" | "insertKey" | "listKeys" | "revokeKey">;

function apiKeyStore(d1: D1Client): ApiKeyStore {
  return {
    checksumSecret: () => readChecksumSecret(d1),
    async insertKey(key) {
      await d1.run((db) => db.insert(apiKeys).values(key).onConflictDoNothing().run());
    },
    async listKeys(accountId) {
      return d1.run((db) =>
        db
          .select(keyColumns)
          .from(apiKeys)
          .where(eq(apiKeys.accountId, accountId))
          .orderBy(asc(apiKeys.createdAt))
          .all(),
      );
    },
    async revokeKey(id, revokedAt) {
      const first = { revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${revokedAt})` };
      const rows = await d1.run((db) => db.update(apiKeys).set(first).where(eq(apiKeys.id, id)).returning().all());
      return rows.length > 0;
    },
  };
}

/** Returns the condition that an account has not been deleted, and that it has this id if one is given. */
function isLive(id?: string) {
  return and(isNull(accounts.deletedAt), id === undefined ? undefined : eq(accounts.id, id));
}

function planColumns({ retentionDays, ...columns }: PlanChange) {
  if (retentionDays === undefined) return columns;
  return { ...columns, retentionDays: retentionDays === "keep" ? null : retentionDays };
}

function toAccountSummary(row: typeof accounts.$inferSelect): AccountSummary {
  const { id, name, plan, retentionDays, region } = row;
  return { id, name, plan: planName(plan), retentionDays: toAccountRetention(retentionDays), region };
}
