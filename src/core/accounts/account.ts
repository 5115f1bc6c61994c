// Accounts and API keys.
import type { Region } from "../region.ts";
import type { Plan, PlanName } from "./plans.ts";
import type { Scope } from "./scopes.ts";
import { effectiveRetention, type AccountRetention, type Retention } from "./retention.ts";

/** `retentionDays` is the plan's, unless the account has its own. */
export type Account = { id: string; name: string; plan: Plan; retentionDays: Retention };

/** What a key may do. Times are in ms since the epoch. */
export type KeyRights = { id: string; scopes: Scope[]; isTest: boolean; expiresAt: number | null };

/** An account whose request carries a key. A test key acts for `testAccountOf` its account. */
export type Caller = { account: Account; key: KeyRights };

/** `lastUsedAt` is exact to an hour. */
export type ApiKey = KeyRights & {
  name: string;
  createdAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
};

/**
 * `region` is the account's home region, where its objects are created. Null: they are created near the account's first
 * request.
 */
export type AccountSummary = {
  id: string;
  name: string;
  plan: PlanName;
  /** The account's own allowance; null for the plan's. */
  monthlyRenders: number | null;
  retentionDays: AccountRetention;
  region: Region | null;
  createdAt: number;
};

export type NewAccount = AccountSummary & { webhookSecret: string };

/** Returns an account as its requests see it: with its own limit and retention, or else its plan's. */
export function accountOn(
  plan: Plan,
  { id, name, monthlyRenders, retentionDays }: Pick<AccountSummary, "id" | "name" | "monthlyRenders" | "retentionDays">,
): Account {
  const own = { ...plan, ...(monthlyRenders !== null && { monthlyRenders }) };
  return { id, name, plan: own, retentionDays: effectiveRetention(retentionDays, plan.retentionDays) };
}
