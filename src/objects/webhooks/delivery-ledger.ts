// The deliveries of one account's webhook sender, in its Durable Object's SQLite: when each delivery is due, and which origins are
// failing. All other code reads deliveries from D1. This storage may be newer than D1. `unreported` returns the deliveries that D1
// does not have yet in their current state. An attempt is counted before it is made: the delivery is first stored as if the attempt
// had failed, except for `due`. So after a restart, attempts in flight count as failed.
import { readHistory, type Delivery } from "../../core/webhooks/delivery.ts";
import type { DeliveryReport, PendingWebhook, WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import { openLedger } from "../runtime/ledger.ts";
import { deliveryStorageSteps } from "./delivery-storage.ts";
import { forgetUnusedOrigins, nextOrigin, originOf, recordFailure, recordSuccess } from "./origin-health.ts";

export type DeliveryLedger = ReturnType<typeof deliveryLedger>;

export type DueDelivery = {
  event: Pick<WebhookEvent, "id" | "accountId" | "url" | "payload">;
  origin: string;
  delivery: Delivery;
  /** The number of consecutive faults in the service that have prevented the attempt. */
  faults: number;
};
/** `stored` is the delivery as stored in the table, to detect later changes. */
export type AccountReport = DeliveryReport & { accountId: string; stored: string };

/** Longer than all tries of reading pending deliveries from D1. */
const retentionMs = 30_000;
/** Longer than any attempt takes. If a restart interrupts an attempt, the alarm starts it again after this time. */
const attemptLeaseMs = 45_000;

type Row = {
  event_id: string;
  account_id: string;
  url: string;
  payload: string;
  origin: string;
  state: "waiting" | "done";
  due: number;
  round: number;
  /** JSON of `Delivery`. */
  delivery: string;
  faults: number;
  report_faults: number;
};

export function deliveryLedger(storage: DurableObjectStorage) {
  const stored = openLedger(storage, deliveryStorageSteps, { countAttempt, postponeReports, markReported, sweep });
  const { sql } = storage;
  storage.transactionSync(() => recordInterrupted(sql));
  /** The origin of each attempt in flight, by event. */
  const inFlight = new Map<string, string>();
  const idsInFlight = () => JSON.stringify([...inFlight.keys()]);
  const waiting = readWaiting(sql);
  const updateWaiting = (origin: string) => {
    const [next] = sql.exec<Row>(selectNext, origin, idsInFlight()).toArray();
    if (next) waiting.set(origin, next.due);
    else waiting.delete(origin);
  };
  const end = ({ event, origin }: DueDelivery) => {
    inFlight.delete(event.id);
    updateWaiting(origin);
  };
  return {
    ...stored,
    /** Returns the number of attempts in flight. An attempt ends with `recordAttempt` or `postpone`. */
    inFlight: () => inFlight.size,
    /** Adds the deliveries of new events, and restarts deliveries that the operator asked to resend. Others stay unchanged. */
    add(events: PendingWebhook[], nowMs: number): void {
      const added = events.filter(({ id }) => !inFlight.has(id));
      storage.transactionSync(() => added.forEach((event) => addDelivery(sql, event, nowMs)));
      for (const origin of new Set(added.map(({ url }) => originOf(url)))) updateWaiting(origin);
    },
    /**
     * Returns the next delivery and marks its attempt as in flight: of the origins with a due delivery, the one with the
     * fewest attempts in flight is chosen; among equal ones, the delivery that has been due longest. Null if none is due.
     * Skips origins with `maxPerOrigin` attempts in flight, and failing origins with one.
     */
    startNext(nowMs: number, maxPerOrigin: number): DueDelivery | null {
      const origin = nextOrigin(sql, { waiting, inFlight: inFlight.values(), maxPerOrigin }, nowMs);
      const [row] = sql.exec<Row>(selectNext, origin, idsInFlight()).toArray();
      if (!row) return null;
      inFlight.set(row.event_id, row.origin);
      updateWaiting(row.origin);
      return dueDelivery(row);
    },
    /** Stores the new state of the delivery after an attempt. */
    recordAttempt(sent: DueDelivery, delivery: Delivery, nowMs: number): void {
      storage.transactionSync(() => recordAttempt(sql, sent, delivery, nowMs));
      end(sent);
    },
    /** Makes the delivery due again at `dueAt`, because a fault in the service prevented the attempt. */
    postpone(sent: DueDelivery, dueAt: number): void {
      postpone(sql, sent, dueAt);
      end(sent);
    },
    unreported: (limit: number, nowMs: number) => unreported(sql, [nowMs, idsInFlight(), limit]),
    /** Returns the time at which the alarm next has work to do, in ms since the epoch, or null when there is no work. */
    nextDue(nowMs: number): number | null {
      const { due } = sql.exec<{ due: number | null }>(selectNextDue).one();
      const leaseEnd = inFlight.size > 0 ? nowMs + attemptLeaseMs : Infinity;
      const next = [...waiting.values()].reduce((a, b) => Math.min(a, b), Math.min(due ?? Infinity, leaseEnd));
      return next === Infinity ? null : next;
    },
  };
}

const upsertDelivery = `
  INSERT INTO deliveries (event_id, account_id, url, payload, origin, state, due, round, delivery)
  VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
  ON CONFLICT (event_id) DO UPDATE SET payload = excluded.payload, state = 'waiting', due = excluded.due,
    round = excluded.round, delivery = excluded.delivery, is_reported = 0, faults = 0
  WHERE excluded.round > round`;

function addDelivery(sql: SqlStorage, event: PendingWebhook, nowMs: number): void {
  const { id, accountId, url, payload, delivery } = event;
  const due = delivery.nextAttemptAt ?? nowMs;
  const waiting = JSON.stringify({ ...delivery, nextAttemptAt: due });
  const values = [id, accountId, url, payload, originOf(url), due, delivery.round, waiting];
  sql.exec(upsertDelivery, ...values);
}

const notInFlight = "event_id NOT IN (SELECT value FROM json_each(?))";
const selectWaiting = "SELECT origin, min(due) AS due FROM deliveries WHERE state = 'waiting' GROUP BY origin";
const selectNext = `
  SELECT * FROM deliveries WHERE state = 'waiting' AND origin = ? AND ${notInFlight} ORDER BY due LIMIT 1`;

/**
 * Returns when the next delivery to each origin is due. The ledger keeps this in memory. Otherwise, it would have to read many rows to
 * find the next delivery.
 */
function readWaiting(sql: SqlStorage): Map<string, number> {
  const rows = sql.exec<Row>(selectWaiting).toArray();
  return new Map(rows.map(({ origin, due }) => [origin, due]));
}

function dueDelivery(row: Row): DueDelivery {
  const { event_id: id, account_id: accountId, url, payload, origin, faults } = row;
  return { event: { id, accountId, url, payload }, origin, delivery: deliveryOf(row), faults };
}

/**
 * A delivery that cannot be read continues as if after one attempt. If it has ended, it is dead, so that it can be
 * redelivered.
 */
function deliveryOf({ state, due, round, delivery: stored }: Row): Delivery {
  try {
    const delivery = JSON.parse(stored) as Delivery;
    if (Array.isArray(delivery.history)) return delivery;
  } catch {}
  const [status, nextAttemptAt] = state === "waiting" ? (["pending", due] as const) : (["dead", null] as const);
  return { status, attempts: 1, nextAttemptAt, round, history: readHistory("", due) };
}

/** Any other waiting delivery has `due` equal to the time of its next attempt. Deliveries that cannot be read are stored again. */
const selectInterrupted = `SELECT * FROM deliveries WHERE state = 'waiting'
  AND CASE WHEN json_valid(delivery) THEN delivery ->> 'nextAttemptAt' END IS NOT due`;

/** Ends the attempts that were in flight when the object stopped. */
function recordInterrupted(sql: SqlStorage): void {
  for (const sent of sql.exec<Row>(selectInterrupted).toArray().map(dueDelivery)) {
    recordAttempt(sql, sent, sent.delivery, sent.delivery.history[0]?.at ?? 0);
  }
}

/** Stores the delivery's state in case the outcome of the attempt, which begins now, is lost. */
function countAttempt(sql: SqlStorage, { event }: DueDelivery, delivery: Delivery): void {
  sql.exec("UPDATE deliveries SET delivery = ? WHERE event_id = ?", JSON.stringify(delivery), event.id);
}

const updatePostponed = "UPDATE deliveries SET due = ?, faults = ?, delivery = ? WHERE event_id = ?";
const updateDelivery =
  "UPDATE deliveries SET state = ?, due = ?, payload = ?, delivery = ?, faults = 0 WHERE event_id = ?";
// A separate statement, because the other one would rewrite an unreported delivery's index entry.
const markUnreported = "UPDATE deliveries SET is_reported = 0 WHERE event_id = ? AND is_reported = 1";

function postpone(sql: SqlStorage, { event, faults, delivery }: DueDelivery, dueAt: number): void {
  const postponed = JSON.stringify({ ...delivery, nextAttemptAt: dueAt });
  sql.exec(updatePostponed, dueAt, faults + 1, postponed, event.id);
  sql.exec(markUnreported, event.id);
}

function recordAttempt(sql: SqlStorage, sent: DueDelivery, delivery: Delivery, nowMs: number): void {
  const { event, origin } = sent;
  const { state, due, payload } =
    delivery.status === "pending"
      ? { state: "waiting", due: delivery.nextAttemptAt ?? nowMs, payload: event.payload }
      : { state: "done", due: nowMs + retentionMs, payload: "" };
  sql.exec(updateDelivery, state, due, payload, JSON.stringify(delivery), event.id);
  sql.exec(markUnreported, event.id);
  if (delivery.status === "delivered") recordSuccess(sql, origin);
  else recordFailure(sql, origin);
}

const selectUnreported = `SELECT * FROM deliveries WHERE is_reported = 0 AND report_due <= ? AND ${notInFlight}
  ORDER BY report_faults LIMIT ?`;
const updateReportDue = `UPDATE deliveries SET report_due = ? + min(300000, 5000 << min(report_faults, 6)),
  report_faults = report_faults + 1 WHERE event_id IN (SELECT value FROM json_each(?))`;
const updateReported = `UPDATE deliveries SET is_reported = 1, report_due = 0, report_faults = 0
  WHERE event_id = ? AND delivery = ?`;

/**
 * Returns up to `limit` deliveries whose state is not in D1 yet and whose attempt is not in flight. A delivery that could not be reported
 * is returned alone and after all others, so that it does not delay them.
 */
function unreported(sql: SqlStorage, values: [nowMs: number, idsInFlight: string, limit: number]): AccountReport[] {
  const rows = sql.exec<Row>(selectUnreported, ...values).toArray();
  const together = rows.filter(({ report_faults: faults }, index) => index === 0 || faults === 0);
  return together.map((row) => {
    return { eventId: row.event_id, accountId: row.account_id, delivery: deliveryOf(row), stored: row.delivery };
  });
}

/** Pauses these reports after a fault: for 5 s, then twice as long after each further fault, up to 5 minutes. */
function postponeReports(sql: SqlStorage, eventIds: string[], nowMs: number): void {
  sql.exec(updateReportDue, nowMs, JSON.stringify(eventIds));
}

/** Records that D1 has these states. A delivery that has since changed stays unreported. */
function markReported(sql: SqlStorage, reports: AccountReport[]): void {
  for (const { eventId, stored } of reports) sql.exec(updateReported, eventId, stored);
}

// An ended delivery does not need an alarm before its attempt's alarm, which removes it.
const selectNextDue = `
  SELECT min(due) AS due FROM (
    SELECT min(due) + ${attemptLeaseMs - retentionMs} AS due FROM deliveries WHERE state = 'done' AND report_due = 0
    UNION ALL SELECT min(report_due) FROM deliveries WHERE is_reported = 0 AND report_faults > 0)`;

/**
 * Deletes reported deliveries some time after they ended, and the failure counts of origins without deliveries. By
 * then, no call of `add` can still be based on a read of D1 from when the delivery was pending.
 */
function sweep(sql: SqlStorage, nowMs: number): void {
  sql.exec("DELETE FROM deliveries WHERE state = 'done' AND due <= ? AND is_reported = 1", nowMs);
  forgetUnusedOrigins(sql);
}
