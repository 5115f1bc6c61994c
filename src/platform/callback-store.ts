// The outbox in D1. Rows are written with their document (see `document-store.ts`) and updated by the account's sender alone,
// but for the operator's `redeliver`, which begins a new round.
import { and, asc, desc, eq, inArray, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { CallbackAttempt, CallbackEvent, Delivery } from "../core/callback.ts";
import type { CallbackStore, PendingCallback } from "../ports.ts";
import type { D1Client, Database } from "./d1-client.ts";
import { callbackEvents, documents } from "./schema.ts";

/** An event that is not in its sender's keeping after so long is brought there by the sweep, ms. */
const handOverWithinMs = 10_000;

/**
 * The event of a document, as a statement of the batch that inserts the document: it takes effect only if the document's
 * row `isThere`, with the content that the event tells of.
 */
export function insertEvent(
  db: Database,
  { id, accountId, documentId, url, payload, createdAt }: CallbackEvent,
  isThere: SQL | undefined,
) {
  const row: typeof callbackEvents.$inferSelect = {
    ...{ id, accountId, documentId, url, payload, createdAt },
    ...{ status: "pending", round: 0, attempts: 0, nextAttemptAt: createdAt, history: "[]" },
    handOverAt: createdAt + handOverWithinMs,
  };
  const values = Object.entries(row).map(([column, value]) => [column, sql`${value}`.as(column)]);
  const fromItsDocument = db
    .select(Object.fromEntries(values) as EventColumns)
    .from(documents)
    .where(and(eq(documents.id, documentId), isThere));
  return db.insert(callbackEvents).select(fromItsDocument).onConflictDoNothing();
}

/** What an `INSERT … SELECT` gives: a value for every column. */
type EventColumns = { [Column in keyof typeof callbackEvents.$inferSelect]: SQL.Aliased };

export function callbackStore(d1: D1Client): CallbackStore {
  return {
    async pending(accountId, eventIds) {
      const mine = and(eq(callbackEvents.accountId, accountId), oneOf(eventIds), eq(callbackEvents.status, "pending"));
      const rows = await d1.run((db) => db.select().from(callbackEvents).where(mine).all());
      return rows.map((row) => ({ ...fromRow(row), payload: row.payload }));
    },
    async report(accountId, reports) {
      const [first, ...rest] = reports;
      if (!first) return;
      await d1.run((db) => {
        const update = ({ eventId, delivery }: typeof first) => {
          const { history, round, ...state } = delivery;
          const sameRound = and(
            eq(callbackEvents.accountId, accountId),
            eq(callbackEvents.id, eventId),
            eq(callbackEvents.round, round),
          );
          return db
            .update(callbackEvents)
            .set({ ...state, history: JSON.stringify(history), handOverAt: null })
            .where(sameRound);
        };
        return db.batch([update(first), ...rest.map(update)]);
      });
    },
    async overdue(nowMs, limit) {
      const columns = { id: callbackEvents.id, accountId: callbackEvents.accountId };
      const rows = await d1.run((db) =>
        db
          .select(columns)
          .from(callbackEvents)
          .where(lte(callbackEvents.handOverAt, nowMs))
          .orderBy(asc(callbackEvents.handOverAt))
          .limit(limit)
          .all(),
      );
      const byAccount = new Map<string, string[]>();
      for (const { id, accountId } of rows) byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), id]);
      return byAccount;
    },
    async putOff(accountId, eventIds, until) {
      const waiting = and(
        eq(callbackEvents.accountId, accountId),
        oneOf(eventIds),
        isNotNull(callbackEvents.handOverAt),
      );
      await d1.run((db) => db.update(callbackEvents).set({ handOverAt: until }).where(waiting).run());
    },
    async list(accountId, status) {
      const { payload: _, ...columns } = columnsOf();
      const selected = and(
        eq(callbackEvents.accountId, accountId),
        ...(status ? [eq(callbackEvents.status, status)] : []),
      );
      const rows = await d1.run((db) =>
        db
          .select(columns)
          .from(callbackEvents)
          .where(selected)
          .orderBy(desc(callbackEvents.createdAt), desc(callbackEvents.id))
          .all(),
      );
      return rows.map(fromRow);
    },
    async redeliver(eventId, nowMs) {
      return d1.run(async (db) => {
        const again = {
          status: "pending" as const,
          round: sql`${callbackEvents.round} + 1`,
          attempts: 0,
          nextAttemptAt: nowMs,
          handOverAt: nowMs,
        };
        const rows = await db
          .update(callbackEvents)
          .set(again)
          .where(eq(callbackEvents.id, eventId))
          .returning({ id: callbackEvents.id })
          .all();
        return rows.length > 0;
      });
    },
  };
}

/** As one parameter: D1 binds at most a hundred. */
function oneOf(eventIds: string[]) {
  return inArray(callbackEvents.id, sql`(SELECT value FROM json_each(${JSON.stringify(eventIds)}))`);
}

function columnsOf() {
  const { id, accountId, documentId, url, payload, createdAt } = callbackEvents;
  const { status, round, attempts, nextAttemptAt, history } = callbackEvents;
  return { id, accountId, documentId, url, payload, createdAt, status, round, attempts, nextAttemptAt, history };
}

type Row = typeof callbackEvents.$inferSelect;

function fromRow(row: Omit<Row, "payload" | "handOverAt">): Omit<PendingCallback, "payload"> {
  const { id, accountId, documentId, url, createdAt, status, round, attempts, nextAttemptAt } = row;
  const history = JSON.parse(row.history) as CallbackAttempt[];
  const delivery: Delivery = { status, round, attempts, nextAttemptAt, history };
  return { id, accountId, documentId, url, createdAt, delivery };
}
