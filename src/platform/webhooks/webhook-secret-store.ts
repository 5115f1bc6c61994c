// Webhook secrets in D1. They are read for every attempt and never cached, so that a rotation takes effect at once.
import { and, desc, eq, gt, isNull, notExists, or, sql } from "drizzle-orm";
import type { WebhookSecretStore } from "../../ports/webhooks.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { webhookSecrets } from "../d1/schema.ts";

export function webhookSecretStore(d1: D1Client): WebhookSecretStore {
  return {
    async valid(accountId, nowMs) {
      const isValid = or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, nowMs));
      const rows = await d1.run((db) =>
        db
          .select({ secret: webhookSecrets.secret })
          .from(webhookSecrets)
          .where(and(eq(webhookSecrets.accountId, accountId), isValid))
          .orderBy(desc(webhookSecrets.createdAt), desc(sql`rowid`))
          .all(),
      );
      return rows.map(({ secret }) => secret);
    },
    async rotate(accountId, secret, { nowMs, overlapEnd }) {
      const mine = eq(webhookSecrets.accountId, accountId);
      await d1.run((db) => {
        // A retried rotation finds its own secret already stored and changes nothing.
        const isNew = notExists(
          db
            .select({ found: sql`1` })
            .from(sql`${webhookSecrets} AS known`)
            .where(sql`known.account_id = ${accountId} AND known.secret = ${secret}`),
        );
        return db.batch([
          db
            .update(webhookSecrets)
            .set({ expiresAt: nowMs })
            .where(and(mine, gt(webhookSecrets.expiresAt, nowMs), isNew)),
          db
            .update(webhookSecrets)
            .set({ expiresAt: overlapEnd })
            .where(and(mine, isNull(webhookSecrets.expiresAt), isNew)),
          db.insert(webhookSecrets).values({ accountId, secret, createdAt: nowMs }).onConflictDoNothing(),
        ]);
      });
    },
  };
}
