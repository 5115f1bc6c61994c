// The four plans. D1 stores the monthly allowance of each plan and whether it includes API access. Operators can change
// these values.

import type { Retention } from "./retention.ts";

export const planNames = ["free", "starter", "pro", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];

/** The greatest monthly allowance that a plan or an account can have. */
export const maxMonthlyRenders = 999_999_999;

export type Plan = {
  name: PlanName;
  /** Completed renders per calendar month (UTC). */
  monthlyRenders: number;
  apiAccess: boolean;
  retentionDays: Retention;
};

export function isPlanName(value: string): value is PlanName {
  return (planNames as readonly string[]).includes(value);
}
