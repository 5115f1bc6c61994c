// Converts rows of the `plans` table to plans.
import { isPlanName, type Plan, type PlanName } from "../../core/accounts/plans.ts";
import type { plans } from "../d1/schema.ts";

export function toPlan(row: typeof plans.$inferSelect): Plan {
  return { name: planName(row.name), monthlyRenders: row.monthlyRenders, apiAccess: row.apiAccess };
}

/**
 * Returns the value as a plan name. Throws for an unknown name, which can be in D1 only if someone has edited the table
 * by hand.
 */
export function planName(value: string): PlanName {
  if (!isPlanName(value)) throw new Error(`unknown plan in D1: ${value}`);
  return value;
}
