// The part of `npm run serve` that listens to the network. It forwards requests to the Worker, which listens on the loopback
// interface only, because the simulator around the Worker believes headers and has paths of its own below /cdn-cgi/.
import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type BlockList } from "node:net";
import { pipeline } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { logLine } from "./log-line.ts";

export type FrontOptions = {
  publicUrl: URL;
  /** Returns the port of the Worker as soon as it runs, or null if it does not run in time. */
  workerPort(timeoutMs: number): Promise<number | null>;
  /** The reverse proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: BlockList;
};

/** While the Worker starts again, requests wait as long as this. */
const startTimeoutMs = 15_000;
/** The Worker's own limit is 26 s. */
const responseTimeoutMs = 60_000;
const maxConnections = 1_000;
/** How long the body of a request may take to arrive: as long as the Worker waits for the items of a batch. */
const requestTimeoutMs = 10 * 60_000;
const maxBody = { bytes: 1_048_576, text: "1 MiB" };
const maxUpload = { bytes: 50_000_000, text: "50 MB" };
/** The runtime closes a connection that has been idle for 5 s. */
const idleConnectionMs = 3_000;

export class Front {
  readonly #agent = new Agent({ keepAlive: true, timeout: idleConnectionMs });
  readonly #inFlight = new Set<ServerResponse>();
  readonly #server: Server;

  constructor(options: FrontOptions) {
    this.#server = createServer((incoming, outgoing) => {
      const { socket } = incoming;
      // A caller that sends requests without reading the responses would fill the memory. Browsers and proxies never do that.
      if ([...this.#inFlight].some((other) => other.req.socket === socket && !other.writableFinished))
        return socket.destroy();
      this.#inFlight.add(outgoing);
      outgoing.on("close", () => this.#inFlight.delete(outgoing));
      return void handle(incoming, outgoing, options, this.#agent);
    });
    this.#server.maxConnections = maxConnections;
    // Longer than a reverse proxy keeps its connections, so that it does not send a request while this closes the connection.
    this.#server.keepAliveTimeout = 75_000;
    this.#server.requestTimeout = requestTimeoutMs;
  }

  async listen(port: number, host: string): Promise<void> {
    await once(this.#server.listen(port, host), "listening");
  }

  /** Takes no more connections, and waits for the requests in flight, but not longer than this. */
  async close(timeoutMs: number): Promise<void> {
    this.#server.close();
    const timeoutAt = Date.now() + timeoutMs;
    while (this.#inFlight.size > 0 && Date.now() < timeoutAt) await setTimeout(50);
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { publicUrl, workerPort, trustedProxies }: FrontOptions,
  agent: Agent,
): Promise<void> {
  const path = workerPath(incoming.url ?? "");
  if (path === null) return refuse(outgoing, 404, "NOT_FOUND", "There is nothing at this path.");
  const port = await workerPort(startTimeoutMs);
  if (port === null) return unavailable(outgoing, "the Worker does not run");
  const headers = {
    ...forwarded(incoming.headers),
    Host: publicUrl.host,
    "CF-Connecting-IP": clientAddress(incoming, trustedProxies),
  };
  const { method } = incoming;
  const isUpload = method === "PUT" || (method === "POST" && /\/batches(\?|$)/.test(path));
  const max = isUpload ? maxUpload : maxBody;
  const toWorker = request({ host: "127.0.0.1", port, method, path, headers, agent, timeout: responseTimeoutMs });
  toWorker.on("timeout", () => toWorker.destroy(new Error("the Worker did not respond")));
  toWorker.on("error", (error) => {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
    // The Worker does not read a body of more than 100 MB to its end, and its response may be lost.
    else if (Number(incoming.headers["content-length"]) > max.bytes)
      refuse(outgoing, 413, "VALIDATION_ERROR", `The body is larger than ${max.text}.`);
    else unavailable(outgoing, error.message);
  });
  toWorker.on("response", (response) => {
    outgoing.writeHead(response.statusCode ?? 502, forwarded(response.headers));
    pipeline(response, outgoing, () => undefined);
  });
  outgoing.on("close", () => toWorker.destroy());
  pipeline(incoming, toWorker, () => undefined);
}

/** Returns the path and the query that the Worker gets, or null for a path of the simulator, in whatever way it is written. */
function workerPath(target: string): string | null {
  const text = target.startsWith("/") ? `http://front${target}` : target;
  if (!URL.canParse(text)) return null;
  const { pathname, search } = new URL(text);
  let decoded = pathname;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    // A path that cannot be decoded is not one of the simulator's.
  }
  return /^[\\/]*cdn-cgi/i.test(decoded) ? null : pathname + search;
}

/** Leaves out the headers that concern one connection, and those that the platform or its simulator would believe. */
function forwarded<Headers extends NodeJS.Dict<string | string[]>>(headers: Headers): Headers {
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !/^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|host|forwarded|expect|(proxy|mf|cf|x-forwarded)-.*)$/.test(
        name,
      ),
  );
  return Object.fromEntries(kept) as Headers;
}

/** The last address is the one that the trusted proxy has added itself. */
function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: BlockList): string {
  const peer = plainAddress(socket.remoteAddress ?? "");
  const given =
    String(headers["x-forwarded-for"] ?? "")
      .split(",")
      .at(-1)
      ?.trim() ?? "";
  const isTrusted = isIP(peer) !== 0 && trustedProxies.check(peer, isIP(peer) === 6 ? "ipv6" : "ipv4");
  return isTrusted && isIP(given) !== 0 ? plainAddress(given) : peer;
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

function unavailable(outgoing: ServerResponse, reason: string): void {
  console.log(logLine("error", "front.unavailable", reason));
  outgoing.setHeader("Retry-After", "5");
  refuse(outgoing, 503, "SERVICE_UNAVAILABLE", "The service is starting. Try again in a few seconds.");
}

function refuse(outgoing: ServerResponse, status: number, code: string, message: string): void {
  const meta = { timestamp: new Date().toISOString() };
  // The body may not have been read, and would be taken for the next request.
  outgoing.writeHead(status, { "Content-Type": "application/json; charset=UTF-8", Connection: "close" });
  outgoing.end(JSON.stringify({ success: false, error: { code, message }, meta }));
}
