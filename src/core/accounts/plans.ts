// The four plans. Their monthly allowances and their API access are stored in D1, where operators change them.

export const planNames = ["free", "starter", "pro", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];

export type Plan = {
  name: PlanName;
  /** Completed renders per calendar month (UTC). */
  monthlyRenders: number;
  apiAccess: boolean;
};

export function isPlanName(value: string): value is PlanName {
  return (planNames as readonly string[]).includes(value);
}
