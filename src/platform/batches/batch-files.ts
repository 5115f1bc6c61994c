// The private data of batches in R2, in the bucket of template contents: the items as NDJSON, and the content of the template's
// version. The keys begin with the account, so the data is removed with it.
import { CodedError } from "colophon-base/loggable-error";
import { keptTemplateId } from "../../core/batches/batch.ts";
import type { BatchFiles } from "../../ports/batches.ts";
import { storageCall } from "../storage.ts";
import { contentKey, contentMissing, removeContents } from "../templates/template-contents.ts";

const timeoutMs = 10_000;
/** The bucket may need some time to store items that arrived faster. */
const uploadTimeoutMs = 30_000;
/** Each write needs a task, so lines are combined into larger writes. */
const writtenBytes = 64 * 1024;

export function batchFiles(bucket: R2Bucket): BatchFiles {
  return {
    upload(accountId, batchId, length) {
      const { readable, writable } = new FixedLengthStream(length);
      const writer = writable.getWriter();
      const put = bucket.put(itemsKey(accountId, batchId), readable);
      const failed = put.then(() => {});
      failed.catch(() => {}); // `write` and `finish` report the failure.
      const inTime = <T>(work: Promise<T>) => storageCall("R2 put", uploadTimeoutMs, work);
      let pending: Uint8Array[] = [];
      let pendingBytes = 0;
      const flush = async () => {
        const bytes = Buffer.concat(pending);
        pending = [];
        pendingBytes = 0;
        await inTime(Promise.race([writer.write(bytes), failed]));
      };
      return {
        async write(bytes) {
          pending.push(bytes);
          pendingBytes += bytes.length;
          if (pendingBytes >= writtenBytes) await flush();
        },
        async finish() {
          await flush();
          await inTime(writer.close());
          await inTime(put);
        },
        async abort() {
          await inTime(writer.abort()).catch(() => {});
          await inTime(failed).catch(() => {});
        },
      };
    },
    async readItems(accountId, batchId, { offset, length }) {
      const key = itemsKey(accountId, batchId);
      const object = await storageCall("R2 get", timeoutMs, bucket.get(key, { range: { offset, length } }));
      if (!object) throw new CodedError("batch.items_missing", `the items of batch ${batchId} are missing`);
      return storageCall("R2 get", timeoutMs, object.text());
    },
    async keepTemplate(accountId, batchId, template) {
      const object = await storageCall("R2 get", timeoutMs, bucket.get(contentKey(template)));
      if (!object) throw contentMissing(template);
      const key = contentKey({ ...template, accountId, id: keptTemplateId(batchId) });
      await storageCall("R2 put", uploadTimeoutMs, bucket.put(key, object.body));
    },
    remove: (accountId, batchId) => removeContents(bucket, { accountId, id: keptTemplateId(batchId) }),
  };
}

function itemsKey(accountId: string, batchId: string): string {
  return `${accountId}/${keptTemplateId(batchId)}/items.ndjson`;
}
