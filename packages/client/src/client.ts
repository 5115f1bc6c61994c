// The entry of the package: a client for the Colophon API that runs wherever there is `fetch`. It has no dependencies.
import type { PageQuery, Template, TemplatePage, TemplateSummary, Usage } from "./api.ts";
import { batches, type Batches } from "./batches.ts";
import { documents, type Documents } from "./documents.ts";
import { allItems } from "./pages.ts";
import { pathId, queryString } from "./query.ts";
import { settingsOf, type ClientOptions } from "./client-settings.ts";
import { transport, type RequestOptions, type Transport } from "./transport.ts";
import { verifyWebhook } from "./webhooks.ts";

export type * from "./api.ts";
export type { Batches, BatchItems } from "./batches.ts";
export type { DocumentFile } from "./document-file.ts";
export type { Documents } from "./documents.ts";
export { ColophonError, type ClientErrorCode, type ColophonErrorCode } from "./errors.ts";
export type { CreateOptions } from "./repeats.ts";
export type { ClientOptions } from "./client-settings.ts";
export type { RequestOptions } from "./transport.ts";
export type { WaitOptions } from "./wait.ts";
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookBody,
  type WebhookErrorCode,
  type WebhookHeaders,
} from "./webhooks.ts";

/** The templates of the account. */
export type Templates = {
  /** All templates, newest first. `limit` is the number of templates in each request. */
  list(query?: { limit?: number }, options?: RequestOptions): AsyncIterable<TemplateSummary>;
  /** One page of that list. */
  listPage(query?: PageQuery, options?: RequestOptions): Promise<TemplatePage>;
  /** A template with its fields and an example of its data. */
  get(id: string, options?: RequestOptions): Promise<Template>;
};

/** A client for one account. */
export type Client = {
  /** Creates, lists, reads, downloads and deletes documents. */
  documents: Documents;
  /** Creates and follows batches: thousands of documents in one request. */
  batches: Batches;
  /** Lists and reads templates. */
  templates: Templates;
  /** Reads the monthly allowance. */
  usage: {
    /** How much of its monthly allowance the account has used. */
    get(options?: RequestOptions): Promise<Usage>;
  };
  /** Verifies webhooks. */
  webhooks: {
    /** The same as `verifyWebhook`, which needs no client. */
    verify: typeof verifyWebhook;
  };
};

/** Returns a client for one account. It sends nothing until a method is called. */
export function createClient(options: ClientOptions): Client {
  const api = transport(settingsOf(options));
  return {
    documents: documents(api),
    batches: batches(api),
    templates: templates(api),
    usage: { get: (options) => api.json({ method: "GET", path: "/usage" }, options) },
    webhooks: { verify: verifyWebhook },
  };
}

function templates(api: Transport): Templates {
  const listPage = async (query: PageQuery = {}, options?: RequestOptions) =>
    api.json<TemplatePage>({ method: "GET", path: `/templates${queryString(query)}` }, options);
  return {
    list: ({ limit = 100 } = {}, options) => allItems((page) => listPage({ ...page, limit }, options)),
    listPage,
    get: async (id, options) => api.json({ method: "GET", path: `/templates/${pathId(id)}` }, options),
  };
}
