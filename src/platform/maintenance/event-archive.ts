// Webhook events of all accounts in D1, for maintenance.
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { EventArchive } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { webhookEvents } from "../d1/schema.ts";
import { fromRow } from "../webhooks/webhook-store.ts";

const { id, accountId, createdAt, status } = webhookEvents;
const rowId = sql<number>`rowid`;

export function eventArchive(d1: D1Client): EventArchive {
  return {
    async ended(beforeMs, after, limit) {
      const columns = { rowId, id, accountId, createdAt, status };
      const rows = await d1.run((db) =>
        db.select(columns).from(webhookEvents).where(gt(rowId, after)).orderBy(asc(rowId)).limit(limit).all(),
      );
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        events: rows.filter((row) => row.createdAt < beforeMs && row.status !== "pending"),
        next: last && last.createdAt < beforeMs ? last.rowId : null,
      };
    },
    async ofAccount(account, after, limit) {
      const wanted = and(eq(accountId, account), gt(id, after));
      const rows = await d1.run((db) =>
        db.select().from(webhookEvents).where(wanted).orderBy(asc(id)).limit(limit).all(),
      );
      return rows.map((row) => ({ ...fromRow(row), payload: row.payload }));
    },
    async remove(events) {
      // All keys are bound as one parameter, because D1 allows at most 100.
      const keys = JSON.stringify(events.map((event) => [event.accountId, event.id]));
      const isOne = sql`(${accountId}, ${id}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`;
      await d1.run((db) => db.delete(webhookEvents).where(isOne).run());
    },
  };
}
