// Webhook events of all accounts in D1, for maintenance.
import { and, asc, eq, inArray, lt, sql } from "drizzle-orm";
import type { EventArchive, TimePosition } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { webhookEvents } from "../d1/schema.ts";
import { fromRow } from "../webhooks/webhook-store.ts";

const { id, accountId, createdAt } = webhookEvents;

export function eventArchive(d1: D1Client): EventArchive {
  return {
    async ended(beforeMs, after, limit) {
      // The status is written into the statement, because SQLite uses the index of ended events only then.
      const wanted = and(sql`status <> 'pending'`, lt(createdAt, beforeMs), isAfter(after));
      return d1.run((db) =>
        db
          .select({ id, accountId, createdAt })
          .from(webhookEvents)
          .where(wanted)
          .orderBy(asc(createdAt), asc(id))
          .limit(limit)
          .all(),
      );
    },
    async ofAccount(account, after, limit) {
      const wanted = and(eq(accountId, account), isAfter(after));
      const rows = await d1.run((db) =>
        db.select().from(webhookEvents).where(wanted).orderBy(asc(createdAt), asc(id)).limit(limit).all(),
      );
      return rows.map((row) => ({ ...fromRow(row), payload: row.payload }));
    },
    async remove(ids) {
      // All ids are bound as one parameter, because D1 allows at most 100.
      const isOne = inArray(id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
      await d1.run((db) => db.delete(webhookEvents).where(isOne).run());
    },
  };
}

function isAfter(after: TimePosition | null) {
  return after ? sql`(${createdAt}, ${id}) > (${after.at}, ${after.id})` : undefined;
}
