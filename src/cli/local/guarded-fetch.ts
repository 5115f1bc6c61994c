// Sends the Worker's own requests, for webhooks and images, from a machine that can reach private addresses. The address is checked
// when a connection to it is made, so it does not matter what a name resolved to before. Cloudflare's proxy does this on the platform.
import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { BlockList, connect, isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import { connect as connectTls } from "node:tls";
import { URL } from "node:url";
import { Response, type Request } from "miniflare";

type Lookup = { lookup?: LookupFunction };
type Fetch = (request: Request) => Promise<Response>;

/** A receiver that sends nothing for so long is given up. The Worker's own time limits are shorter. */
const idleTimeoutMs = 30_000;
const withoutBody = new Set([204, 205, 304]);

/**
 * Returns a `fetch` that connects to public addresses only, except for the allowed origins. Redirects are left to the caller, whose
 * next request is checked like this one. Rejects if there is no connection.
 */
export function guardedFetch(allowedOrigins: ReadonlySet<string>, { lookup }: Lookup = {}): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    const guard = allowedOrigins.has(url.origin) ? {} : { blockList: privateAddresses };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    const createConnection = (): Socket => {
      const socket = connect({ host, port, ...guard, ...(lookup && { lookup }) });
      return url.protocol === "https:" ? connectTls({ socket, host, servername: isIP(host) ? "" : host }) : socket;
    };
    // The simulator expects a body that is not encoded.
    const headers = { ...Object.fromEntries(request.headers), "accept-encoding": "identity" };
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    return send(url, { method: request.method, headers, createConnection }, body);
  };
}

function send(url: URL, options: RequestOptions, body: Buffer | undefined): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options);
  outgoing.setTimeout(idleTimeoutMs, () => outgoing.destroy(new Error("the receiver sent nothing")));
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    const status = incoming.statusCode ?? 502;
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    if (withoutBody.has(status)) incoming.resume();
    // The types of the platform's streams differ from Node's.
    const content = withoutBody.has(status) ? null : (Readable.toWeb(incoming) as unknown as ReadableStream);
    resolve(new Response(content, { status, headers }));
  });
  outgoing.end(body);
  return promise;
}

/** The addresses that are not public: RFC 6890 and its registries, with those that embed an IPv4 address. */
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
