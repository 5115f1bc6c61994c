// Reads the body of a batch request: a JSON object with all items, or NDJSON, whose first line contains the options and whose
// other lines are the items. NDJSON is read as it arrives.
import type { z } from "zod";
import { sha256Hex } from "colophon-base/encoding";
import { sentence } from "colophon-base/text";
import { maxDataDepth } from "colophon-template-model/template-data";
import { keyedDigests } from "../../core/accounts/body-digest.ts";
import { validationError, type ErrorDetail } from "../../core/errors.ts";
import { parseStrictJson } from "../../core/strict-json.ts";
import type { BatchRequest } from "../../operations/batches/create-batch.ts";
import { tooManyItems, type ItemLine } from "../../operations/batches/store-items.ts";
import type { HttpContext } from "../context.ts";
import { idempotencyKeyOf, idempotencyOf } from "../documents/document-requests.ts";
import { RequestError } from "../error-status.ts";
import { claimValues, decodeUtf8, maxLaterBody, mediaTypeOf, readJsonBody, requirePlainUtf8 } from "../json-body.ts";
import { bodyError, chunksOf } from "../read-body.ts";
import { problemsOf, validated } from "../validation.ts";
import { batchBody, batchItem, batchOptions } from "./batch-requests.ts";

const maxNdjsonBytes = 50_000_000;
const ndjsonTypes = ["application/x-ndjson", "application/ndjson"];
/** `data` is one level below an item, and an item is two levels below a JSON body. */
const itemDepth = maxDataDepth + 1;
const bodyDepth = itemDepth + 2;

type Body = Pick<BatchRequest, "lines" | "byteLength" | "idempotency"> & { input: z.output<typeof batchOptions> };

export async function readBatchRequest(context: HttpContext): Promise<BatchRequest> {
  const type = mediaTypeOf(context);
  const isNdjson = ndjsonTypes.includes(type);
  if (!isNdjson && type !== "application/json")
    throw new RequestError(415, "The Content-Type must be application/json or application/x-ndjson.", "");
  const { input, ...items } = isNdjson ? await readNdjson(context) : await readJson(context);
  const { templateId, templateVersion, output, merged, webhookUrl, ...options } = input;
  const { arrivedAt } = context.var;
  return { templateId, templateVersion, output, merged, webhookUrl, options, ...items, arrivedAt };
}

async function readJson(context: HttpContext): Promise<Body> {
  const { input: body, value } = await readJsonBody(context, batchBody, { maxDepth: bodyDepth });
  const { items, ...input } = body;
  const maxItems = context.var.services.settings.batchLimits.items;
  if (items.length > maxItems) throw tooManyItems(maxItems);
  const encoder = new TextEncoder();
  const lines = items.map((item) => ({ item, bytes: encoder.encode(`${JSON.stringify(item)}\n`) }));
  const byteLength = lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const key = await idempotencyOf(context, value);
  return { input, lines: checkedLines(lines), byteLength, idempotency: async () => key };
}

async function* checkedLines(lines: { item: unknown; bytes: Uint8Array }[]): AsyncGenerator<ItemLine, void, undefined> {
  for (const { item, bytes } of lines) yield { bytes, ...checkedItem(item) };
}

async function readNdjson(context: HttpContext): Promise<Body> {
  const { raw } = context.req;
  requirePlainUtf8(context);
  const length = context.req.header("Content-Length");
  if (length === undefined || !/^\d{1,15}$/.test(length))
    throw new RequestError(411, "An NDJSON body requires the header `Content-Length`.", "");
  if (Number(length) > maxNdjsonBytes) throw new RequestError(413, "The body is larger than 50 MB.", "");
  const key = idempotencyKeyOf(context);
  const all = ndjsonLines(raw.body, Number(length));
  context.set("endReading", () => all.return());
  const first = await all.next();
  const firstLine = first.done ? new Uint8Array(0) : first.value;
  const input = validated(batchOptions, optionsOf(firstLine));
  let digest = key === null ? "" : await sha256Hex(firstLine);
  let line = 1;
  const nextLine = async () => {
    const next = await all.next();
    if (!next.done && key !== null) digest = await sha256Hex(digest + (await sha256Hex(next.value)));
    return next;
  };
  /** Breaking out of a loop over the items does not end `all`. */
  async function* items(): AsyncGenerator<ItemLine, void, undefined> {
    for (let next = await nextLine(); !next.done; next = await nextLine()) {
      const bytes = next.value;
      blankMark(bytes);
      const release = await claimValues(context.var.services, context.var.account.id, bytes);
      try {
        yield { bytes, ...itemOf(bytes, ++line) };
      } finally {
        release();
      }
    }
  }
  const lines = items();
  const idempotency = async () => {
    if (key === null) return null;
    // If the batch was refused early, its digest still needs the other lines.
    while (!(await nextLine()).done);
    return { key, ...keyedDigests(context.var.services.encryptionKeys(), digest) };
  };
  return { input, lines, byteLength: Number(length) - firstLine.length, idempotency };
}

const lineFeed = 10;

/**
 * Splits the body into lines, each with its line feed, as the bytes arrive. Throws VALIDATION_ERROR if a line is too long, or if the body's length
 * differs from the given one.
 */
async function* ndjsonLines(
  body: ReadableStream<Uint8Array> | null,
  byteLength: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let rest = new Uint8Array(0);
  let line = 1;
  let read = 0;
  for await (const chunk of chunksOf(body)) {
    read += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield joined(rest, chunk.subarray(from, end + 1), line++);
      rest = new Uint8Array(0);
      from = end + 1;
    }
    rest = joined(rest, chunk.subarray(from), line);
  }
  if (read !== byteLength) throw bodyError("The body ended before it was complete.");
  if (rest.length > 0) yield rest;
}

function joined(rest: Uint8Array, bytes: Uint8Array, line: number): Uint8Array<ArrayBuffer> {
  const size = rest.length + bytes.length;
  if (size - (bytes.at(-1) === lineFeed ? 1 : 0) > maxLaterBody.bytes)
    throw bodyError(`Line ${line} is longer than ${maxLaterBody.text}.`);
  const all = new Uint8Array(size);
  all.set(rest);
  all.set(bytes, rest.length);
  return all;
}

/** Replaces a byte order mark at the start of a line with spaces, because the stored items are later parsed as JSON again. */
function blankMark(bytes: Uint8Array): void {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes.fill(32, 0, 3);
}

function optionsOf(bytes: Uint8Array): unknown {
  const json = parseLine(bytes, itemDepth);
  if ("problems" in json) {
    const [{ message } = { message: "" }] = json.problems;
    throw validationError([{ path: "", message: `The first line, with the options of the batch, ${message}` }]);
  }
  return json.value;
}

function itemOf(bytes: Uint8Array, line: number): Omit<ItemLine, "bytes"> {
  // Nearly all lines are items, so only the other lines are decoded twice.
  if (bytes[0] !== openBrace && isBlank(bytes)) return {};
  const json = parseLine(bytes, itemDepth);
  if ("value" in json) return checkedItem(json.value);
  return { problems: json.problems.map(({ path, message }) => ({ path, message: `line ${line} ${message}` })) };
}

const openBrace = 123;

function isBlank(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trim() === "";
}

/** The messages of problems continue a sentence that begins with the line number. */
function parseLine(bytes: Uint8Array, maxDepth: number): { value: unknown } | { problems: ErrorDetail[] } {
  const text = decodeUtf8(bytes);
  if (text === null) return { problems: [{ path: "", message: "is not valid UTF-8." }] };
  const json = parseStrictJson(text, maxDepth);
  switch (json.status) {
    case "parsed":
      return { value: json.value };
    case "refused":
      return { problems: json.problems.map(({ path, message }) => ({ path, message: `is not usable: ${message}` })) };
    case "too_deep":
      return { problems: [{ path: "", message: `is nested more than ${maxDepth} levels deep.` }] };
    case "malformed":
      return {
        problems: [{ path: "", message: `is not valid JSON: column ${json.column}: ${sentence(json.reason)}` }],
      };
  }
}

function checkedItem(value: unknown): Omit<ItemLine, "bytes"> {
  const checked = problemsOf(batchItem, value);
  return checked.status === "valid" ? { item: checked.value } : { problems: checked.problems };
}
