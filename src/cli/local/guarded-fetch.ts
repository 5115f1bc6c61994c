// Sends the Worker's own requests, for webhooks and images, from a machine that can reach private addresses. The address is checked when a
// connection to it is made, so earlier DNS results do not matter. Cloudflare's proxy does this on the platform. Every request has a total
// time and size here, and its connection is closed when nobody reads it any more, whatever the remote server does.
import { request as httpRequest, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { BlockList, connect, isIP, type LookupFunction, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import { URL } from "node:url";
import { Request, Response } from "miniflare";

type Limits = { totalMs: number; maxBytes: number };
type Options = { lookup?: LookupFunction; limits?: Limits };
type Fetch = (request: Request, reader?: AbortSignal) => Promise<Response>;

/** Longer and larger than the Worker's own limits, so that the Worker's limits give the reason for a failure. */
const defaultLimits: Limits = { totalMs: 30_000, maxBytes: 5_200_000 };
const maxInterim = 20;
const withoutBody = new Set([204, 205, 304]);
/**
 * The response headers that the Worker reads. Only these are passed on, so other headers cannot do harm, whatever their number, names
 * and values.
 */
const wantedHeaders = ["content-encoding", "content-length", "content-type", "location", "retry-after"];

/**
 * Returns a `fetch` that connects to public addresses only, except for the allowed origins. Redirects are left to the caller, and its next
 * request is checked in the same way. Rejects if the connection fails or the response is not valid in a Worker. The connection is closed
 * when the response has ended, its body is canceled, or `reader` is aborted. The request's own signal is not used: it may be
 * garbage-collected, like a signal made by `AbortSignal.any`, and would then never abort.
 */
export function guardedFetch(
  allowedOrigins: ReadonlySet<string>,
  { lookup, limits = defaultLimits }: Options = {},
): Fetch {
  return async (request, reader) => {
    const url = new URL(request.url);
    const guard = allowedOrigins.has(url.origin) ? {} : { blockList: privateAddresses };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    const createConnection = (): Socket => {
      const socket = connect({ host, port, ...guard, ...(lookup && { lookup }) });
      return url.protocol === "https:" ? connectTls({ socket, host, servername: isIP(host) ? "" : host }) : socket;
    };
    // A compressed response could become much larger than the limit.
    const headers = { ...Object.fromEntries(request.headers), "accept-encoding": "identity" };
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const ended = new AbortController();
    const { signal } = ended;
    reader?.addEventListener("abort", () => ended.abort(), { signal });
    if (reader?.aborted) ended.abort();
    const timer = setTimeout(() => ended.abort(), limits.totalMs);
    const { method } = request;
    const onClose = () => clearTimeout(timer);
    return send(url, { method, headers, createConnection, signal, maxBytes: limits.maxBytes, onClose }, body);
  };
}

type Sent = RequestOptions & { signal: AbortSignal; maxBytes: number; onClose: () => void };

async function send(url: URL, options: Sent, body: Buffer | undefined): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options);
  outgoing.on("error", reject).on("close", () => reject(new Error("the connection was closed")));
  outgoing.on("close", options.onClose);
  outgoing.on("response", resolve);
  // Interim responses do not end the request, and do not count towards the response size.
  let interim = 0;
  outgoing.on("information", () => ++interim > maxInterim && outgoing.destroy(new Error("too many interim responses")));
  outgoing.end(body);
  const close = () => void outgoing.destroy();
  try {
    return responseOf(await promise, options, close);
  } catch (failure) {
    close();
    throw failure;
  }
}

function responseOf(incoming: IncomingMessage, options: Sent, close: () => void): Response {
  const status = incoming.statusCode ?? 0;
  const headers = wantedHeaders.flatMap((name) => {
    const [value] = incoming.headersDistinct[name] ?? [];
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  incoming.on("error", () => undefined);
  if (!withoutBody.has(status)) return new Response(bodyOf(incoming, options, close), { status, headers });
  close();
  return new Response(null, { status, headers });
}

/** `Readable.toWeb` is not used, because it waits for the next part before it ends a connection. */
function bodyOf(incoming: IncomingMessage, { signal, maxBytes }: Sent, close: () => void): ReadableStream {
  const parts = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let size = 0;
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await parts.next();
    // Otherwise, a body without a length seems complete when its connection is closed.
    signal.throwIfAborted();
    if (done) return controller.close();
    size += value.length;
    if (size <= maxBytes) return controller.enqueue(value);
    close();
    throw new Error("the response is too large");
  };
  return new ReadableStream({ pull, cancel: close }, { highWaterMark: 0 });
}

/** Addresses that are not public: RFC 6890 and its registries, and addresses that embed an IPv4 address. */
const ipv4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3";
const ipv6 =
  "::/127 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 " +
  "fec0::/10 ff00::/8";

const privateAddresses = new BlockList();
for (const [family, ranges] of [["ipv4", ipv4] as const, ["ipv6", ipv6] as const]) {
  for (const range of ranges.split(" ")) {
    const [network = "", prefix] = range.split("/");
    privateAddresses.addSubnet(network, Number(prefix), family);
  }
}

/** The request to the Node server would lose the scheme of its URL. */
const urlHeader = "colophon-outbound-url";
/** No response of a remote server has this header, because the guard forwards only a few headers. */
const failedHeader = "colophon-outbound-failed";
const script = `export default {
  async fetch(request, { GUARD, BROWSER_ORIGIN }) {
    const { origin, pathname } = new URL(request.url);
    const isBrowser = request.headers.has("Upgrade") || pathname === "/json/version";
    if (isBrowser && origin === BROWSER_ORIGIN) return fetch(request);
    const guarded = new Request(request);
    guarded.headers.set("${urlHeader}", request.url);
    const response = await GUARD.fetch(guarded);
    if (response.headers.has("${failedHeader}")) throw new Error("the connection failed");
    return response;
  },
};`;

/**
 * Returns a Worker for the simulator that receives the requests of the service's Worker. Requests for the DevTools at `browserOrigin` are
 * not guarded. All others are passed to a Node server instead of the simulator's `fetch`, which reads a response to its end even if the
 * Worker no longer waits for it.
 */
export function outboundWorker(name: string, allowedOrigins: string[], browserOrigin: string) {
  return {
    name,
    modules: true,
    script,
    compatibilityDate: "2026-11-01",
    bindings: { BROWSER_ORIGIN: browserOrigin },
    serviceBindings: { GUARD: { node: guardedListener(allowedOrigins) } },
  } as const;
}

/** Never throws, because the simulator would respond with a stack trace. The Worker throws for a failed request, as on the platform. */
function guardedListener(allowedOrigins: string[]): RequestListener {
  const fetch = guardedFetch(new Set(allowedOrigins));
  return async (incoming, outgoing) => {
    const reader = new AbortController();
    outgoing.on("close", () => reader.abort());
    try {
      const response = await fetch(await requestOf(incoming), reader.signal);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.flushHeaders();
      await pipeline(response.body ?? [], outgoing);
    } catch {
      failed(outgoing);
    }
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", headers: all } = incoming;
  const { [urlHeader]: url, host: _host, connection: _connection, "transfer-encoding": _encoding, ...headers } = all;
  const hasBody = method !== "GET" && method !== "HEAD";
  const init = { method, headers: headers as Record<string, string> };
  return new Request(String(url), hasBody ? { ...init, body: await buffer(incoming) } : init);
}

function failed(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502, { [failedHeader]: "1" }).end();
}
