// The entry of the package: a client for the Colophon API that runs wherever there is `fetch`. It has no dependencies.
import type { PageQuery, Template, TemplatePage, TemplateSummary, Usage } from "./api.ts";
import { batches, type Batches } from "./batches.ts";
import { documents, type Documents } from "./documents.ts";
import { allItems } from "./pages.ts";
import { checkLimits } from "./limits.ts";
import { pathId, queryString } from "./query.ts";
import { transport, type RequestOptions, type Transport, type TransportSettings } from "./transport.ts";
import { verifyWebhook } from "./webhooks.ts";

export type * from "./api.ts";
export type { Batches, BatchItems } from "./batches.ts";
export type { DocumentFile } from "./document-file.ts";
export type { Documents } from "./documents.ts";
export { ColophonError, type ClientErrorCode, type ColophonErrorCode } from "./errors.ts";
export type { CreateOptions } from "./repeats.ts";
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

/** What `createClient` accepts. The limits apply to every request that has none of its own. */
export type ClientOptions = Omit<RequestOptions, "signal"> & {
  /** The URL that ends with `/api/v1`. */
  baseUrl: string;
  /** A key of the account, `colophon_…`. */
  apiKey: string;
  /** Used in place of the global `fetch`, for example to go through a proxy. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

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
    list: ({ limit = 100 } = {}, options) =>
      allItems(
        (page) => listPage({ ...page, limit }, options),
        (page) => page.templates,
      ),
    listPage,
    get: async (id, options) => api.json({ method: "GET", path: `/templates/${pathId(id)}` }, options),
  };
}

function settingsOf({ baseUrl, apiKey, fetch: ownFetch, ...limits }: ClientOptions): TransportSettings {
  // A header with other characters would be refused with an error that contains the key.
  if (typeof apiKey !== "string" || !/^[!-~]+$/.test(apiKey))
    throw new TypeError("`apiKey` must be an API key: visible ASCII characters only, without spaces and line breaks.");
  const { timeoutMs = 30_000, maxRetries = Infinity, totalTimeoutMs = 90_000 } = limits;
  checkLimits({ timeoutMs, maxRetries, totalTimeoutMs });
  return {
    baseUrl: checkedBaseUrl(baseUrl),
    apiKey,
    // Some platforms refuse to call `fetch` as a method of another object.
    fetch: ownFetch ? (url, init) => ownFetch(url, init) : (url, init) => fetch(url, init),
    random: Math.random,
    timeoutMs,
    maxRetries,
    totalTimeoutMs,
  };
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) throw new TypeError("`baseUrl` must be a URL such as https://pdf.example.com/api/v1.");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    throw new TypeError(
      "`baseUrl` must begin with https://, because everybody between here and the service can read a key that is sent over http. http:// is for localhost only.",
    );
  return url.href.replace(/\/+$/, "");
}

/** The same as in colophon-base, which this package does not depend on. */
function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(hostname);
}
