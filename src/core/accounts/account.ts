// Accounts, the separate accounts for their test documents, and API keys.
import type { Access } from "colophon-template-model/template";
import type { Region } from "../region.ts";
import type { AccountRetention, Plan, PlanName, Retention } from "./plans.ts";
import type { Scope } from "./scopes.ts";

/** What an account can change about all its documents, live and test ones. */
export type AccountSettings = {
  /** With "private", no new document of the account is public. */
  access: Access;
  /** Whether the service records who downloads documents. */
  recordDownloads: boolean;
};

/** `retentionDays` comes from the plan, unless the account has its own retention. */
export type Account = AccountSettings & { id: string; name: string; plan: Plan; retentionDays: Retention };

/** The rights of a key. Times are in ms since the epoch. */
export type KeyRights = { id: string; scopes: Scope[]; isTest: boolean; expiresAt: number | null };

/** An account whose request carries a key. With a test key, it is the account that `testAccountOf` returns. */
export type Caller = { account: Account; key: KeyRights };

/** `lastUsedAt` is accurate to one hour. */
export type ApiKey = KeyRights & {
  name: string;
  createdAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
};

export type AccountSummary = AccountSettings & {
  id: string;
  name: string;
  plan: PlanName;
  /** The account's own allowance; null if the plan's allowance applies. */
  monthlyRenders: number | null;
  retentionDays: AccountRetention;
  /** The home region, where the account's objects are created; null: near the account's first request. */
  region: Region | null;
  /** The database with the account's documents: 0 for `DB`, or n for `DB_n`. */
  shard: number;
  createdAt: number;
};

/** Returns an account with the limit and retention that apply to its requests: its own where set, otherwise those in its plan. */
export function accountOn(
  plan: Plan,
  account: Omit<AccountSummary, "plan" | "region" | "shard" | "createdAt">,
): Account {
  const { id, name, monthlyRenders, retentionDays: own, access, recordDownloads } = account;
  const accountPlan = { ...plan, ...(monthlyRenders !== null && { monthlyRenders }) };
  const retentionDays = own === "plan" ? plan.retentionDays : own;
  return { id, name, plan: accountPlan, retentionDays, access, recordDownloads };
}

const testSuffix = "-test";

/** Test renders per UTC day. */
const dailyRenders = 100;

/**
 * Returns the account that a test key acts for. It separates test documents from live ones: lists, counts, quota and webhooks of
 * one account never include the other's data. Templates, webhook secrets and the region are shared. Test documents are removed
 * after a day.
 */
export function testAccountOf({ id, plan, ...account }: Account): Account {
  return { ...account, id: testAccountId(id), plan: { ...plan, monthlyRenders: dailyRenders }, retentionDays: 1 };
}

export function testAccountId(accountId: string): string {
  return accountId + testSuffix;
}

export function isTestAccountId(accountId: string): boolean {
  return accountId.endsWith(testSuffix);
}

/** Returns the id of the account to which the templates and secrets belong. */
export function liveAccountId(accountId: string): string {
  return isTestAccountId(accountId) ? accountId.slice(0, -testSuffix.length) : accountId;
}
