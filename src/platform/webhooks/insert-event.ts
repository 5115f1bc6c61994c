// Stores the webhook event of a document with the document itself. Everything else that events need is in `webhook-store.ts`.
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { WebhookEvent } from "../../core/webhooks/webhook-event.ts";
import type { Database } from "../d1/d1-client.ts";
import { documents, webhookEvents } from "../d1/document-tables.ts";

/** The time from the creation of an event until it is due for the scheduled run, unless its sender has reported on it by then. */
const dispatchWithinMs = 10_000;

/**
 * Returns the statement that inserts a document's event, for the batch that inserts the document. The event is inserted
 * only if the document's row exists and has the outcome in the event; `matches` is the condition for that.
 */
export function insertEvent(db: Database, event: WebhookEvent, matches: SQL | undefined) {
  const values = Object.entries(eventRow(event)).map(([column, value]) => [column, sql`${value}`.as(column)]);
  const isStored = and(eq(documents.id, event.documentId), matches);
  const fromDocument = db
    .select(Object.fromEntries(values) as EventColumns)
    .from(documents)
    .where(isStored);
  return db.insert(webhookEvents).select(fromDocument).onConflictDoNothing();
}

/** Returns the row of an event that has not been attempted. */
export function eventRow(event: WebhookEvent): EventRow {
  const { createdAt } = event;
  return {
    ...event,
    status: "pending",
    round: 0,
    attempts: 0,
    nextAttemptAt: createdAt,
    history: "[]",
    dispatchAt: createdAt + dispatchWithinMs,
    earlierAttempts: 0,
  };
}

/** The values of an `INSERT … SELECT`, one for every column. */
type EventColumns = { [Column in keyof EventRow]: SQL.Aliased };

export type EventRow = typeof webhookEvents.$inferSelect;
