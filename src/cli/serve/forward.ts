// Sends a request to the Worker over its own connection, and passes on the response.
import { once } from "node:events";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { isLongRequest, maxRequestMs } from "../../http/long-requests.ts";
import { endAfterBody, unavailable } from "./refusals.ts";
import { endToEnd, type WorkerRequest } from "./worker-request.ts";

/** How long requests wait for a Worker that is restarting. */
const startTimeoutMs = 15_000;
/** The Worker's own limits are 26 s, and 10 minutes for requests that may take long. */
const responseTimeoutMs = { usual: 60_000, long: maxRequestMs + 10_000 };

export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { method, path, headers }: WorkerRequest,
  workerPort: (timeoutMs: number) => Promise<number | null>,
): Promise<void> {
  const socket = await connected(workerPort);
  if (!socket) return unavailable(outgoing, "The service is starting.");
  if (outgoing.destroyed || outgoing.headersSent) return void socket.destroy();
  const timeout = responseTimeoutMs[isLongRequest(method, new URL(path, "http://front").pathname) ? "long" : "usual"];
  // Without an agent, the connection is closed after the response.
  const toWorker = request({ createConnection: () => socket, method, path, headers, timeout });
  toWorker.on("timeout", () => toWorker.destroy(new Error("the Worker did not respond")));
  toWorker.on("error", () => {
    if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
    unavailable(outgoing, "The service ended while it handled the request, which may have taken effect.");
  });
  toWorker.on("response", (response) => void passOn(response, incoming, outgoing).catch(() => outgoing.destroy()));
  outgoing.on("close", () => toWorker.destroy());
  // A pipeline would close the caller's connection, which is still needed for the response.
  incoming.pipe(toWorker);
}

/** Returns a new connection to the Worker. It is refused if the process has just ended. */
async function connected(workerPort: (timeoutMs: number) => Promise<number | null>): Promise<Socket | null> {
  for (const timeoutAt = Date.now() + startTimeoutMs; ; await setTimeout(100)) {
    const port = await workerPort(Math.max(0, timeoutAt - Date.now()));
    if (port === null) return null;
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    if (await once(socket, "connect").catch(() => null)) return socket;
    if (Date.now() >= timeoutAt) return null;
  }
}

async function passOn(response: IncomingMessage, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (outgoing.headersSent) return void response.destroy();
  if (!incoming.complete) outgoing.setHeader("Connection", "close");
  outgoing.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
  await pipeline(response, outgoing, { end: false });
  await endAfterBody(incoming, outgoing);
}
