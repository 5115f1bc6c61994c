// Accounts and API keys, as requests and the operator's commands see them.
import type { Region } from "../region.ts";
import type { Plan, PlanName } from "./plans.ts";
import type { AccountRetention, Retention } from "./retention.ts";

/** `retentionDays` is that of the plan, unless the account has its own. */
export type Account = { id: string; name: string; plan: Plan; retentionDays: Retention };

export type ApiKey = { id: string; name: string; createdAt: number; revokedAt: number | null };

/**
 * `region` is the account's home region, where its objects are created. Null: they are created near the account's first
 * request.
 */
export type AccountSummary = {
  id: string;
  name: string;
  plan: PlanName;
  retentionDays: AccountRetention;
  region: Region | null;
};

/** A new account has the retention of its plan. */
export type NewAccount = Omit<AccountSummary, "retentionDays"> & { createdAt: number; webhookSecret: string };
