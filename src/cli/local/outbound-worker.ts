// Lets the Worker's own requests pass through the guard. They arrive in a Node server of the simulator, and not as requests of the
// simulator's `fetch`, which reads a response to its end although the Worker no longer waits for it.
import type { RequestListener, IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Request } from "miniflare";
import { guardedFetch } from "./guarded-fetch.ts";

/** The request to the Node server loses the scheme of its URL. */
const urlHeader = "colophon-outbound-url";
/** No response of another server has this header, because the guard passes few headers on. */
const failedHeader = "colophon-outbound-failed";
const script = `export default {
  async fetch(request, { GUARD }) {
    const guarded = new Request(request);
    guarded.headers.set("${urlHeader}", request.url);
    const response = await GUARD.fetch(guarded);
    if (response.headers.has("${failedHeader}")) throw new Error("the connection failed");
    return response;
  },
};`;

/** Returns a Worker for the simulator, to which another Worker's requests go. */
export function outboundWorker(name: string, allowedOrigins: string[]) {
  return {
    name,
    modules: true,
    script,
    compatibilityDate: "2026-11-01",
    serviceBindings: { GUARD: { node: guardedListener(allowedOrigins) } },
  } as const;
}

/** Never throws, because the simulator would respond with a stack. The Worker throws for a request that fails, as the platform does. */
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
