// Finds out to which account something belongs, for the operator, who may know only an id.
import { sql } from "drizzle-orm";
import type { Owner, Owners } from "../../ports/accounts.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { documents } from "../d1/document-tables.ts";
import { accounts, apiKeys, templates, webhookEvents } from "../d1/schema.ts";

export function owners(d1: D1Client): Owners {
  // The key of events begins with the account, so one look-up for each account replaces a scan of all events.
  const everyAccount = sql`SELECT id FROM ${accounts} UNION ALL SELECT id || '-test' FROM ${accounts}`;
  return (id) =>
    d1.run((db) =>
      db.all<Owner>(sql`
        SELECT 'account' AS kind, id AS accountId FROM ${accounts} WHERE id = ${id}
        UNION ALL SELECT 'document', account_id FROM ${documents} WHERE id = ${id}
        UNION ALL SELECT 'template', account_id FROM ${templates} WHERE id = ${id}
        UNION ALL SELECT 'key', account_id FROM ${apiKeys} WHERE id = ${id}
        UNION ALL SELECT 'webhook', account_id FROM ${webhookEvents} WHERE id = ${id} AND account_id IN (${everyAccount})`),
    );
}
