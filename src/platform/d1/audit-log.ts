// Records who changed what in an account, by live or test keys. Stores write an event in the same D1 batch as the change, so that
// neither exists without the other.
import { and, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import { liveAccountId } from "../../core/accounts/account.ts";
import { auditRetentionMs, type AuditEvent, type AuditLog } from "../../ports/accounts.ts";
import type { D1Client, Database } from "./d1-client.ts";
import { readPage } from "./read-page.ts";
import { auditEvents } from "./schema.ts";

export function auditLog(d1: D1Client): AuditLog {
  return {
    list(accountId, page, nowMs) {
      const isKept = gte(auditEvents.createdAt, nowMs - auditRetentionMs);
      return readPage(d1, auditEvents, and(eq(auditEvents.accountId, liveAccountId(accountId)), isKept), page);
    },
  };
}

/**
 * Returns the statements that record the event and remove the account's expired events. If `made` is given, the event is recorded
 * only if that condition holds, because a concurrent change may have won.
 */
export function recordAudit(db: Database, event: AuditEvent, made?: SQL) {
  const { id, createdAt, actor, action, subject } = event;
  const accountId = liveAccountId(event.accountId);
  const isOld = and(eq(auditEvents.accountId, accountId), lt(auditEvents.createdAt, createdAt - auditRetentionMs));
  const values = sql`${id}, ${accountId}, ${createdAt}, ${actor}, ${action}, ${subject}`;
  const record = db.insert(auditEvents).select(sql`SELECT ${values} WHERE ${made ?? sql`true`}`);
  return [record.onConflictDoNothing(), db.delete(auditEvents).where(isOld)] as const;
}
