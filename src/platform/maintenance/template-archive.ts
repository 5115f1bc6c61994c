// All templates of an account, in D1 and R2, for maintenance.
import { eq } from "drizzle-orm";
import { storageCall } from "../storage.ts";
import type { TemplateArchive } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { isOneOf } from "../d1/is-one-of.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { contentKey, removeContents } from "../templates/template-contents.ts";

const timeoutMs = 10_000;

export function templateArchive(d1: D1Client, bucket: R2Bucket): TemplateArchive {
  return {
    async removeAll(accountId) {
      await d1.run((db) =>
        db.batch([
          db.delete(templates).where(eq(templates.accountId, accountId)),
          db.delete(templateVersions).where(eq(templateVersions.accountId, accountId)),
        ]),
      );
      await removeContents(bucket, { accountId });
    },
    async list(after, limit) {
      const options = { limit, ...(after ? { startAfter: after } : {}) };
      const { objects, truncated } = await storageCall("R2 list", timeoutMs, bucket.list(options));
      return {
        contents: objects.map(({ key, uploaded }) => ({ key, storedAt: uploaded.getTime() })),
        isLast: !truncated,
      };
    },
    async unused(contents) {
      const ids = contents.map(({ key }) => key.split("/")[1] ?? "");
      const { accountId, templateId, contentHash } = templateVersions;
      const rows = await d1.run((db) =>
        db.select({ accountId, templateId, contentHash }).from(templateVersions).where(isOneOf(templateId, ids)).all(),
      );
      const used = new Set(rows.map((row) => contentKey({ ...row, id: row.templateId })));
      return contents.filter(({ key }) => !used.has(key.replace(/zip$/, "json")));
    },
    async removeContents(keys) {
      if (keys.length > 0) await storageCall("R2 delete", timeoutMs, bucket.delete(keys));
    },
  };
}
