// The HTTP server of `template dev`. It listens only on the loopback interface, and accepts only requests from its own page:
// otherwise, a different web page in the author's browser could reach it, even under its own host name (DNS rebinding).
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parsedJson } from "colophon-base/parsed-json";
import { contentTypeOf } from "colophon-page/document-format";
import { reportPolicy } from "../testing/report.ts";
import { renderRequest, type FolderState, type RenderRequest } from "./messages.ts";
import type { PageFile } from "./page-files.ts";
import type { RenderedPreview } from "./render-preview.ts";

export type DevServerParts = {
  port: number;
  /** The files of the page, by path. */
  files: ReadonlyMap<string, PageFile>;
  state(): FolderState;
  /** Returns null if the sample does not exist or has problems. */
  sampleData(file: string): Record<string, unknown> | null;
  render(request: RenderRequest): Promise<RenderedPreview>;
  /** Runs the tests and returns their report; null if the signal was aborted. */
  test(signal: AbortSignal): Promise<string | null>;
};

export const loopback = "127.0.0.1";
/** The API accepts bodies of at most 1 MiB, which consist almost entirely of `data`. */
const maxBodyBytes = 1024 * 1024;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Rejects if the port is in use. Port 0 chooses a free port. */
export async function startDevServer(parts: DevServerParts) {
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    respond(parts, listeners, request, response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, "The request failed; see the terminal.");
    });
  });
  await once(server.listen(parts.port, loopback), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : parts.port,
    /** Sends the state to every page. */
    send(state: FolderState) {
      listeners.forEach((listener) => listener.write(eventOf(state)));
    },
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function respond(
  parts: DevServerParts,
  listeners: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const refusal = refusalOf(request);
  if (refusal) return sendText(response, 403, refusal);
  const address = URL.parse(request.url ?? "/", "http://page");
  if (!address) return sendText(response, 404, "This page does not exist.");
  const { pathname, searchParams } = address;
  const route = `${request.method} ${pathname}`;
  if (route === "GET /events") return subscribe(parts, listeners, response);
  if (route === "POST /render") return renderTo(parts, request, response);
  if (route === "GET /tests") return testTo(parts, response);
  if (route === "GET /sample") return sendJson(response, parts.sampleData(searchParams.get("file") ?? ""));
  const file = request.method === "GET" ? parts.files.get(pathname) : undefined;
  if (!file) return sendText(response, 404, "This page does not exist.");
  response.writeHead(200, { "Content-Type": file.contentType }).end(file.content);
}

/** Returns why the request is not from this server's page; null if it is. */
function refusalOf({ headers: { host, origin, "sec-fetch-site": site }, socket }: IncomingMessage): string | null {
  const port = socket.localPort;
  const hosts = [`${loopback}:${port}`, `localhost:${port}`];
  if (!host || !hosts.includes(host)) return `Open http://${loopback}:${port} instead.`;
  if (origin !== undefined && origin !== `http://${host}`) return "Only the page of this server may call it.";
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  return isOwn ? null : "Only the page of this server may call it.";
}

function subscribe({ state }: DevServerParts, listeners: Set<ServerResponse>, response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(eventOf(state()));
  listeners.add(response);
  response.once("close", () => listeners.delete(response));
}

function eventOf(state: FolderState): string {
  return `data: ${JSON.stringify(state)}\n\n`;
}

async function renderTo({ render }: DevServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A form on a different page cannot send this type.
  if (request.headers["content-type"] !== "application/json") return sendText(response, 415, "The body must be JSON.");
  const text = await bodyOf(request);
  if (text === null) return sendText(response, 413, "The API accepts requests of at most 1 MiB; the data is larger.");
  const parsed = renderRequest.safeParse(parsedJson(text)?.value);
  if (!parsed.success) return sendText(response, 400, parsed.error.issues[0]?.message ?? "");
  const { format } = parsed.data;
  const { result, file } = await render(parsed.data);
  const form = new FormData();
  form.set("result", JSON.stringify(result));
  if (file) form.set("file", new Blob([new Uint8Array(file)], { type: contentTypeOf(format) }));
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  response.writeHead(200, { "Content-Type": encoded.headers.get("Content-Type") ?? "" }).end(body);
}

/** The page shows the report in a frame. A response without content leaves the frame unchanged. */
async function testTo({ test }: DevServerParts, response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  response.once("close", () => ended.abort());
  const report = await test(ended.signal);
  const policy = `${reportPolicy}; frame-ancestors 'self'`;
  const sent = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
  response.writeHead(report === null ? 204 : 200, sent).end(report);
}

/** Returns null if the body is too large, without reading the rest of it. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maxBodyBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" }).end(text);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}
