// The part of `npm run serve` that listens to the network. It forwards requests to the Worker, which listens on the loopback
// interface only, because the simulator around the Worker trusts headers and adds paths below /cdn-cgi/. Every request has its own
// connection to the Worker, so the rest of one request cannot be read as part of the next.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, BlockList, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { clientOf } from "../../core/accounts/client.ts";
import { maxRequestMs } from "../../http/long-requests.ts";
import { forward } from "./forward.ts";
import { limitedLine } from "./log-line.ts";
import { refuse, refuseConnection, refuseExpectation, unavailable } from "./refusals.ts";
import { isListed, peerOf, workerRequest } from "./worker-request.ts";

export type FrontOptions = {
  publicUrl: URL;
  /** Returns the Worker's port as soon as it runs, or null if it does not run in time. */
  workerPort(timeoutMs: number): Promise<number | null>;
  /** The reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  trustedProxies: BlockList;
  /** The maximum time in which the head of a request must arrive. */
  headersTimeoutMs?: number;
};

const maxConnections = { ofAll: 1_000, ofOneClient: 50 };
const maxEarlyRequests = 100;
/** The interval at which Node looks for requests that take too long. */
const checkIntervalMs = 1_000;
/** Longer than a reverse proxy keeps its connections, so that it does not send a request on a connection that is being closed here. */
const keepAliveMs = 75_000;

const logDropped = limitedLine(
  "warn",
  "front.connection_dropped",
  "Too many connections are open, from one client or in total.",
);
const logNotTrusted = limitedLine(
  "warn",
  "front.proxy_not_trusted",
  "X-Forwarded-For is ignored, because it came from an address that TRUSTED_PROXY does not list.",
);

export class Front {
  readonly #inFlight = new Map<Socket, ServerResponse>();
  /** The number of requests that arrived before the response to the previous one. */
  readonly #early = new WeakMap<Socket, number>();
  readonly #options: FrontOptions;
  readonly #server: Server;
  #isClosing = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    const limits = {
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      requestTimeout: maxRequestMs,
      connectionsCheckingInterval: checkIntervalMs,
      keepAliveTimeout: keepAliveMs,
    };
    // Node itself would refuse a request without Host, but without the envelope.
    this.#server = createServer({ ...limits, requireHostHeader: false }, (incoming, outgoing) => {
      void this.#receive(incoming, outgoing).catch(() => outgoing.destroy());
    });
    // Otherwise, Node drops headers after the first thousand, and Transfer-Encoding may be among them.
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = maxConnections.ofAll;
    this.#server.on("drop", logDropped);
    this.#server.on("connection", limitClients(options.trustedProxies));
    this.#server.on("checkExpectation", refuseExpectation);
    this.#server.on("connect", (_incoming, socket) => refuseConnection(socket, "CONNECT"));
    this.#server.on("clientError", ({ code }: NodeJS.ErrnoException, socket) =>
      refuseConnection(socket, code ?? "", this.#inFlight.get(socket as Socket)),
    );
  }

  /** Returns the port; if `port` is 0, a free one is chosen. */
  async listen(port: number, host: string): Promise<number> {
    await once(this.#server.listen(port, host), "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  /** Refuses new requests, and waits up to `timeoutMs` for the requests in flight. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    const timeoutAt = Date.now() + timeoutMs;
    while (this.#inFlight.size > 0 && Date.now() < timeoutAt) await setTimeout(50);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const previous = this.#inFlight.get(socket);
    if (previous) return this.#closeAfter(previous, socket);
    if (this.#isClosing) return unavailable(outgoing, "The service is restarting.");
    this.#inFlight.set(socket, outgoing);
    outgoing.on("close", () => this.#inFlight.delete(socket));
    const { publicUrl, trustedProxies, workerPort } = this.#options;
    if (incoming.headers["x-forwarded-for"] !== undefined && !isListed(trustedProxies, peerOf(socket))) logNotTrusted();
    const accepted = workerRequest(incoming, publicUrl, trustedProxies);
    if (accepted.status === "refused") return refuse(outgoing, accepted.code, accepted.message);
    await forward(incoming, outgoing, accepted.request, workerPort);
  }

  /**
   * Responds to no request that arrives before the response to the previous one: a caller that sends requests without reading
   * responses would fill the memory. Browsers and proxies never do that. The closed connection tells the caller to resend them.
   */
  #closeAfter(previous: ServerResponse, socket: Socket): void {
    const count = (this.#early.get(socket) ?? 0) + 1;
    this.#early.set(socket, count);
    // Node parses everything that arrives, so a megabyte of requests would occupy the processor for a second.
    if (count > maxEarlyRequests) return void socket.destroy();
    if (count > 1) return;
    socket.pause();
    if (!previous.headersSent) previous.setHeader("Connection", "close");
    previous.once("close", () => socket.destroySoon());
  }
}

/** Closes connections of a client that has too many, except a trusted proxy, which forwards the requests of many clients. */
function limitClients(trustedProxies: BlockList): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const peer = peerOf(socket);
    if (isListed(trustedProxies, peer)) return;
    const client = clientOf(peer, undefined) ?? peer;
    const count = open.get(client) ?? 0;
    if (count >= maxConnections.ofOneClient) {
      logDropped();
      return void socket.destroy();
    }
    open.set(client, count + 1);
    socket.once("close", () => {
      const remaining = (open.get(client) ?? 1) - 1;
      if (remaining === 0) open.delete(client);
      else open.set(client, remaining);
    });
  };
}
