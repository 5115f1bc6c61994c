// Decides which parts of a request the Worker gets: the method, the path, and headers whose values the front has verified.
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { isIP, type BlockList, type Socket } from "node:net";
import { percentDecoded } from "colophon-base/encoding";
import { isLoopbackHost } from "colophon-base/service-url";
import { maxRequestBytes } from "../../http/long-requests.ts";

export type WorkerRequest = { method: string; path: string; headers: OutgoingHttpHeaders };

export type Acceptance =
  | { status: "accepted"; request: WorkerRequest }
  | { status: "refused"; code: 400 | 404 | 405 | 413; message: string };

/** The methods whose requests have a body. The Worker has no other operations with a body. */
const bodyMethods = new Set(["POST", "PUT", "PATCH"]);
/** Node accepts these as methods, but the Worker's runtime does not. */
const unknownMethods = new Set("BIND LINK M-SEARCH MKCALENDAR QUERY REBIND SOURCE UNBIND UNLINK".split(" "));
/** Stands for every address at which this machine was reached over the network without TLS. The Worker refuses it. */
const unencryptedOrigin = "http://unencrypted.invalid";

export function workerRequest(incoming: IncomingMessage, publicUrl: URL, trustedProxies: BlockList): Acceptance {
  const { method = "", headers } = incoming;
  const message = framingProblem(incoming);
  if (message !== null) return { status: "refused", code: 400, message };
  if (Number(headers["content-length"]) > maxRequestBytes)
    return { status: "refused", code: 413, message: `The body is larger than ${maxRequestBytes / 1e6} MB.` };
  if (unknownMethods.has(method)) return { status: "refused", code: 405, message: "No path accepts this method." };
  const path = workerPath(incoming.url ?? "");
  if (path === null) return { status: "refused", code: 404, message: "Nothing exists at this path." };
  const isChunked = headers["transfer-encoding"] !== undefined;
  const ownHeaders = {
    Host: publicUrl.host,
    "CF-Connecting-IP": clientAddress(incoming, trustedProxies),
    "MF-Original-URL": originOf(incoming, publicUrl, trustedProxies) + path,
    ...(isChunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": headers["content-length"] ?? "0" }),
  };
  return { status: "accepted", request: { method, path, headers: { ...endToEnd(headers), ...ownHeaders } } };
}

/** Returns the problem of the body's length, which two servers may interpret differently; null if there is none. */
function framingProblem({ method = "", headers, headersDistinct, httpVersion }: IncomingMessage): string | null {
  const { "transfer-encoding": encoding, "content-length": length } = headers;
  const hosts = headersDistinct["host"]?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0")) return "The request must have exactly one `Host` header.";
  if (httpVersion !== "1.1" && (httpVersion !== "1.0" || encoding !== undefined))
    return "The request must use HTTP/1.1.";
  if (encoding !== undefined && (encoding.toLowerCase() !== "chunked" || length !== undefined))
    return "The body must have either `Content-Length` or `Transfer-Encoding: chunked`.";
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return "`Content-Length` must be a number.";
  if ((encoding !== undefined || Number(length ?? 0) > 0) && !bodyMethods.has(method))
    return "A request with this method must not have a body.";
  return null;
}

/** Returns the path and query for the Worker, or null for a path of the simulator, in any notation. */
function workerPath(target: string): string | null {
  const text = target.startsWith("/") ? `http://front${target}` : target;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { pathname, search } = new URL(text);
  // A path that cannot be decoded is not one of the simulator's.
  return /^[\\/]*cdn-cgi/i.test(percentDecoded(pathname)) ? null : pathname + search;
}

const removedHeader =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|host|forwarded|expect|(proxy|mf|cf|x-forwarded)-.*)$/;

/** Removes headers that concern a single connection, and headers that the platform or its simulator would trust. */
export function endToEnd<Headers extends NodeJS.Dict<string | string[]>>(headers: Headers): Headers {
  const kept = Object.entries(headers).filter(([name]) => !removedHeader.test(name));
  return Object.fromEntries(kept) as Headers;
}

/** The last address is the one that the trusted proxy itself added. */
function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: BlockList): string {
  const peer = peerOf(socket);
  const forwardedFor = lastOf(headers["x-forwarded-for"]);
  return isListed(trustedProxies, peer) && isIP(forwardedFor) !== 0 ? plainAddress(forwardedFor) : peer;
}

/**
 * Returns the origin of the request. A remote client is either a trusted proxy, whose `X-Forwarded-Proto` is believed, or it sends its key
 * unencrypted. A proxy on this machine need not be listed.
 */
function originOf({ socket, headers }: IncomingMessage, publicUrl: URL, trustedProxies: BlockList): string {
  const peer = peerOf(socket);
  const isTrusted = isListed(trustedProxies, peer);
  if (isTrusted && lastOf(headers["x-forwarded-proto"]).toLowerCase() === "http" && !isLoopbackHost(publicUrl.hostname))
    return unencryptedOrigin;
  return isTrusted || isLoopbackHost(isIP(peer) === 6 ? `[${peer}]` : peer) ? publicUrl.origin : unencryptedOrigin;
}

function lastOf(list: string | string[] | undefined): string {
  return String(list ?? "")
    .replace(/^.*,/s, "")
    .trim();
}

export function peerOf({ remoteAddress }: Socket): string {
  return plainAddress(remoteAddress ?? "");
}

export function isListed(proxies: BlockList, address: string): boolean {
  return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
