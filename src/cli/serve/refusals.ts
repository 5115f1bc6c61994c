// The responses of the front itself. They have the same envelope as the Worker's.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { limitedLine } from "./log-line.ts";

/** How long the rest of a request is read after its response, so that the caller receives the response. */
const lingerMs = 900;
const retryAfterSeconds = "5";

const logUnavailable = limitedLine("error", "front.unavailable", "The Worker did not respond to a request.");

const codes: Record<number, string> = { 404: "NOT_FOUND", 503: "SERVICE_UNAVAILABLE" };

/** The responses to requests that Node's parser refuses although they are not malformed, by error code. */
const parserRefusals: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers are larger than 16 KiB." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
  CONNECT: { status: 405, message: "This service is not a proxy." },
};
const malformed = { status: 400, message: "The request is not valid HTTP/1.1." };

export function unavailable(outgoing: ServerResponse, reason: string): void {
  logUnavailable();
  refuse(outgoing, 503, `${reason} Try again in a few seconds.`);
}

export function refuseExpectation(_incoming: IncomingMessage, outgoing: ServerResponse): void {
  refuse(outgoing, 417, "The only supported value of `Expect` is `100-continue`.");
}

export function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const { headers, body } = failure(status, message);
  outgoing.writeHead(status, headers);
  outgoing.write(body);
  void endAfterBody(outgoing.req, outgoing);
}

/**
 * Responds to bytes that are not a valid request. `outgoing` is the response to an earlier request whose body turns out to be
 * malformed.
 */
export function refuseConnection(socket: Duplex, code: string, outgoing?: ServerResponse): void {
  const { status, message } = parserRefusals[code] ?? malformed;
  void setTimeout(lingerMs).then(() => socket.destroy());
  if (outgoing?.headersSent) return;
  if (outgoing) return refuse(outgoing, status, message);
  const { headers, body } = failure(status, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => socket.destroy());
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

/** Ends a response whose request may still be arriving. */
export async function endAfterBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (!incoming.complete) {
    incoming.unpipe();
    incoming.resume();
    await Promise.race([once(incoming, "close"), setTimeout(lingerMs)]).catch(() => {});
  }
  outgoing.end();
}

function failure(status: number, message: string): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const meta = { timestamp: new Date().toISOString(), requestId };
  const code = codes[status] ?? (status === 405 ? "METHOD_NOT_ALLOWED" : "VALIDATION_ERROR");
  const body = JSON.stringify({ success: false, error: { code, message }, meta });
  const headers = {
    "Content-Type": "application/json; charset=UTF-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": requestId,
    // The rest of the body would be read as the next request.
    Connection: "close",
    ...(status === 503 && { "Retry-After": retryAfterSeconds }),
  };
  return { headers, body };
}
