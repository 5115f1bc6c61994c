// The objects of all accounts in R2, for maintenance: rendered files, and the private data of templates and batches.
import { eq } from "drizzle-orm";
import { isMergedFileKey } from "../../core/documents/document.ts";
import type { FileArchive, TemplateArchive } from "../../ports/maintenance.ts";
import { isOneOf, type D1Client } from "../d1/d1-client.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import type { FileBucket } from "../documents/file-store.ts";
import { storageCall } from "../storage.ts";
import { contentKey, removeContents } from "../templates/template-contents.ts";

const timeoutMs = 10_000;
/** The maximum number of keys in one call to delete. */
const keysPerDelete = 1_000;

export function fileArchive(bucket: FileBucket): FileArchive {
  return {
    async list(after, limit) {
      const include: "customMetadata"[] = ["customMetadata"];
      const options = { limit, include, ...(after ? { startAfter: after } : {}) };
      const listed = await storageCall("R2 list", timeoutMs, bucket.list(options));
      const files = listed.objects.map(({ key, uploaded, customMetadata: { accountId = "", batchId = "" } = {} }) => {
        return { key, storedAt: uploaded.getTime(), batch: isMergedFileKey(key) ? { accountId, batchId } : null };
      });
      return { files, isLast: !listed.truncated };
    },
    async exists(key) {
      return (await storageCall("R2 head", timeoutMs, bucket.head(key))) !== null;
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += keysPerDelete) {
        await storageCall("R2 delete", timeoutMs, bucket.delete(keys.slice(from, from + keysPerDelete)));
      }
    },
  };
}

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
