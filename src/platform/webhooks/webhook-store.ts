// The outbox in D1. An event is inserted together with its document (see `document-store.ts`). After that, the
// account's sender updates the state of the delivery, and the operator may start a new round of attempts.
import { and, asc, desc, eq, getTableColumns, inArray, lte, sql, type SQL } from "drizzle-orm";
import type { Delivery, DeliveryAttempt, WebhookStatus } from "../../core/webhooks/delivery.ts";
import {
  eventIdsByAccount,
  type DeliveryReport,
  type PendingWebhook,
  type WebhookEvent,
} from "../../core/webhooks/webhook-event.ts";
import type { WebhookStore } from "../../ports/webhooks.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { documents } from "../d1/document-tables.ts";
import { isOneOf } from "../d1/is-one-of.ts";
import { accounts, webhookEvents } from "../d1/schema.ts";

/**
 * The time from the creation of an event until it is due for the scheduled run. An event is not due if its sender has
 * reported on it by then.
 */
const dispatchWithinMs = 10_000;

/**
 * Returns the statement that inserts a document's event, for the batch that inserts the document. The event is inserted
 * only if the document's row exists and has the outcome that the event reports. `matches` is the condition for that
 * outcome.
 */
export function insertEvent(db: Database, event: WebhookEvent, matches: SQL | undefined) {
  const values = Object.entries(toRow(event)).map(([column, value]) => [column, sql`${value}`.as(column)]);
  const fromDocument = db
    .select(Object.fromEntries(values) as EventColumns)
    .from(documents)
    .where(and(eq(documents.id, event.documentId), matches));
  return db.insert(webhookEvents).select(fromDocument).onConflictDoNothing();
}

function toRow(event: WebhookEvent): Row {
  const { createdAt } = event;
  return {
    ...event,
    status: "pending",
    round: 0,
    attempts: 0,
    nextAttemptAt: createdAt,
    history: "[]",
    dispatchAt: createdAt + dispatchWithinMs,
  };
}

/** The values that an `INSERT … SELECT` inserts, one for every column. */
type EventColumns = { [Column in keyof typeof webhookEvents.$inferSelect]: SQL.Aliased };

export function webhookStore(d1: D1Client): WebhookStore {
  return {
    async insert(event) {
      await d1.run((db) => db.insert(webhookEvents).values(toRow(event)).onConflictDoNothing().run());
    },
    async pending(accountId, eventIds) {
      const mine = and(
        eq(webhookEvents.accountId, accountId),
        isOneOf(webhookEvents.id, eventIds),
        eq(webhookEvents.status, "pending"),
      );
      const rows = await d1.run((db) => db.select().from(webhookEvents).where(mine).all());
      return rows.map((row) => ({ ...fromRow(row), payload: row.payload }));
    },
    async report(accountId, reports) {
      const [first, ...rest] = reports;
      if (!first) return;
      await d1.run((db) => {
        return db.batch([
          updateDelivery(db, accountId, first),
          ...rest.map((report) => updateDelivery(db, accountId, report)),
        ]);
      });
    },
    async overdue(nowMs, limit) {
      return eventIdsByAccount(await d1.run((db) => selectOverdue(db, nowMs, limit)));
    },
    async list(accountId, status) {
      const rows = await d1.run((db) => selectList(db, accountId, status));
      return rows.map(fromRow);
    },
    redeliver: (eventId, nowMs) => d1.run((db) => startRound(db, eventId, nowMs)),
  };
}

/**
 * Returns the statement that stores a report. The statement changes nothing if the operator has started a new round in
 * the meantime.
 */
function updateDelivery(db: Database, accountId: string, { eventId, delivery }: DeliveryReport) {
  const { history, round, ...state } = delivery;
  const sameRound = and(
    eq(webhookEvents.accountId, accountId),
    eq(webhookEvents.id, eventId),
    eq(webhookEvents.round, round),
  );
  return db
    .update(webhookEvents)
    .set({ ...state, history: JSON.stringify(history), dispatchAt: null })
    .where(sameRound);
}

function selectOverdue(db: Database, nowMs: number, limit: number) {
  return db
    .select({ eventId: webhookEvents.id, accountId: webhookEvents.accountId })
    .from(webhookEvents)
    .where(lte(webhookEvents.dispatchAt, nowMs))
    .orderBy(asc(webhookEvents.dispatchAt))
    .limit(limit)
    .all();
}

/** The newest events that a list shows. A response of D1 has a limit, and an account may have 100,000 events. */
const maxListed = 1_000;

function selectList(db: Database, accountId: string, status: WebhookStatus | undefined) {
  const { payload: _, dispatchAt: __, ...columns } = getTableColumns(webhookEvents);
  return db
    .select(columns)
    .from(webhookEvents)
    .where(and(eq(webhookEvents.accountId, accountId), status && eq(webhookEvents.status, status)))
    .orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.id))
    .limit(maxListed)
    .all();
}

async function startRound(db: Database, eventId: string, nowMs: number): Promise<boolean> {
  const round = sql`${webhookEvents.round} + 1`;
  // The key begins with the account, so one look-up for each account replaces a scan of all events.
  const everyAccount = db.select({ id: accounts.id }).from(accounts);
  const rows = await db
    .update(webhookEvents)
    .set({ status: "pending", round, attempts: 0, nextAttemptAt: nowMs, dispatchAt: nowMs })
    .where(and(inArray(webhookEvents.accountId, everyAccount), eq(webhookEvents.id, eventId)))
    .returning({ id: webhookEvents.id })
    .all();
  return rows.length > 0;
}

type Row = typeof webhookEvents.$inferSelect;

/** Returns the event of a row, without its payload. */
export function fromRow(row: Omit<Row, "payload" | "dispatchAt">): Omit<PendingWebhook, "payload"> {
  const { id, accountId, documentId, url, createdAt, status, round, attempts, nextAttemptAt } = row;
  const history = JSON.parse(row.history) as DeliveryAttempt[];
  const delivery: Delivery = { status, round, attempts, nextAttemptAt, history };
  return { id, accountId, documentId, url, createdAt, delivery };
}
