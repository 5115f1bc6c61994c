// Accounts and API keys, as requests and the operator's commands see them.
import type { Plan, PlanName } from "./plans.ts";

export type Account = { id: string; name: string; plan: Plan };

export type ApiKey = { id: string; name: string; createdAt: number; revokedAt: number | null };

export type AccountSummary = { id: string; name: string; plan: PlanName };

export type NewAccount = AccountSummary & { createdAt: number; webhookSecret: string };
