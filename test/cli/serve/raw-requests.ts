// Requests as bytes, most of which two servers may interpret differently. Each contains a second request, `PATCH /healthz`, which
// nobody sent and which must never reach the Worker.
import { connect } from "node:net";

export const hidden = "PATCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

export type RawRequest = {
  name: string;
  bytes: string;
  /** The statuses of the responses. */
  statuses: number[];
  /** The requests that the Worker receives: method and body. */
  passed: string[];
  /** Whether the caller closes its side after the bytes. */
  ends?: boolean;
};

const methods = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "LOCK"];
const path = "/healthz";
const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

export function request(method: string, headers: string[], body = "", version = "HTTP/1.1"): string {
  return [`${method} ${path} ${version}`, "Host: x", ...headers, "", body].join("\r\n");
}

function refused(name: string, bytes: string, status = 400): RawRequest {
  return { name, bytes, statuses: [status], passed: [] };
}

function served(name: string, bytes: string, passed: string, statuses = [200]): RawRequest {
  return { name, bytes, statuses, passed: [passed] };
}

const length = `Content-Length: ${hidden.length}`;
const encoding = "Transfer-Encoding: chunked";

/** Methods that Node's parser knows and the Worker's runtime does not. */
const unknownMethods = ["LINK", "M-SEARCH", "QUERY"].map((method) =>
  refused(`the method ${method}`, request(method, []), 405),
);

const withoutBody = methods.flatMap((method) => [
  refused(`${method} with a chunked body`, request(method, [encoding], chunked)),
  refused(`${method} with a body of stated length`, request(method, [length], hidden)),
]);

const ambiguous: [string, string[], string][] = [
  ["both lengths", [length, encoding], chunked],
  ["both lengths, the other way round", [encoding, length], chunked],
  ["no length in numbers beside chunks", ["Content-Length: x", encoding], chunked],
  ["two different lengths", ["Content-Length: 3", length], hidden],
  ["the same length twice", [length, length], hidden],
  ["a list of lengths", [`Content-Length: ${hidden.length}, ${hidden.length}`], hidden],
  ["a length with a sign", [`Content-Length: +${hidden.length}`], hidden],
  ["a negative length", ["Content-Length: -1"], hidden],
  ["a hexadecimal length", ["Content-Length: 0x25"], hidden],
  ["a length with a space", ["Content-Length: 3 7"], hidden],
  ["an empty length", ["Content-Length: "], hidden],
  ["a length of 30 digits", [`Content-Length: ${"9".repeat(30)}`], hidden],
  ["chunks twice", [encoding, encoding], chunked],
  ["chunks after gzip", ["Transfer-Encoding: gzip, chunked"], chunked],
  ["gzip after chunks", ["Transfer-Encoding: chunked, gzip"], chunked],
  ["identity", ["Transfer-Encoding: identity"], chunked],
  ["an unknown encoding", ["Transfer-Encoding: xchunked"], chunked],
  ["a quoted encoding", ['Transfer-Encoding: "chunked"'], chunked],
  ["an encoding with a parameter", ["Transfer-Encoding: chunked;q=1"], chunked],
  ["a space before the colon", ["Transfer-Encoding : chunked"], chunked],
  ["a tab before the colon", ["Transfer-Encoding\t: chunked"], chunked],
  ["a vertical tab before the encoding", ["Transfer-Encoding: \u000bchunked"], chunked],
  ["a continued line", ["Transfer-Encoding:", " chunked"], chunked],
  ["a continued line of another header", ["X: y", " Transfer-Encoding: chunked"], chunked],
  ["a NUL in a header", ["X: \0"], ""],
  ["a lone carriage return in a header", [`X: y\rTransfer-Encoding: chunked`], chunked],
  ["a lone line feed in a header", [`X: y\nTransfer-Encoding: chunked`, length], chunked],
  ["a late length", [encoding, "Trailer: Content-Length"], chunked.replace(/\r\n$/, "Content-Length: 9\r\n\r\n")],
  ["a chunk size with a sign", [encoding], `+${chunked}`],
  ["a chunk size with 0x", [encoding], `0x${chunked}`],
  ["a chunk size too long for a number", [encoding], `ffffffffffffffffff\r\n${hidden}`],
  ["a chunk longer than its size", [encoding], `1\r\n${hidden}\r\n0\r\n\r\n`],
  ["line feeds alone between chunks", [encoding], chunked.replaceAll("\r\n", "\n")],
  ["a chunk size that ends with a line feed", [encoding], chunked.replace("\r\n", "\n")],
];

const others: RawRequest[] = [
  served("a body of stated length", request("POST", [length], hidden), `POST ${hidden}`),
  served("a chunked body", request("PUT", [encoding], chunked), `PUT ${hidden}`),
  served("an encoding in capitals", request("POST", [encoding.toUpperCase()], chunked), `POST ${hidden}`),
  served(
    "chunks with an extension and a trailer",
    request("POST", [encoding, "Trailer: X"], chunked.replace("\r\n", ";a=b\r\n").replace(/\r\n$/, "X: y\r\n\r\n")),
    `POST ${hidden}`,
  ),
  served("no length at all", request("POST", []), "POST "),
  served("GET with a length of 0", request("GET", ["Content-Length: 0"]), "GET "),
  served("DELETE without a body", request("DELETE", []), "DELETE "),
  served(
    "GET that asks for another protocol",
    request("GET", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]),
    "GET ",
  ),
  served("GET with `Connection: Content-Length`", request("GET", ["Connection: close, Content-Length"]), "GET "),
  served("an absolute target", request("GET", []).replace(path, `http://evil.example.com${path}`), "GET "),
  served(
    "POST that expects 100",
    request("POST", ["Expect: 100-continue", length], hidden),
    `POST ${hidden}`,
    [100, 200],
  ),
  served("HTTP/1.0", request("GET", [], "", "HTTP/1.0"), "GET "),
  refused("POST that expects something else", request("POST", ["Expect: 200-ok", length], hidden), 417),
  refused("a body beside an upgrade", request("GET", ["Connection: Upgrade", "Upgrade: websocket", length], hidden)),
  refused("chunks beside an upgrade", request("GET", ["Connection: Upgrade", "Upgrade: websocket", encoding], chunked)),
  refused("chunks in HTTP/1.0", request("POST", [encoding], chunked, "HTTP/1.0")),
  refused("an HTTP/2.0 that is none", request("GET", [], "", "HTTP/2.0")),
  refused("HTTP/0.9", `GET ${path}\r\n\r\n`),
  refused("no host", `GET ${path} HTTP/1.1\r\n\r\n`),
  refused("two hosts", request("GET", ["Host: y"])),
  refused("an encoding after many headers", request("GET", [...Array<string>(1_100).fill("a:b"), encoding], chunked)),
  refused("headers of 20 kB", request("GET", [`X: ${"x".repeat(20_000)}`]), 431),
  refused("CONNECT", `CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n${hidden}`, 405),
  refused("CONNECT with a body", `CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n${length}\r\n\r\n${hidden}`, 405),
  refused("a target that is not a path", request("GET", []).replace(path, "javascript:/healthz"), 400),
  refused("the target *", request("OPTIONS", []).replace(path, "*"), 404),
  refused("a beginning in HTTP/2", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`),
  served("two requests at once", request("GET", []) + hidden, "GET "),
  {
    name: "GET that expects 100 for a body",
    bytes: request("GET", ["Expect: 100-continue", length]),
    statuses: [100, 400],
    passed: [],
  },
  { ...refused("half a head", "GET /healthz HTTP/1.1\r\nHos"), ends: true },
];

/** Requests use GET if the method matters, and POST if the length matters. */
export const rawRequests: RawRequest[] = [
  ...unknownMethods,
  ...withoutBody,
  ...ambiguous.map(([name, headers, body]) => refused(name, request("POST", headers, body))),
  ...others,
];

/** Sends bytes, and returns the response until the connection is closed or nothing more arrives for some time. */
export async function sendRaw(port: number, bytes: string, ends = false, idleMs = 250): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let timer = setTimeout(resolve, 5_000);
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    clearTimeout(timer);
    timer = setTimeout(resolve, idleMs);
  });
  socket.on("error", () => resolve());
  socket.on("close", () => resolve());
  socket.write(bytes, "latin1");
  if (ends) socket.end();
  await promise;
  clearTimeout(timer);
  socket.destroy();
  return text;
}

export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** The body of the first final response. */
export function bodyIn(text: string): unknown {
  return JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
}
