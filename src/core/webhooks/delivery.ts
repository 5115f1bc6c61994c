// The delivery of a webhook event: its attempts and when the next one is due.

export const webhookStatuses = ["pending", "delivered", "dead"] as const;

export type WebhookStatus = (typeof webhookStatuses)[number];

/** One attempt, as the operator sees it. Times in ms. */
export type DeliveryAttempt = {
  at: number;
  durationMs: number;
  /** HTTP status; null without a response. */
  status: number | null;
  error: string | null;
  /** The beginning of the response body, at most 1 KB; only operators see it. */
  response: string | null;
};

/** The state of a delivery. */
export type Delivery = {
  status: WebhookStatus;
  /** Attempts since the event was created or the operator last asked for its redelivery. */
  attempts: number;
  /** ms since the epoch; null unless pending. */
  nextAttemptAt: number | null;
  /** How often the operator asked for redelivery; reports from an earlier round are ignored. */
  round: number;
  /** The last ten attempts, newest first. */
  history: DeliveryAttempt[];
};

export type AttemptOutcome = DeliveryAttempt & {
  result: "delivered" | "failed" | "refused";
  /** The delay that the response's `Retry-After` asks for; null when it asks for none. */
  retryAfterMs: number | null;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The delay before each attempt. It starts at the end of the previous attempt, or, before the first attempt, at the event.
 */
export const attemptDelaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Up to this share of a delay is added to it at random, so that events that failed together are not retried together. */
const maxJitter = 0.1;
const maxRetryAfterMs = 24 * hour;
const maxHistory = 10;

/** The delivery after one more attempt. `random` from 0 to 1. */
export function afterAttempt(delivery: Delivery, outcome: AttemptOutcome, random: number): Delivery {
  const { result, retryAfterMs, ...attempt } = outcome;
  const attempts = delivery.attempts + 1;
  const attempted = { ...delivery, attempts, history: [attempt, ...delivery.history].slice(0, maxHistory) };
  if (result === "delivered") return { ...attempted, status: "delivered", nextAttemptAt: null };
  const delayMs = attemptDelaysMs[attempts];
  if (result === "refused" || delayMs === undefined) return { ...attempted, status: "dead", nextAttemptAt: null };
  const requestedMs = Math.min(retryAfterMs ?? 0, maxRetryAfterMs);
  const waitMs = Math.max(delayMs * (1 + maxJitter * random), requestedMs);
  return { ...attempted, status: "pending", nextAttemptAt: Math.ceil(outcome.at + outcome.durationMs + waitMs) };
}

/** The delay that a `Retry-After` header asks for (RFC 9110: in seconds, or as a date); null when it has neither form. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  // `Date.parse` accepts nearly any text that contains a number, so the form of the date is checked first.
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
