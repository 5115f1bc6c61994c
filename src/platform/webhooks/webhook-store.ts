// The outbox in D1. Rows are written with their document (see `document-store.ts`) and updated by the account's sender alone,
// but for the operator's `redeliver`, which begins a new round.
import { and, asc, desc, eq, inArray, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { DeliveryAttempt, Delivery } from "../../core/webhooks/delivery.ts";
import { eventIdsByAccount, type WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import type { WebhookStore } from "../../ports.ts";
import type { PendingWebhook } from "../../core/webhooks/webhook-event.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { webhookEvents, documents } from "../d1/schema.ts";

/** An event that is not in its sender's keeping after so long is brought there by the sweep, ms. */
const dispatchWithinMs = 10_000;

/**
 * The event of a document, as a statement of the batch that inserts the document: it takes effect only if the document's
 * row `isThere`, with the content that the event tells of.
 */
export function insertEvent(
  db: Database,
  { id, accountId, documentId, url, payload, createdAt }: WebhookEvent,
  isThere: SQL | undefined,
) {
  const row: typeof webhookEvents.$inferSelect = {
    ...{ id, accountId, documentId, url, payload, createdAt },
    ...{ status: "pending", round: 0, attempts: 0, nextAttemptAt: createdAt, history: "[]" },
    dispatchAt: createdAt + dispatchWithinMs,
  };
  const values = Object.entries(row).map(([column, value]) => [column, sql`${value}`.as(column)]);
  const fromItsDocument = db
    .select(Object.fromEntries(values) as EventColumns)
    .from(documents)
    .where(and(eq(documents.id, documentId), isThere));
  return db.insert(webhookEvents).select(fromItsDocument).onConflictDoNothing();
}

/** What an `INSERT … SELECT` gives: a value for every column. */
type EventColumns = { [Column in keyof typeof webhookEvents.$inferSelect]: SQL.Aliased };

export function webhookStore(d1: D1Client): WebhookStore {
  return {
    async pending(accountId, eventIds) {
      const mine = and(eq(webhookEvents.accountId, accountId), oneOf(eventIds), eq(webhookEvents.status, "pending"));
      const rows = await d1.run((db) => db.select().from(webhookEvents).where(mine).all());
      return rows.map((row) => ({ ...fromRow(row), payload: row.payload }));
    },
    async report(accountId, reports) {
      const [first, ...rest] = reports;
      if (!first) return;
      await d1.run((db) => {
        const update = ({ eventId, delivery }: typeof first) => {
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
        };
        return db.batch([update(first), ...rest.map(update)]);
      });
    },
    async overdue(nowMs, limit) {
      const columns = { eventId: webhookEvents.id, accountId: webhookEvents.accountId };
      const rows = await d1.run((db) =>
        db
          .select(columns)
          .from(webhookEvents)
          .where(lte(webhookEvents.dispatchAt, nowMs))
          .orderBy(asc(webhookEvents.dispatchAt))
          .limit(limit)
          .all(),
      );
      return eventIdsByAccount(rows);
    },
    async putOff(accountId, eventIds, until) {
      const waiting = and(eq(webhookEvents.accountId, accountId), oneOf(eventIds), isNotNull(webhookEvents.dispatchAt));
      await d1.run((db) => db.update(webhookEvents).set({ dispatchAt: until }).where(waiting).run());
    },
    async list(accountId, status) {
      const { payload: _, ...columns } = columnsOf();
      const selected = and(
        eq(webhookEvents.accountId, accountId),
        ...(status ? [eq(webhookEvents.status, status)] : []),
      );
      const rows = await d1.run((db) =>
        db
          .select(columns)
          .from(webhookEvents)
          .where(selected)
          .orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.id))
          .all(),
      );
      return rows.map(fromRow);
    },
    async redeliver(eventId, nowMs) {
      return d1.run(async (db) => {
        const again = {
          status: "pending" as const,
          round: sql`${webhookEvents.round} + 1`,
          attempts: 0,
          nextAttemptAt: nowMs,
          dispatchAt: nowMs,
        };
        const rows = await db
          .update(webhookEvents)
          .set(again)
          .where(eq(webhookEvents.id, eventId))
          .returning({ id: webhookEvents.id })
          .all();
        return rows.length > 0;
      });
    },
  };
}

/** As one parameter: D1 binds at most a hundred. */
function oneOf(eventIds: string[]) {
  return inArray(webhookEvents.id, sql`(SELECT value FROM json_each(${JSON.stringify(eventIds)}))`);
}

function columnsOf() {
  const { id, accountId, documentId, url, payload, createdAt } = webhookEvents;
  const { status, round, attempts, nextAttemptAt, history } = webhookEvents;
  return { id, accountId, documentId, url, payload, createdAt, status, round, attempts, nextAttemptAt, history };
}

type Row = typeof webhookEvents.$inferSelect;

function fromRow(row: Omit<Row, "payload" | "dispatchAt">): Omit<PendingWebhook, "payload"> {
  const { id, accountId, documentId, url, createdAt, status, round, attempts, nextAttemptAt } = row;
  const history = JSON.parse(row.history) as DeliveryAttempt[];
  const delivery: Delivery = { status, round, attempts, nextAttemptAt, history };
  return { id, accountId, documentId, url, createdAt, delivery };
}
