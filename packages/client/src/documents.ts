// Creates, lists, reads, downloads and deletes documents.
import type {
  AnyData,
  CompletedDocument,
  CreateDocument,
  DocumentFilter,
  DocumentPage,
  DocumentRecord,
  Download,
  DownloadPage,
  EndedLinks,
  FileLink,
  LinkOptions,
  PageQuery,
  ProcessingDocument,
} from "./api.ts";
import { contentTypeOf, documentFile } from "./document-file.ts";
import { ColophonError } from "./errors.ts";
import { allItems } from "./pages.ts";
import { pathId, queryString } from "./query.ts";
import { deleteItem, keyOf, type CreateOptions } from "./repeats.ts";
import type { ApiRequest, RequestOptions, Transport } from "./transport.ts";
import { waitUntilEnded, type WaitOptions } from "./wait.ts";

type AcceptedDocument = CompletedDocument | ProcessingDocument;

const longestRenderMs = 65 * 60_000;

/** The documents of the account. */
export type Documents = ReturnType<typeof documents>;

export function documents(api: Transport) {
  const listPage = async (query: DocumentFilter & PageQuery = {}, options?: RequestOptions): Promise<DocumentPage> =>
    api.json({ method: "GET", path: `/documents${queryString(query)}` }, options);
  const wait = async (id: string, options: WaitOptions<DocumentRecord> = {}): Promise<CompletedDocument> => {
    const limits = { ...options, totalTimeoutMs: options.totalTimeoutMs ?? longestRenderMs };
    const document = await waitUntilEnded(api, `/documents/${pathId(id)}`, limits);
    if (document.status === "completed") return document;
    const { message, ...properties } = document.error;
    throw new ColophonError(message, properties);
  };
  return {
    /** Renders a document, and returns it when it is ready. `create<Invoice>(...)` checks `data` at compile time. */
    async create<Data extends object = AnyData>(document: CreateDocument<Data>, options: CreateOptions = {}) {
      const created = await api.json<AcceptedDocument>(createRequest(document, options), options);
      // An earlier `createAsync` may have used this key.
      return created.status === "processing" ? wait(created.id, options) : created;
    },
    /**
     * Creates a document that is rendered later, and returns it immediately: as `processing`, unless the request repeats an
     * earlier one.
     */
    async createAsync<Data extends object = AnyData>(document: CreateDocument<Data>, options: CreateOptions = {}) {
      const { headers, ...request } = createRequest(document, options);
      return api.json<AcceptedDocument>({ ...request, headers: { ...headers, Prefer: "respond-async" } }, options);
    },
    /**
     * Waits until the document is completed. Throws a failed document's error. `totalTimeoutMs` is 65 minutes, longer than the service retries.
     */
    wait,
    /** Renders a document, and returns its file as a stream. Read it or cancel it. */
    async createFile<Data extends object = AnyData>(document: CreateDocument<Data>, options: CreateOptions = {}) {
      const request = createRequest(document, options, contentTypeOf(document?.format ?? "pdf"));
      return documentFile(await api.response(request, options), timeLimit(api, options));
    },
    /** All documents that match the filter, newest first. `limit` is the number of documents in each request. */
    list: (filter: DocumentFilter & { limit?: number } = {}, options?: RequestOptions) =>
      allItems((query) => listPage(query, options), filter),
    /** One page of the list of documents. */
    listPage,
    /** Reads a document, completed, failed or processing. */
    get: async (id: string, options?: RequestOptions): Promise<DocumentRecord> =>
      api.json({ method: "GET", path: `/documents/${pathId(id)}` }, options),
    /** Returns the file of a document as a stream. Read it or cancel it. `timeoutMs` also bounds the time between two parts of the file. */
    async download(id: string, options: RequestOptions = {}) {
      const path = `/documents/${pathId(id)}/download`;
      return documentFile(await api.response({ method: "GET", path }, options), timeLimit(api, options), id);
    },
    ...links(api),
    /** Removes the document and its file, or cancels a document that is processing. */
    delete: (id: string, options?: RequestOptions) =>
      deleteItem(api, { id, list: "/documents", notFound: "DOCUMENT_NOT_FOUND" }, options),
  };
}

function links(api: Transport) {
  return {
    /** Returns a link that opens the file without a key. By default, it is valid for the document's `linkExpiresIn`. */
    createLink: (id: string, link: LinkOptions = {}, options?: RequestOptions): Promise<FileLink> =>
      api.json({ method: "POST", path: `/documents/${pathId(id)}/links`, body: JSON.stringify(link) }, options),
    /** Makes all links to the file invalid that exist now. */
    endLinks: (id: string, options?: RequestOptions): Promise<EndedLinks> =>
      api.json({ method: "DELETE", path: `/documents/${pathId(id)}/links` }, options),
    /** Who has downloaded the file, newest first. The account's setting `recordDownloads` must be on. */
    downloads: (id: string, query: { limit?: number } = {}, options?: RequestOptions): AsyncIterable<Download> =>
      allItems((page) => {
        const path = `/documents/${pathId(id)}/downloads${queryString(page)}`;
        return api.json<DownloadPage>({ method: "GET", path }, options);
      }, query),
  };
}

function createRequest(document: object, options: CreateOptions, accept = "application/json"): ApiRequest {
  if (typeof document !== "object" || document === null)
    throw new TypeError("`create` needs an object with `templateId` and `data`.");
  const headers = { Accept: accept, "Idempotency-Key": keyOf(options) };
  return { method: "POST", path: "/documents", body: JSON.stringify(document), headers };
}

function timeLimit({ settings }: Transport, { timeoutMs = settings.timeoutMs, signal }: RequestOptions) {
  return { timeoutMs, signal };
}
