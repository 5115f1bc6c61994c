// The delivery of a webhook event: its attempts, and what follows from each of them.

export const webhookStatuses = ["pending", "delivered", "dead"] as const;

export type WebhookStatus = (typeof webhookStatuses)[number];

/** One try, as the operator sees it. Times in ms. */
export type DeliveryAttempt = {
  at: number;
  durationMs: number;
  /** HTTP status, null without an answer. */
  status: number | null;
  error: string | null;
  /** The beginning of the answer's body, at most 1 KB; for the operator, never for the caller. */
  response: string | null;
};

/** How a delivery stands. */
export type Delivery = {
  status: WebhookStatus;
  /** Tries since the event was made or last sent again by the operator. */
  attempts: number;
  /** ms since the epoch; null unless pending. */
  nextAttemptAt: number | null;
  /** Counts how often the operator sent it again; a report of an earlier round is void. */
  round: number;
  /** The last ten tries, newest first. */
  history: DeliveryAttempt[];
};

/** What one try came to. */
export type AttemptOutcome = DeliveryAttempt & {
  verdict: "delivered" | "failed" | "refused";
  /** From the answer's `Retry-After`, ms. */
  retryAfterMs: number | null;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** From the attempt before (the first: from the event) to each attempt, ms. */
export const attemptDelaysMs = [
  ...[0, 5 * second, 5 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

/** Added to a delay at random, so that events that failed together do not come back together. */
const maxJitter = 0.1;
const maxRetryAfterMs = 24 * hour;
const keptAttempts = 10;

/** The delivery after one more try. `random` from 0 to 1. */
export function afterAttempt(delivery: Delivery, outcome: AttemptOutcome, random: number): Delivery {
  const { verdict, retryAfterMs, ...attempt } = outcome;
  const attempts = delivery.attempts + 1;
  const tried = { ...delivery, attempts, history: [attempt, ...delivery.history].slice(0, keptAttempts) };
  if (verdict === "delivered") return { ...tried, status: "delivered", nextAttemptAt: null };
  const delayMs = attemptDelaysMs[attempts];
  if (verdict === "refused" || delayMs === undefined) return { ...tried, status: "dead", nextAttemptAt: null };
  const askedMs = Math.min(retryAfterMs ?? 0, maxRetryAfterMs);
  const waitMs = Math.max(delayMs * (1 + maxJitter * random), askedMs);
  return { ...tried, status: "pending", nextAttemptAt: Math.ceil(outcome.at + outcome.durationMs + waitMs) };
}

/** `Retry-After` as RFC 9110 has it, seconds or a date; null when it is neither. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  // The parser of dates finds one in nearly any text with a number in it.
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
