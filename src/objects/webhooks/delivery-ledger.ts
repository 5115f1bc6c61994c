// The deliveries of one account's webhook sender, in its Durable Object's SQLite: when each delivery is due, and which
// endpoints fail. All other code reads deliveries from D1. This storage may be newer than D1. `unreported` returns the
// deliveries that D1 does not have yet in their current state.
import type { Delivery } from "../../core/webhooks/delivery.ts";
import type { DeliveryReport, PendingWebhook, WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import { upgradeStorage } from "../runtime/storage-version.ts";
import { deliveryStorageSteps } from "./delivery-storage.ts";
import { endpointOf, failingFrom, forgetUnusedEndpoints, recordFailure, recordSuccess } from "./endpoint-health.ts";

export type DeliveryLedger = {
  /**
   * Adds the deliveries of new events, and restarts the deliveries that the operator asked to send again. Other
   * deliveries stay unchanged.
   */
  add(events: PendingWebhook[], nowMs: number): void;
  /**
   * Selects the delivery that has been due for the longest time, marks it as `sending` and returns it. Returns null
   * when none is due. Leaves out deliveries to a failing endpoint that has an attempt in flight.
   */
  startNext(nowMs: number): DueDelivery | null;
  /** Stores the new state of the delivery after an attempt. */
  recordAttempt(sent: DueDelivery, delivery: Delivery, nowMs: number): void;
  /** Makes the delivery due again at `dueAt`, because a fault on our side prevented the attempt. */
  postpone(sent: DueDelivery, dueAt: number): void;
  /** Makes all `sending` deliveries due again. Call this after a restart, when no attempt is in flight. */
  resetInterrupted(nowMs: number): void;
  /** Returns up to `limit` deliveries whose state is not in D1 yet. Deliveries in flight are left out. */
  unreported(limit: number): AccountReport[];
  /** Records that D1 has these states. A delivery that has changed in the meantime stays unreported. */
  markReported(reports: AccountReport[]): void;
  /** Returns the time at which the alarm next has work to do, in ms since the epoch, or null when there is no work. */
  nextDue(): number | null;
  /**
   * Deletes reported deliveries one day after they ended, because by then no queue message can refer to them. Also
   * deletes the failure counts of endpoints without deliveries.
   */
  sweep(nowMs: number): void;
};

export type DueDelivery = {
  event: Pick<WebhookEvent, "id" | "accountId" | "url" | "payload">;
  endpoint: string;
  delivery: Delivery;
};
export type AccountReport = DeliveryReport & { accountId: string };

const retentionMs = 24 * 3_600_000;
/**
 * This lease is longer than any attempt takes. If a delivery is still `sending` when the lease expires, a restart has
 * interrupted the attempt.
 */
const sendingLeaseMs = 45_000;

type Row = {
  event_id: string;
  account_id: string;
  url: string;
  payload: string;
  endpoint: string;
  /** JSON of `Delivery`. */
  delivery: string;
};

export function deliveryLedger(storage: DurableObjectStorage): DeliveryLedger {
  upgradeStorage(storage, deliveryStorageSteps);
  const { sql } = storage;
  return {
    add: (events, nowMs) =>
      storage.transactionSync(() => {
        for (const event of events) addDelivery(sql, event, nowMs);
      }),
    startNext: (nowMs) => storage.transactionSync(() => startNext(sql, nowMs)),
    recordAttempt: (sent, delivery, nowMs) => storage.transactionSync(() => recordAttempt(sql, sent, delivery, nowMs)),
    postpone: ({ event }, dueAt) => void sql.exec(updateDue, dueAt, event.id),
    resetInterrupted: (nowMs) => resetInterrupted(sql, nowMs),
    unreported: (limit) => unreported(sql, limit),
    markReported: (reports) =>
      storage.transactionSync(() => {
        for (const report of reports) markReported(sql, report);
      }),
    nextDue: () => sql.exec<{ due: number | null }>(selectNextDue).one().due,
    sweep: (nowMs) => storage.transactionSync(() => sweep(sql, nowMs)),
  };
}

const upsertDelivery = `
  INSERT INTO deliveries (event_id, account_id, url, payload, endpoint, state, due, round, delivery)
  VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
  ON CONFLICT (event_id) DO UPDATE SET payload = excluded.payload, state = 'waiting', due = excluded.due,
    round = excluded.round, delivery = excluded.delivery, is_reported = 0
  WHERE excluded.round > round AND state <> 'sending'`;

function addDelivery(sql: SqlStorage, event: PendingWebhook, nowMs: number): void {
  const { id, accountId, url, payload, delivery } = event;
  const due = delivery.nextAttemptAt ?? nowMs;
  const values = [id, accountId, url, payload, endpointOf(url), due, delivery.round, JSON.stringify(delivery)];
  sql.exec(upsertDelivery, ...values);
}

const selectDue = `
  SELECT * FROM deliveries WHERE state = 'waiting' AND due <= ? AND endpoint NOT IN (
    SELECT endpoint FROM failing_endpoints JOIN deliveries USING (endpoint)
    WHERE failures >= ${failingFrom} AND state = 'sending')
  ORDER BY due LIMIT 1`;

function startNext(sql: SqlStorage, nowMs: number): DueDelivery | null {
  const [row] = sql.exec<Row>(selectDue, nowMs).toArray();
  if (!row) return null;
  const { event_id: id, account_id: accountId, url, payload, endpoint } = row;
  sql.exec("UPDATE deliveries SET state = 'sending', due = ? WHERE event_id = ?", nowMs + sendingLeaseMs, id);
  return { event: { id, accountId, url, payload }, endpoint, delivery: JSON.parse(row.delivery) as Delivery };
}

const updateDue = "UPDATE deliveries SET state = 'waiting', due = ? WHERE event_id = ?";
const updateDelivery =
  "UPDATE deliveries SET state = ?, due = ?, payload = ?, delivery = ?, is_reported = 0 WHERE event_id = ?";

function recordAttempt(sql: SqlStorage, sent: DueDelivery, delivery: Delivery, nowMs: number): void {
  const { event, endpoint } = sent;
  const { state, due, payload } =
    delivery.status === "pending"
      ? { state: "waiting", due: delivery.nextAttemptAt ?? nowMs, payload: event.payload }
      : { state: "done", due: nowMs + retentionMs, payload: "" };
  sql.exec(updateDelivery, state, due, payload, JSON.stringify(delivery), event.id);
  if (delivery.status === "delivered") recordSuccess(sql, endpoint);
  else recordFailure(sql, endpoint);
}

function resetInterrupted(sql: SqlStorage, nowMs: number): void {
  sql.exec("UPDATE deliveries SET state = 'waiting', due = ? WHERE state = 'sending'", nowMs);
}

function unreported(sql: SqlStorage, limit: number): AccountReport[] {
  const select = "SELECT * FROM deliveries WHERE is_reported = 0 AND state <> 'sending' LIMIT ?";
  const rows = sql.exec<Row>(select, limit).toArray();
  return rows.map(({ event_id: eventId, account_id: accountId, delivery }) => {
    return { eventId, accountId, delivery: JSON.parse(delivery) as Delivery };
  });
}

function markReported(sql: SqlStorage, { eventId, delivery }: AccountReport): void {
  const update = "UPDATE deliveries SET is_reported = 1 WHERE event_id = ? AND delivery = ?";
  sql.exec(update, eventId, JSON.stringify(delivery));
}

const selectNextDue = "SELECT min(due) AS due FROM deliveries";

function sweep(sql: SqlStorage, nowMs: number): void {
  sql.exec("DELETE FROM deliveries WHERE state = 'done' AND due <= ? AND is_reported = 1", nowMs);
  forgetUnusedEndpoints(sql);
}
