// The four plans, and how long documents are kept. D1 stores each plan's values, which operators can change.
import { dayMs } from "colophon-base/calendar-day";

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

/** The number of days after which a document expires, or `keep` for documents that stay until they are deleted. */
export type Retention = "keep" | number;

/** The retention of an account; `plan` means the retention of its plan. */
export type AccountRetention = "plan" | Retention;

export const maxRetentionDays = 3_650;

/** The allowed range of a request's `expiresIn`, in seconds. Documents are removed once a minute. */
export const requestedExpirySeconds = { min: 60, max: maxRetentionDays * 86_400 };

/** Returns the time at which a document expires, in ms since the epoch; null for a document that does not expire. */
export function expiryOf(createdAt: number, retention: Retention): number | null {
  return retention === "keep" ? null : createdAt + retention * dayMs;
}

/** Parses a retention; returns null if it is neither `keep` nor an allowed number of days. */
export function parseRetention(text: string): Retention | null {
  if (text === "keep") return text;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= maxRetentionDays ? days : null;
}
