// All rendered files in R2, for maintenance.
import { isMergedFileKey } from "../../core/documents/document.ts";
import type { FileArchive } from "../../ports/maintenance.ts";
import { storageCall } from "../storage.ts";

const timeoutMs = 10_000;
/** The maximum number of keys in one call to delete. */
const keysPerDelete = 1_000;

export function fileArchive(bucket: R2Bucket): FileArchive {
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
