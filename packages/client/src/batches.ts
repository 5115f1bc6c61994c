// Creates, lists, reads, cancels and deletes batches, and reads their results.
import type { AnyData, Batch, BatchItem, BatchPage, BatchResult, CreateBatch, EndedLinks, PageQuery } from "./api.ts";
import type { TimeLimit } from "./deadline.ts";
import { checkedStream } from "./document-file.ts";
import { failureOf } from "./envelope.ts";
import { connectionFailed } from "./errors.ts";
import { allItems } from "./pages.ts";
import { pathId, queryString } from "./query.ts";
import { deleteItem, keyOf, type CreateOptions } from "./repeats.ts";
import { trusted, type RequestOptions, type Transport } from "./transport.ts";
import { waitUntilEnded, type WaitOptions } from "./wait.ts";

/** Objects, or the bytes of NDJSON: one object on each line. */
export type BatchItems<Data extends object = AnyData> = Source<BatchItem<Data>> | ReadableStream<Uint8Array>;

const longestBatchMs = 25 * 3_600_000;
/** The speed of a slow connection: 0.8 Mbit/s. */
const uploadBytesPerMs = 100;
/** The default number of upload retries that the time allows. */
const usualRetries = 3;
const ndjson = "application/x-ndjson";

/** The batches of the account. */
export type Batches = ReturnType<typeof batches>;

export function batches(api: Transport) {
  const request = async (method: string, id: string, action: string, options?: RequestOptions): Promise<Batch> =>
    api.json({ method, path: `/batches/${pathId(id)}${action}` }, options);
  const listPage = async (query: PageQuery = {}, options?: RequestOptions): Promise<BatchPage> =>
    api.json({ method: "GET", path: `/batches${queryString(query)}` }, options);
  return {
    /**
     * Creates a document from each item. Resolves when either all items or none are accepted. The items are collected in
     * memory. Unless `timeoutMs` is given here, an attempt may take 10 s longer for each MB.
     */
    async create<Data extends object = AnyData>(
      batch: CreateBatch,
      items: BatchItems<Data>,
      options: CreateOptions = {},
    ): Promise<Batch> {
      const headers = { "Content-Type": ndjson, "Idempotency-Key": keyOf(options) };
      const body = await ndjsonBody(batch, items);
      return api.json({ method: "POST", path: "/batches", body, headers }, withUpload(api, body, options));
    },
    /** All batches, newest first. `limit` is the number of batches in each request. */
    list: (query: { limit?: number } = {}, options?: RequestOptions) =>
      allItems((page) => listPage(page, options), query),
    /** One page of the list of batches. */
    listPage,
    /** Reads a batch. */
    get: (id: string, options?: RequestOptions) => request("GET", id, "", options),
    /** Waits until the batch has ended. `totalTimeoutMs` is 25 hours; a batch ends within 24. */
    wait: async (id: string, options: WaitOptions<Batch> = {}): Promise<Batch> => {
      const limits = { ...options, totalTimeoutMs: options.totalTimeoutMs ?? longestBatchMs };
      return waitUntilEnded(api, `/batches/${pathId(id)}`, limits);
    },
    /** The results so far, in the order of the items. Each iteration starts again. */
    results: (id: string, options: RequestOptions = {}): AsyncIterable<BatchResult> => ({
      async *[Symbol.asyncIterator]() {
        const path = `/batches/${pathId(id)}/results`;
        const response = await api.response({ method: "GET", path, headers: { Accept: ndjson } }, options);
        const { timeoutMs = api.settings.timeoutMs, signal } = options;
        yield* ndjsonValues<BatchResult>(response, { timeoutMs, signal });
      },
    }),
    /** Cancels the items whose render has not begun. A batch that has ended does not change. */
    cancel: (id: string, options?: RequestOptions) => request("POST", id, "/cancel", options),
    /** Makes all links to the merged files invalid that exist now. */
    endLinks: (id: string, options?: RequestOptions): Promise<EndedLinks> =>
      api.json({ method: "DELETE", path: `/batches/${pathId(id)}/links` }, options),
    /** Removes a batch that has ended, with its data, results and merged files. Its documents stay. */
    delete: (id: string, options?: RequestOptions) =>
      deleteItem(api, { id, list: "/batches", notFound: "BATCH_NOT_FOUND" }, options),
  };
}

/** Extends the time limits of one attempt, and of all attempts together, by the time that a slow connection needs for the body. */
function withUpload({ settings }: Transport, { size }: Blob, options: CreateOptions): RequestOptions {
  const uploadMs = size / uploadBytesPerMs;
  const uploadsMs = uploadMs * (1 + Math.min(settings.maxRetries, usualRetries));
  const { timeoutMs = settings.timeoutMs + uploadMs, totalTimeoutMs = settings.totalTimeoutMs + uploadsMs } = options;
  return { ...options, timeoutMs, totalTimeoutMs };
}

/** Values that arrive one by one. */
type Source<T> = Iterable<T> | AsyncIterable<T> | ReadableStream<T>;

/**
 * Returns a body with the value `first` and the values of the source. Bytes are copied as they are, because they already are
 * lines.
 */
async function ndjsonBody(first: object, source: Source<object>): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [line(first)];
  for await (const value of valuesOf(source))
    parts.push(value instanceof Uint8Array ? new Uint8Array(value) : line(value));
  return new Blob(parts);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** Yields the values of a response. Throws a `ColophonError` if it is not NDJSON, stalls, or ends within a value. */
async function* ndjsonValues<T>(response: Response, limit: TimeLimit): AsyncGenerator<T, void, undefined> {
  const { headers, body } = response;
  if (!/^application\/x-ndjson\b/i.test(headers.get("Content-Type") ?? "")) {
    // The body may be, for example, a proxy's login page.
    void body?.cancel().catch(() => {});
    throw failureOf(response, null);
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of valuesOf(checkedStream(body ?? new Blob([]).stream(), null, limit))) {
    const lines = `${rest}${decoder.decode(part, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield trusted<T>(JSON.parse(text));
  }
  if (`${rest}${decoder.decode()}` !== "") throw connectionFailed("The response ended in the middle of a line.");
}

/** Streams are read with a reader, because not every browser can iterate over them. */
async function* valuesOf<T>(source: Source<T>): AsyncGenerator<T, void, undefined> {
  if (!(source instanceof ReadableStream)) return yield* source;
  const reader = source.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
