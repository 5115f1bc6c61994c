// What one account's sender keeps, in its Durable Object's SQLite: deliveries, when each is due, and which endpoints fail.
// For everybody else D1 is the truth; here it may be one step ahead, and `unreported` says by what.
import type { WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import type { Delivery } from "../../core/webhooks/delivery.ts";
import type { DeliveryReport, PendingWebhook } from "../../core/webhooks/webhook-event.ts";

export type DeliveryLedger = {
  /** Takes into keeping what is not there yet: new events, and those that the operator sent again. */
  take(events: PendingWebhook[], nowMs: number): void;
  /**
   * The delivery that has been due longest becomes `sending`. An endpoint that keeps failing gets one attempt at a time:
   * while one of it `isUnderWay`, its others are parked. Null when nothing is due.
   */
  next(nowMs: number, isUnderWay: (endpoint: string) => boolean): DueDelivery | null;
  /** Writes down what an attempt came to, and lets parked ones of the endpoint go on. */
  settle(sent: DueDelivery, delivery: Delivery, nowMs: number): void;
  /** For an attempt that could not be made for a reason of ours. */
  postpone(sent: DueDelivery, dueAt: number): void;
  /** After a restart nothing is under way, whatever was. */
  reviveAll(nowMs: number): void;
  /** Deliveries whose state D1 does not know, those under way left out. */
  unreported(limit: number): AccountReport[];
  reported(reports: AccountReport[]): void;
  /** When something is due next, ms since the epoch; null when nothing is kept. */
  nextDue(): number | null;
  /** Forgets deliveries that ended a day ago, when no message of theirs is under way any more, and endpoints without any. */
  sweep(nowMs: number): void;
};

export type DueDelivery = {
  event: Pick<WebhookEvent, "id" | "accountId" | "url" | "payload">;
  endpoint: string;
  delivery: Delivery;
};
export type AccountReport = DeliveryReport & { accountId: string };

const keptMs = 24 * 3_600_000;
/** An attempt is over by then, or its object was restarted. */
const sendingLeaseMs = 45_000;
/** From so many failures in a row on, an endpoint is tried one event at a time. */
const failingFrom = 3;

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
  const { sql } = storage;
  createTables(sql);

  const isFailing = (endpoint: string): boolean =>
    sql.exec("SELECT 1 FROM failing_endpoints WHERE endpoint = ? AND failures >= ?", endpoint, failingFrom).toArray()
      .length > 0;
  const firstDue = (nowMs: number): Row | undefined =>
    sql
      .exec<Row>("SELECT * FROM deliveries WHERE state = 'waiting' AND due <= ? ORDER BY due LIMIT 1", nowMs)
      .toArray()[0];
  const unpark = (endpoint: string, count: number): void => {
    sql.exec(
      `UPDATE deliveries SET state = 'waiting' WHERE event_id IN (
         SELECT event_id FROM deliveries WHERE endpoint = ? AND state = 'parked' ORDER BY due LIMIT ?)`,
      ...[endpoint, count],
    );
  };
  const noteSuccess = (endpoint: string): void => {
    sql.exec("DELETE FROM failing_endpoints WHERE endpoint = ?", endpoint);
    unpark(endpoint, -1);
  };
  const noteFailure = (endpoint: string): void => {
    sql.exec(
      `INSERT INTO failing_endpoints (endpoint, failures) VALUES (?, 1)
       ON CONFLICT (endpoint) DO UPDATE SET failures = failures + 1`,
      endpoint,
    );
    unpark(endpoint, 1);
  };

  return {
    take: (events, nowMs) =>
      storage.transactionSync(() => {
        for (const { id, accountId, url, payload, delivery } of events) {
          sql.exec(
            `INSERT INTO deliveries (event_id, account_id, url, payload, endpoint, state, due, round, delivery)
             VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
             ON CONFLICT (event_id) DO UPDATE SET payload = excluded.payload, state = 'waiting', due = excluded.due,
               round = excluded.round, delivery = excluded.delivery, is_reported = 0
             WHERE excluded.round > round AND state <> 'sending'`,
            ...[id, accountId, url, payload, endpointOf(url)],
            ...[delivery.nextAttemptAt ?? nowMs, delivery.round, JSON.stringify(delivery)],
          );
        }
      }),
    next: (nowMs, isUnderWay) =>
      storage.transactionSync(() => {
        for (let row = firstDue(nowMs); row; row = firstDue(nowMs)) {
          const { event_id: id, endpoint } = row;
          if (isUnderWay(endpoint) && isFailing(endpoint)) {
            sql.exec("UPDATE deliveries SET state = 'parked' WHERE event_id = ?", id);
            continue;
          }
          sql.exec("UPDATE deliveries SET state = 'sending', due = ? WHERE event_id = ?", nowMs + sendingLeaseMs, id);
          const event = { id, accountId: row.account_id, url: row.url, payload: row.payload };
          return { event, endpoint, delivery: JSON.parse(row.delivery) as Delivery };
        }
        return null;
      }),
    settle: ({ event, endpoint }, delivery, nowMs) =>
      storage.transactionSync(() => {
        const ended = { state: "done", due: nowMs + keptMs, payload: "" };
        const goesOn = { state: "waiting", due: delivery.nextAttemptAt ?? nowMs, payload: event.payload };
        const { state, due, payload } = delivery.status === "pending" ? goesOn : ended;
        sql.exec(
          "UPDATE deliveries SET state = ?, due = ?, payload = ?, delivery = ?, is_reported = 0 WHERE event_id = ?",
          ...[state, due, payload, JSON.stringify(delivery), event.id],
        );
        if (delivery.status === "delivered") noteSuccess(endpoint);
        else noteFailure(endpoint);
      }),
    postpone: ({ event, endpoint }, dueAt) =>
      storage.transactionSync(() => {
        sql.exec("UPDATE deliveries SET state = 'waiting', due = ? WHERE event_id = ?", dueAt, event.id);
        unpark(endpoint, 1);
      }),
    reviveAll: (nowMs) => {
      sql.exec(
        "UPDATE deliveries SET state = 'waiting', due = min(due, ?) WHERE state IN ('sending', 'parked')",
        nowMs,
      );
    },
    unreported: (limit) =>
      sql
        .exec<Row>("SELECT * FROM deliveries WHERE is_reported = 0 AND state <> 'sending' LIMIT ?", limit)
        .toArray()
        .map(({ event_id: eventId, account_id: accountId, delivery }) => ({
          ...{ eventId, accountId },
          delivery: JSON.parse(delivery) as Delivery,
        })),
    reported: (reports) =>
      storage.transactionSync(() => {
        for (const { eventId, delivery } of reports) {
          // What has changed since is still to be reported.
          sql.exec(
            "UPDATE deliveries SET is_reported = 1 WHERE event_id = ? AND delivery = ?",
            ...[eventId, JSON.stringify(delivery)],
          );
        }
      }),
    nextDue: () =>
      sql.exec<{ due: number | null }>("SELECT min(due) AS due FROM deliveries WHERE state <> 'parked'").one().due,
    sweep: (nowMs) => {
      sql.exec("DELETE FROM deliveries WHERE state = 'done' AND due <= ? AND is_reported = 1", nowMs);
      sql.exec("DELETE FROM failing_endpoints WHERE endpoint NOT IN (SELECT endpoint FROM deliveries)");
    },
  };
}

/** Events of one address share its health, whatever their query says. */
function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function createTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS deliveries (
      event_id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      url TEXT NOT NULL,
      payload TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'parked', 'sending', 'done')),
      due INTEGER NOT NULL,
      round INTEGER NOT NULL,
      delivery TEXT NOT NULL,
      is_reported INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS deliveries_by_due ON deliveries (state, due);
    CREATE INDEX IF NOT EXISTS deliveries_parked ON deliveries (endpoint, due) WHERE state = 'parked';
    CREATE INDEX IF NOT EXISTS deliveries_unreported ON deliveries (is_reported) WHERE is_reported = 0;
    CREATE TABLE IF NOT EXISTS failing_endpoints (endpoint TEXT PRIMARY KEY, failures INTEGER NOT NULL);
  `);
}
