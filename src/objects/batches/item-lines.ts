// Reads the items of batches in parts, and caches the parts that were read last, because items are rendered in order.
import { agedCache } from "colophon-base/aged-cache";
import { CodedError } from "colophon-base/loggable-error";
import type { BatchItem, ItemChunk } from "../../core/batches/batch.ts";
import type { BatchFiles } from "../../ports/batches.ts";

export type ItemLines = {
  read(accountId: string, batchId: string, chunk: ItemChunk, index: number): Promise<BatchItem>;
};

/** Items in progress may be in two parts, and two batches may be in progress. */
const kept = { maxEntries: 4, maxAgeMs: 60_000, weight: { max: 8_000_000, of: charsOf } };

function charsOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

export function itemLines(files: Pick<BatchFiles, "readItems">): ItemLines {
  const parts = agedCache<string[]>(kept);
  return {
    async read(accountId, batchId, chunk, index) {
      const lines = await parts.get(`${batchId} ${chunk.firstIndex}`, async () => {
        const text = await files.readItems(accountId, batchId, chunk);
        return text.split("\n").filter((line) => line.trim() !== "");
      });
      const line = lines[index - chunk.firstIndex];
      if (line === undefined)
        throw new CodedError("batch.item_missing", `item ${index} of batch ${batchId} is missing`);
      // It was validated when it was stored.
      return JSON.parse(line) as BatchItem;
    },
  };
}
