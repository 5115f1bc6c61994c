// Counts the documents that an account has by day and template.
import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { UsageDays } from "../../ports/documents.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { documents } from "../d1/document-tables.ts";

export function usageDays(d1: D1Client): UsageDays {
  return (accountId, from, until) => {
    const { createdAt, templateId, status } = documents;
    const day = sql<string>`date(${createdAt} / 1000, 'unixepoch')`;
    const completed = sql<number>`sum(${status} = 'completed')`;
    const failed = sql<number>`sum(${status} = 'failed')`;
    const inRange = and(eq(documents.accountId, accountId), gte(createdAt, from), lt(createdAt, until));
    return d1.run((db) =>
      db
        .select({ day, templateId, completed, failed })
        .from(documents)
        .where(inRange)
        .groupBy(day, templateId)
        .orderBy(desc(day), templateId)
        .all(),
    );
  };
}
