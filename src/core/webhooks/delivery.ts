// The types of a delivery, and the rules for when its next attempt is due.

export const webhookStatuses = ["pending", "delivered", "dead"] as const;

export type WebhookStatus = (typeof webhookStatuses)[number];

/** An attempt, as operators see it. `at` is in ms since the epoch. */
export type DeliveryAttempt = {
  at: number;
  durationMs: number;
  /** The HTTP status; null when there was no response. */
  status: number | null;
  error: string | null;
  /** The beginning of the response body, at most 1 KB. Only operators can see it. */
  response: string | null;
};

export type Delivery = {
  status: WebhookStatus;
  /**
   * The number of attempts in the current round. The first round begins when the event is created. Each redelivery that
   * the operator asks for begins a new round.
   */
  attempts: number;
  /** The time of the next attempt in ms since the epoch. Null if the delivery is not pending. */
  nextAttemptAt: number | null;
  /** The number of times that the operator has asked for redelivery. Reports from earlier rounds are ignored. */
  round: number;
  /** The last ten attempts, newest first. */
  history: DeliveryAttempt[];
};

export type AttemptOutcome = DeliveryAttempt & {
  result: "delivered" | "failed" | "refused";
  /** The delay that the response's `Retry-After` asks for; null if it has none. */
  retryAfterMs: number | null;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt, measured from the end of the previous attempt. The first attempt has no delay. */
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

/**
 * The maximum random addition to a delay, as a fraction of the delay. It spreads out the retries of events that failed
 * at the same time.
 */
const maxJitter = 0.1;
const maxRetryAfterMs = 24 * hour;
const maxHistory = 10;

/** Returns the delivery after one more attempt. `random` is a number from 0 to 1. */
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

/**
 * Returns the delay before an attempt that faults in the service have prevented this many times in a row: 5 s, 30 s, 3 min, up to 24
 * h.
 */
export function delayAfterFaults(faults: number, random: number): number {
  return Math.min(5 * second * 6 ** (faults - 1), 24 * hour) * (1 + maxJitter * random);
}

/**
 * Parses attempts from JSON. If that fails, returns one attempt that says so, because other deliveries are read in the same query.
 */
export function readHistory(json: string, at: number): DeliveryAttempt[] {
  try {
    const history = JSON.parse(json) as DeliveryAttempt[];
    if (history.every((attempt) => Number.isFinite(attempt.at))) return history;
  } catch {}
  return [{ at, durationMs: 0, status: null, error: "the record of earlier attempts is unreadable", response: null }];
}
