// The four plans of the contract. D1 holds the figures in force; these names and defaults seed it.

export const planNames = ["free", "starter", "pro", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];

export type Plan = {
  name: PlanName;
  /** Completed renders a calendar month (UTC). */
  monthlyRenders: number;
  apiAccess: boolean;
};

export function isPlanName(value: string): value is PlanName {
  return (planNames as readonly string[]).includes(value);
}
