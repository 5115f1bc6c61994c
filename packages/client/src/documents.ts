// Creates, lists, reads, downloads and deletes documents.
import type {
  AnyData,
  CompletedDocument,
  CreateDocument,
  DeletedDocument,
  DocumentFilter,
  DocumentPage,
  DocumentRecord,
  PageQuery,
  ProcessingDocument,
} from "./api.ts";
import { contentTypeOf, documentFile, type DocumentFile } from "./document-file.ts";
import { ColophonError } from "./errors.ts";
import { allItems } from "./pages.ts";
import { pathId, queryString } from "./query.ts";
import { deleteItem, keyOf, type CreateOptions } from "./repeats.ts";
import type { ApiRequest, RequestOptions, Transport } from "./transport.ts";
import { waitUntilEnded, type WaitOptions } from "./wait.ts";

type AcceptedDocument = CompletedDocument | ProcessingDocument;

/** The documents of the account. */
export type Documents = {
  /** Renders a document, and returns it when it is ready. `create<Invoice>(...)` checks `data` at compile time. */
  create<Data extends object = AnyData>(
    document: CreateDocument<Data>,
    options?: CreateOptions,
  ): Promise<CompletedDocument>;
  /** Renders a document, and returns its file as it arrives. Read it, or cancel its stream. */
  createFile<Data extends object = AnyData>(
    document: CreateDocument<Data>,
    options?: CreateOptions,
  ): Promise<DocumentFile>;
  /** Has a document rendered later, and returns it at once, as `processing` unless the request repeats an earlier one. */
  createAsync<Data extends object = AnyData>(
    document: CreateDocument<Data>,
    options?: CreateOptions,
  ): Promise<AcceptedDocument>;
  /** Waits until the document is completed. Throws the error of a failed one. `totalTimeoutMs` is 65 minutes, longer than the service tries. */
  wait(id: string, options?: WaitOptions<DocumentRecord>): Promise<CompletedDocument>;
  /** All documents that match the filter, newest first. `limit` is the number of documents in each request. */
  list(filter?: DocumentFilter & { limit?: number }, options?: RequestOptions): AsyncIterable<DocumentRecord>;
  /** One page of that list. */
  listPage(query?: DocumentFilter & PageQuery, options?: RequestOptions): Promise<DocumentPage>;
  /** Reads a document, completed, failed or processing. */
  get(id: string, options?: RequestOptions): Promise<DocumentRecord>;
  /** Returns the file of a document as it arrives. Read it, or cancel its stream. `timeoutMs` also bounds the time between two parts of the file. */
  download(id: string, options?: RequestOptions): Promise<DocumentFile>;
  /** Removes the document and its file, or cancels one that is processing. */
  delete(id: string, options?: RequestOptions): Promise<DeletedDocument>;
};

const largestPage = 100;
const longestRenderMs = 65 * 60_000;

export function documents(api: Transport): Documents {
  const listPage = async (query: DocumentFilter & PageQuery = {}, options?: RequestOptions) =>
    api.json<DocumentPage>({ method: "GET", path: `/documents${queryString(query)}` }, options);
  const wait = async (
    id: string,
    { totalTimeoutMs = longestRenderMs, ...options }: WaitOptions<DocumentRecord> = {},
  ) => {
    const document = await waitUntilEnded(api, `/documents/${pathId(id)}`, { ...options, totalTimeoutMs });
    if (document.status === "completed") return document;
    throw new ColophonError(document.error.message, { code: document.error.code });
  };
  return {
    async create(document, options = {}) {
      const created = await api.json<AcceptedDocument>(createRequest(document, options), options);
      // The key may be that of an earlier `createAsync`.
      return created.status === "processing" ? wait(created.id, options) : created;
    },
    async createAsync(document, options = {}) {
      const { headers, ...request } = createRequest(document, options);
      return api.json({ ...request, headers: { ...headers, Prefer: "respond-async" } }, options);
    },
    wait,
    async createFile(document, options = {}) {
      const request = createRequest(document, options, contentTypeOf(document?.format ?? "pdf"));
      return documentFile(await api.response(request, options), timeLimit(api, options));
    },
    list: ({ limit = largestPage, ...filter } = {}, options) =>
      allItems((page) => listPage({ ...filter, ...page, limit }, options)),
    listPage,
    get: async (id, options) => api.json({ method: "GET", path: `/documents/${pathId(id)}` }, options),
    async download(id, options = {}) {
      const path = `/documents/${pathId(id)}/download`;
      return documentFile(await api.response({ method: "GET", path }, options), timeLimit(api, options), id);
    },
    delete: (id, options) => deleteItem(api, { id, list: "/documents", notFound: "DOCUMENT_NOT_FOUND" }, options),
  };
}

function createRequest(document: object, options: CreateOptions, accept = "application/json"): ApiRequest {
  if (typeof document !== "object" || document === null)
    throw new TypeError("A create needs an object with a `templateId` and `data`.");
  const headers = { Accept: accept, "Idempotency-Key": keyOf(options) };
  return { method: "POST", path: "/documents", body: JSON.stringify(document), headers };
}

function timeLimit({ settings }: Transport, { timeoutMs = settings.timeoutMs, signal }: RequestOptions) {
  return { timeoutMs, signal };
}
