// The outbox in D1. An event is inserted together with its document. After that, the account's sender updates the state of the delivery, and the operator may start a new round of attempts.
import { and, eq, gte, sql, type SQL } from "drizzle-orm";
import { readHistory, type Delivery } from "../../core/webhooks/delivery.ts";
import type { DeliveryReport, WebhookSummary } from "../../core/webhooks/webhook-event.ts";
import type { AuditEvent } from "../../ports/accounts.ts";
import type { WebhookStore } from "../../ports/webhooks.ts";
import { recordAudit } from "../d1/audit-log.ts";
import { isOneOf, type Database } from "../d1/d1-client.ts";
import type { Databases } from "../d1/databases.ts";
import { webhookEvents } from "../d1/document-tables.ts";
import { readPage } from "../d1/read-page.ts";
import { eventRow, type EventRow } from "./insert-event.ts";

export function webhookStore(databases: Pick<Databases, "directory" | "of">): WebhookStore {
  return {
    async insert(event) {
      const d1 = await databases.of(event.accountId);
      await d1.run((db) => db.insert(webhookEvents).values(eventRow(event)).onConflictDoNothing().run());
    },
    async pending(accountId, eventIds) {
      const isWanted = and(
        eq(webhookEvents.accountId, accountId),
        isOneOf(webhookEvents.id, eventIds),
        eq(webhookEvents.status, "pending"),
      );
      const d1 = await databases.of(accountId);
      const rows = await d1.run((db) => db.select().from(webhookEvents).where(isWanted).all());
      return rows.map(({ payload, ...row }) => {
        const { earlierAttempts: _, ...event } = fromRow(row);
        return { ...event, payload };
      });
    },
    async report(accountId, reports) {
      const [first, ...rest] = reports;
      if (!first) return;
      const d1 = await databases.of(accountId);
      await d1.run((db) => {
        return db.batch([
          updateDelivery(db, accountId, first),
          ...rest.map((report) => updateDelivery(db, accountId, report)),
        ]);
      });
    },
    async list(accountId, { status, documentId }, page) {
      const isWanted = and(
        eq(webhookEvents.accountId, accountId),
        status && eq(webhookEvents.status, status),
        documentId === undefined ? undefined : eq(webhookEvents.documentId, documentId),
      );
      const { items, ...listed } = await readPage(await databases.of(accountId), webhookEvents, isWanted, page);
      return { ...listed, items: items.map(fromRow) };
    },
    async find(accountId, eventId) {
      const isWanted = and(eq(webhookEvents.accountId, accountId), eq(webhookEvents.id, eventId));
      const d1 = await databases.of(accountId);
      const row = await d1.run((db) => db.select().from(webhookEvents).where(isWanted).get());
      return row ? { ...fromRow(row), payload: row.payload } : null;
    },
    redeliver: (eventId, audit) => startRounds(databases, eq(webhookEvents.id, eventId), audit),
    redeliverDead: (sinceMs, audit) =>
      startRounds(databases, and(eq(webhookEvents.status, "dead"), gte(webhookEvents.createdAt, sinceMs)), audit),
  };
}

/**
 * Returns the statement that stores a report. The statement changes nothing if the operator has started a new round in
 * the meantime.
 */
function updateDelivery(db: Database, accountId: string, { eventId, delivery }: DeliveryReport) {
  const { history, round, ...state } = delivery;
  const { accountId: owner, id, round: storedRound } = webhookEvents;
  const isSameRound = and(eq(owner, accountId), eq(id, eventId), eq(storedRound, round));
  const reported = { ...state, history: JSON.stringify(history), dispatchAt: null };
  return db.update(webhookEvents).set(reported).where(isSameRound);
}

/**
 * Starts a new round of attempts for the account's matching events, and returns their ids. The caller's action is recorded first, so that
 * every round has its audit event. If the request dies, or the shard fails, between the two writes, there is an audit event without a
 * round.
 */
async function startRounds(
  databases: Pick<Databases, "directory" | "of">,
  which: SQL | undefined,
  audit: AuditEvent,
): Promise<string[]> {
  const { accountId, createdAt: nowMs } = audit;
  const { id, round, attempts, earlierAttempts, dispatchAt } = webhookEvents;
  const begun = {
    status: "pending" as const,
    round: sql`${round} + 1`,
    attempts: 0,
    earlierAttempts: sql`${earlierAttempts} + ${attempts}`,
    nextAttemptAt: nowMs,
    dispatchAt: nowMs,
  };
  const ofAccount = eq(webhookEvents.accountId, accountId);
  // This includes rows inserted by an earlier try whose response was lost.
  const hasBegun = and(ofAccount, eq(dispatchAt, nowMs));
  const d1 = await databases.of(accountId);
  // If the shard is down, this read fails before anything is recorded.
  await d1.run((db) => db.select({ id }).from(webhookEvents).where(ofAccount).limit(1).all());
  await databases.directory.run((db) => db.batch(recordAudit(db, audit)));
  const [, rows] = await d1.run((db) =>
    db.batch([
      db.update(webhookEvents).set(begun).where(and(ofAccount, which)),
      db.select({ id }).from(webhookEvents).where(hasBegun),
    ]),
  );
  return rows.map((row) => row.id);
}

/** Returns the event of a row, without its payload. */
export function fromRow(row: Omit<EventRow, "payload" | "dispatchAt">): WebhookSummary {
  const { id, accountId, documentId, url, createdAt, status, round, attempts, earlierAttempts, nextAttemptAt } = row;
  const history = readHistory(row.history, createdAt);
  const delivery: Delivery = { status, round, attempts, nextAttemptAt, history };
  return { id, accountId, documentId, url, createdAt, earlierAttempts, delivery };
}
