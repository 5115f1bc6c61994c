// Webhook secrets in D1, encrypted. They are read for every attempt and never cached, so that a rotation takes effect immediately.
import { and, desc, eq, gt, isNull, lte, ne, notExists, or, sql } from "drizzle-orm";
import { sha256Hex } from "colophon-base/encoding";
import { CodedError } from "colophon-base/loggable-error";
import { liveAccountId } from "../../core/accounts/account.ts";
import type { SecretCipher } from "../../core/webhooks/secret-encryption.ts";
import type { WebhookSecretStore } from "../../ports/webhooks.ts";
import { recordAudit } from "../d1/audit-log.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { webhookSecrets } from "../d1/schema.ts";

type Row = typeof webhookSecrets.$inferSelect;

const rowId = sql`rowid`;
/** The number of secrets that one batch re-encrypts. */
const batchSize = 50;

export async function webhookSecretRow(
  cipher: SecretCipher,
  { accountId, secret, createdAt }: { accountId: string; secret: string; createdAt: number },
) {
  const [secretHash, encrypted] = await Promise.all([sha256Hex(secret), cipher.encrypt(accountId, secret)]);
  return { accountId, secretHash, ...encrypted, createdAt };
}

export function webhookSecretStore(d1: D1Client, cipher: SecretCipher): WebhookSecretStore {
  return {
    async valid(account, nowMs) {
      const accountId = liveAccountId(account);
      const isCurrent = or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, nowMs));
      const isValid = and(eq(webhookSecrets.accountId, accountId), isCurrent);
      const rows = await d1.run((db) =>
        db.select().from(webhookSecrets).where(isValid).orderBy(desc(webhookSecrets.createdAt), desc(rowId)).all(),
      );
      const decrypted = await Promise.all(rows.map((row) => cipher.decrypt(accountId, row)));
      const secrets = decrypted.filter((secret) => secret !== null);
      // Secrets that cannot be read are left out as long as at least one can be read.
      if (rows[0] && secrets.length === 0) throw unreadable(rows[0]);
      return secrets;
    },
    async rotate(accountId, secret, overlapEnd, audit) {
      const { createdAt: nowMs } = audit;
      const row = await webhookSecretRow(cipher, { accountId, secret, createdAt: nowMs });
      await d1.run((db) => {
        const ofAccount = eq(webhookSecrets.accountId, accountId);
        // A retried rotation finds its own secret already stored and changes nothing.
        const isNew = notExists(
          db
            .select({ found: sql`1` })
            .from(sql`${webhookSecrets} AS known`)
            .where(sql`known.account_id = ${accountId} AND known.secret_hash = ${row.secretHash}`),
        );
        const isOlder = and(ofAccount, gt(webhookSecrets.expiresAt, nowMs), isNew);
        const isPrevious = and(ofAccount, isNull(webhookSecrets.expiresAt), isNew);
        return db.batch([
          db.update(webhookSecrets).set({ expiresAt: nowMs }).where(isOlder),
          db.update(webhookSecrets).set({ expiresAt: overlapEnd }).where(isPrevious),
          db.insert(webhookSecrets).values(row).onConflictDoNothing(),
          ...recordAudit(db, audit),
        ]);
      });
    },
    async reEncrypt(nowMs) {
      await d1.run((db) => db.delete(webhookSecrets).where(lte(webhookSecrets.expiresAt, nowMs)).run());
      const keyId = await cipher.currentKeyId();
      const counts = { reEncrypted: 0, unreadable: 0 };
      for (let rows = await outdated(d1, keyId); rows.length > 0; rows = await outdated(d1, keyId, rows.at(-1))) {
        const done = await reEncryptRows(d1, cipher, rows);
        counts.reEncrypted += done;
        counts.unreadable += rows.length - done;
      }
      return counts;
    },
  };
}

function unreadable({ keyId }: Row): Error {
  return new CodedError(
    "webhook.secret_unreadable",
    `the webhook secret is encrypted with the key ${keyId}, which is neither WEBHOOK_SECRETS_KEY nor WEBHOOK_SECRETS_KEY_PREVIOUS, or it was changed in the database`,
  );
}

/** Returns the next secrets after the given one that are not encrypted with this key. */
async function outdated(d1: D1Client, keyId: string, after?: Row): Promise<Row[]> {
  const { accountId, secretHash } = webhookSecrets;
  const isNext = sql`(${accountId}, ${secretHash}) > (${after?.accountId ?? ""}, ${after?.secretHash ?? ""})`;
  const isWanted = and(ne(webhookSecrets.keyId, keyId), isNext);
  return d1.run((db) =>
    db.select().from(webhookSecrets).where(isWanted).orderBy(accountId, secretHash).limit(batchSize).all(),
  );
}

/** Re-encrypts these secrets, and returns how many of them could be read. */
async function reEncryptRows(d1: D1Client, cipher: SecretCipher, rows: Row[]): Promise<number> {
  const renewed = await Promise.all(
    rows.map(async ({ accountId, secretHash, keyId, ciphertext }) => {
      const secret = await cipher.decrypt(accountId, { keyId, ciphertext });
      return secret === null ? null : { accountId, secretHash, ...(await cipher.encrypt(accountId, secret)) };
    }),
  );
  const readable = renewed.filter((row) => row !== null);
  const [first, ...rest] = readable;
  if (!first) return 0;
  await d1.run((db) => {
    const update = ({ accountId, secretHash, ...encrypted }: typeof first) => {
      const isSecret = and(eq(webhookSecrets.accountId, accountId), eq(webhookSecrets.secretHash, secretHash));
      return db.update(webhookSecrets).set(encrypted).where(isSecret);
    };
    return db.batch([update(first), ...rest.map(update)]);
  });
  return readable.length;
}
