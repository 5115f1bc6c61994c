// Accounts and API keys, as requests and the operator's commands see them.
import type { Plan, PlanName } from "./plans.ts";
import type { AccountRetention, Retention } from "./retention.ts";

/** `retentionDays` is that of the plan, unless the account has its own. */
export type Account = { id: string; name: string; plan: Plan; retentionDays: Retention };

export type ApiKey = { id: string; name: string; createdAt: number; revokedAt: number | null };

export type AccountSummary = { id: string; name: string; plan: PlanName; retentionDays: AccountRetention };

/** A new account has the retention of its plan. */
export type NewAccount = Omit<AccountSummary, "retentionDays"> & { createdAt: number; webhookSecret: string };
