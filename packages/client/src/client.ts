// The entry of the package: a client for the Colophon API that runs wherever `fetch` exists. It has no dependencies.
import type { PageQuery, Template, TemplatePage, Usage } from "./api.ts";
import { batches } from "./batches.ts";
import { settingsOf, type ClientOptions } from "./client-settings.ts";
import { documents } from "./documents.ts";
import { allItems } from "./pages.ts";
import { pathId, queryString } from "./query.ts";
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
export type Templates = ReturnType<typeof templates>;
/** A client for one account. */
export type Client = ReturnType<typeof createClient>;

/** Returns a client for one account. Nothing is sent until a method is called. */
export function createClient(options: ClientOptions) {
  const api = transport(settingsOf(options));
  return {
    /** Creates, lists, reads, downloads and deletes documents. */
    documents: documents(api),
    /** Creates and follows batches: thousands of documents in one request. */
    batches: batches(api),
    /** Lists and reads templates. */
    templates: templates(api),
    /** Reads the monthly allowance. */
    usage: {
      /** How much of its monthly allowance the account has used. */
      get: (options?: RequestOptions): Promise<Usage> => api.json({ method: "GET", path: "/usage" }, options),
    },
    /** Verifies webhooks: the same function as `verifyWebhook`, which needs no client. */
    webhooks: { verify: verifyWebhook },
  };
}

function templates(api: Transport) {
  const listPage = async (query: PageQuery = {}, options?: RequestOptions): Promise<TemplatePage> =>
    api.json({ method: "GET", path: `/templates${queryString(query)}` }, options);
  return {
    /** All templates, newest first. `limit` is the number of templates in each request. */
    list: (query: { limit?: number } = {}, options?: RequestOptions) =>
      allItems((page) => listPage(page, options), query),
    /** One page of the list of templates. */
    listPage,
    /** A template with its fields and an example of its data. */
    get: async (id: string, options?: RequestOptions): Promise<Template> =>
      api.json({ method: "GET", path: `/templates/${pathId(id)}` }, options),
  };
}
