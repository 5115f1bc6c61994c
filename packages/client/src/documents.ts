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
} from "./api.ts";
import { contentTypeOf, documentFile, type DocumentFile } from "./document-file.ts";
import { ColophonError, type ColophonErrorCode } from "./errors.ts";
import { allItems } from "./pages.ts";
import { pathId, queryString } from "./query.ts";
import type { ApiRequest, RequestOptions, Transport } from "./transport.ts";

/** What the methods that create documents accept as their last argument. */
export type CreateOptions = RequestOptions & {
  /**
   * 1 to 255 visible ASCII characters. For 24 hours, creates with the same key and the same body return the same document and
   * count once. Without it, the client makes up a key for each call, which its own retries share.
   */
  idempotencyKey?: string;
};

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
  /** All documents that match the filter, newest first. `limit` is the number of documents in each request. */
  list(filter?: DocumentFilter & { limit?: number }, options?: RequestOptions): AsyncIterable<DocumentRecord>;
  /** One page of that list. */
  listPage(query?: DocumentFilter & PageQuery, options?: RequestOptions): Promise<DocumentPage>;
  /** Reads a document, completed or failed. */
  get(id: string, options?: RequestOptions): Promise<DocumentRecord>;
  /** Returns the file of a document as it arrives. Read it, or cancel its stream. `timeoutMs` also bounds the time between two parts of the file. */
  download(id: string, options?: RequestOptions): Promise<DocumentFile>;
  /** Removes the document and its file. */
  delete(id: string, options?: RequestOptions): Promise<DeletedDocument>;
};

const largestPage = 100;

export function documents(api: Transport): Documents {
  const listPage = async (query: DocumentFilter & PageQuery = {}, options?: RequestOptions) =>
    api.json<DocumentPage>({ method: "GET", path: `/documents${queryString(query)}` }, options);
  return {
    create: async (document, options = {}) => api.json(createRequest(document, options), options),
    async createFile(document, options = {}) {
      const request = createRequest(document, options, contentTypeOf(document?.format ?? "pdf"));
      return documentFile(await api.response(request, options), timeLimit(api, options));
    },
    list: ({ limit = largestPage, ...filter } = {}, options) =>
      allItems(
        (page) => listPage({ ...filter, ...page, limit }, options),
        (page) => page.documents,
      ),
    listPage,
    get: async (id, options) => api.json({ method: "GET", path: `/documents/${pathId(id)}` }, options),
    async download(id, options = {}) {
      const path = `/documents/${pathId(id)}/download`;
      return documentFile(await api.response({ method: "GET", path }, options), timeLimit(api, options), id);
    },
    delete: (id, options) => deleteDocument(api, id, options),
  };
}

function createRequest(document: object, { idempotencyKey }: CreateOptions, accept = "application/json"): ApiRequest {
  if (typeof document !== "object" || document === null)
    throw new TypeError("A create needs an object with a `templateId` and `data`.");
  if (idempotencyKey !== undefined && !/^[!-~]{1,255}$/.test(idempotencyKey))
    throw new TypeError("`idempotencyKey` must be 1 to 255 visible ASCII characters.");
  const headers = { Accept: accept, "Idempotency-Key": idempotencyKey ?? randomKey() };
  return { method: "POST", path: "/documents", body: JSON.stringify(document), headers };
}

/** `crypto.randomUUID` is missing in browsers on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function timeLimit({ settings }: Transport, { timeoutMs = settings.timeoutMs, signal }: RequestOptions) {
  return { timeoutMs, signal };
}

/** After these failures, nobody knows whether the service has carried out the request. */
const uncertain: ColophonErrorCode[] = ["CONNECTION_FAILED", "TIMEOUT", "UNEXPECTED_RESPONSE"];

/** If a retry does not find the document any more, an earlier attempt whose response was lost has deleted it. */
async function deleteDocument(api: Transport, id: string, options?: RequestOptions): Promise<DeletedDocument> {
  let mayBeDeleted = false;
  const onRetry = ({ code }: ColophonError) => {
    mayBeDeleted ||= uncertain.includes(code);
  };
  try {
    return await api.json({ method: "DELETE", path: `/documents/${pathId(id)}`, onRetry }, options);
  } catch (error) {
    const isGone = error instanceof ColophonError && error.code === "DOCUMENT_NOT_FOUND";
    if (isGone && mayBeDeleted) return { id, deleted: true };
    throw error;
  }
}
