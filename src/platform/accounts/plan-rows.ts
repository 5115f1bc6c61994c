// Converts rows of the `plans` table to plans, and the retention of accounts.
import { CodedError } from "colophon-base/loggable-error";
import { type AccountRetention, type Plan, type PlanName, planNames } from "../../core/accounts/plans.ts";
import type { plans } from "../d1/schema.ts";

export function toPlan(row: typeof plans.$inferSelect): Plan {
  const { monthlyRenders, apiAccess, retentionDays } = row;
  return { name: planName(row.name), monthlyRenders, apiAccess, retentionDays: retentionDays ?? "keep" };
}

/**
 * Returns the value as a plan name. Throws for an unknown name, which can be in D1 only if someone has edited the table
 * by hand.
 */
export function planName(value: string): PlanName {
  const known = planNames.find((name) => name === value);
  if (!known) throw new CodedError("unknown plan in D1", `unknown plan in D1: ${value}`);
  return known;
}

/** Returns the retention that the column of the `accounts` table represents. */
export function toAccountRetention(days: number | null): AccountRetention {
  if (days === null) return "plan";
  return days === 0 ? "keep" : days;
}

/** Returns the value for the column of the `accounts` table. */
export function fromAccountRetention(retention: AccountRetention): number | null {
  if (retention === "plan") return null;
  return retention === "keep" ? 0 : retention;
}
