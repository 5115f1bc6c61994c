// Validates the items of a batch against the fields of its template and stores them, line by line, as they arrive. Only one line
// is in memory at a time, in addition to the ids of all items. After an invalid item, the rest is validated but not stored.
import { counted, shortened } from "colophon-base/text";
import { planRender } from "colophon-render/plan-render";
import { patternWork } from "colophon-template-model/pattern";
import type { Account } from "../../core/accounts/account.ts";
import type { AcceptRequest, Batch, BatchItem, ItemChunk } from "../../core/batches/batch.ts";
import { itemIds } from "../../core/batches/item-ids.ts";
import { sealEncryption, withoutEncryption } from "../../core/documents/encryption.ts";
import { missingField, validationError, type ErrorDetail, type ServiceError } from "../../core/errors.ts";
import type { ItemUpload } from "../../ports/batches.ts";
import type { Services } from "../../ports/services.ts";
import { yieldToOthers } from "../yield-to-others.ts";

/** A line with its item or its problems; an empty line has neither. */
export type ItemLine = {
  bytes: Uint8Array;
  item?: BatchItem;
  problems?: ErrorDetail[];
};

export type StoredItems = Pick<AcceptRequest, "customIds" | "chunks" | "sealed">;

/** The maximum number of invalid items that an error names. */
const maxNamed = 100;
const chunkBytes = 256 * 1024;
const chunkItems = 200;
/** An empty line takes as long as a small item, and a body might contain 50 million of them. */
const maxBlankLines = 1_000;
/** The amount that is validated before other requests can run. */
const sliceBytes = 64 * 1024;
/** Patterns may cost an item as much as a request, and all items of a batch as much as this many requests. */
const patternRequests = 100;

type Wrong = { named: ErrorDetail[]; count: number; isOnlyMissing: boolean };

/** Throws VALIDATION_ERROR or MISSING_FIELD if items are invalid, there are none, or there are too many. */
export async function storeItems(
  services: Services,
  account: Account,
  { batch, lines, byteLength }: { batch: Batch; lines: AsyncIterable<ItemLine>; byteLength: number },
): Promise<StoredItems> {
  const upload = services.batchFiles.upload(account.id, batch.id, byteLength);
  try {
    const items = await readItems(services, account, { batch, lines, upload });
    await upload.finish();
    return items;
  } catch (cause) {
    // The bucket may take seconds to abort the upload.
    services.background("abort the upload", upload.abort());
    throw cause;
  }
}

type Source = { batch: Batch; lines: AsyncIterable<ItemLine>; upload: ItemUpload };

async function readItems(services: Services, account: Account, { batch, lines, upload }: Source): Promise<StoredItems> {
  const maxItems = services.settings.batchLimits.items;
  const customIds: (string | null)[] = [];
  const seen = new Map<string, number>();
  const chunks: ItemChunk[] = [];
  const sealed: Record<number, string> = {};
  const wrong: Wrong = { named: [], count: 0, isOnlyMissing: true };
  let offset = 0;
  let sliceStart = 0;
  const patterns = { left: patternRequests * patternWork().stepsLeft, inSlice: 0 };
  let blankLines = 0;
  for await (const { bytes, item, problems = [] } of lines) {
    if (item ?? problems.length > 0) {
      const index = customIds.length;
      if (index >= maxItems) throw tooManyItems(maxItems);
      customIds.push(item?.customId ?? null);
      const checked = item
        ? [
            ...repeatedId(seen, item, index),
            ...mergeProblems(batch, item),
            ...fieldProblems(services, batch, item, { wrong, patterns }),
          ]
        : problems;
      if (!item) wrong.isOnlyMissing = false;
      if (checked.length > 0) addWrong(wrong, index, item, checked);
      extendChunks(chunks, index, offset);
    } else if (++blankLines > maxBlankLines) throw noItems(`A body may have at most ${maxBlankLines} empty lines.`);
    const last = chunks.at(-1);
    if (last) last.length += bytes.length;
    offset += bytes.length;
    if (wrong.count === 0 && item?.encryption) {
      const index = customIds.length - 1;
      sealed[index] = await sealEncryption(services.passwords, itemIds(batch, index).id, item.encryption);
    }
    if (wrong.count === 0) await upload.write(item?.encryption ? withoutEncryption(bytes) : bytes);
    if (offset - sliceStart < sliceBytes && patterns.inSlice < patternWork().stepsLeft / 4) continue;
    sliceStart = offset;
    patterns.inSlice = 0;
    await yieldToOthers(services, account, services.now());
  }
  if (customIds.length === 0) throw noItems("A batch must have at least one item.");
  if (wrong.count > 0) throw wrongItems(wrong, customIds.length);
  return { customIds, chunks, sealed };
}

export function tooManyItems(max: number): ServiceError {
  return noItems(`A batch may have at most ${max} items.`);
}

function noItems(message: string): ServiceError {
  return validationError([{ path: "items", message }]);
}

function repeatedId(seen: Map<string, number>, { customId }: BatchItem, index: number): ErrorDetail[] {
  if (customId === undefined) return [];
  const first = seen.get(customId);
  if (first === undefined) seen.set(customId, index);
  return first === undefined
    ? []
    : [{ path: "customId", message: `\`customId\` is also used by item ${first}; it must be unique.` }];
}

/** Merged files would lose the passwords, and programs would find the invoices of all items in one file. */
function mergeProblems({ output }: Batch, item: BatchItem): ErrorDetail[] {
  const attached = item.attachments?.length ? "attachments" : item.einvoice && "einvoice";
  const path = item.encryption ? "encryption" : attached;
  const kind = path === "encryption" ? "encrypted documents" : "documents with attachments";
  const message = `\`${path}\` is not allowed with "merged" in \`output\`, because ${kind} cannot be merged.`;
  return path && output.includes("merged") ? [{ path, message }] : [];
}

/** The steps that patterns may still take in all items, and those that they have taken since other requests could run. */
type PatternSteps = { left: number; inSlice: number };

/** Returns the problems of an item's data. Throws if the options of the batch are wrong. */
function fieldProblems(
  { settings }: Services,
  { template, options }: Batch,
  { data, encryption, attachments, einvoice }: BatchItem,
  { wrong, patterns }: { wrong: Wrong; patterns: PatternSteps },
): ErrorDetail[] {
  const stepsLeft = Math.min(patternWork().stepsLeft, patterns.left);
  const work = { stepsLeft };
  const request = { ...options, data, encryption, attachments, einvoice };
  const planned = planRender(template.manifest, request, settings.imageUrls.allowedOrigins, work);
  const taken = stepsLeft - work.stepsLeft;
  patterns.left -= taken;
  patterns.inSlice += taken;
  if (planned.status === "planned") return [];
  const [first] = planned.problems;
  const isOfItem = /^(data|encryption|attachments|einvoice)(\.|$)/.test(first?.path ?? "");
  if (!isOfItem) throw validationError(planned.problems, planned.message);
  if (planned.status === "invalid") wrong.isOnlyMissing = false;
  return planned.problems;
}

/** Adds the first problem of the item, with its position in the batch. */
function addWrong(wrong: Wrong, index: number, item: BatchItem | undefined, problems: ErrorDetail[]): void {
  const [first, ...others] = problems;
  wrong.count++;
  if (problems.some(({ path }) => /^(?:customId|encryption|attachments|einvoice)$/.test(path)))
    wrong.isOnlyMissing = false;
  if (!first || wrong.named.length >= maxNamed) return;
  const { customId } = item ?? {};
  const name = `Item ${index}${customId === undefined ? "" : ` (\`${shortened(customId, 60)}\`)`}`;
  const more = others.length > 0 ? ` And ${counted(others.length, "more problem")}.` : "";
  const path = first.path === "" ? `items.${index}` : `items.${index}.${first.path}`;
  wrong.named.push({ path, message: `${name}: ${first.message}${more}`, ...(customId !== undefined && { customId }) });
}

/** The number of invalid items that the message itself describes. */
const maxDescribed = 3;

function wrongItems({ named, count, isOnlyMissing }: Wrong, total: number): ServiceError {
  const described = named.slice(0, maxDescribed).map(({ message }) => message);
  const more = count - described.length;
  const rest = more > 0 ? ` And ${counted(more, "more invalid item")}.` : "";
  const message = `${count} of ${counted(total, "item")} cannot be rendered. ${described.join(" ")}${rest}`;
  return isOnlyMissing ? missingField(named, message) : validationError(named, message);
}

/** Starts a new chunk of items if the last one is long enough. */
function extendChunks(chunks: ItemChunk[], index: number, offset: number): void {
  const last = chunks.at(-1);
  if (!last || last.length >= chunkBytes || index - last.firstIndex >= chunkItems)
    chunks.push({ firstIndex: index, offset, length: 0 });
}
