import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import { BlockList, connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CoreHeaders } from "miniflare";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { Front, type FrontOptions } from "../../../src/cli/serve/front.ts";

type Seen = { url: string; headers: IncomingHttpHeaders; body: string };

let worker: Server;
let front: Front;
let port: number;
const seen: Seen[] = [];
const release = Promise.withResolvers<void>();

beforeAll(async () => {
  worker = createServer(async (request, response) => {
    if (request.url?.startsWith("/broken-at-once")) return void request.socket.destroy();
    seen.push({ url: request.url ?? "", headers: request.headers, body: await text(request) });
    if (request.url === "/slow") await release.promise;
    if (request.url === "/broken") request.socket.destroy();
    response.writeHead(201, { "X-Made": "here", "CF-Secret": "x" }).end("made");
  });
  await new Promise<void>((resolve) => worker.listen(0, "127.0.0.1", resolve));
  const workerPort = async () => (worker.address() as AddressInfo).port;
  front = new Front({ publicUrl: new URL("https://pdf.example.com"), workerPort, trustedProxies: new BlockList() });
  port = await front.listen(0, "127.0.0.1");
});

afterAll(async () => {
  await front.close(0);
  worker.close();
});

/** Starts a front that is closed at the end of the test, and returns it with its port. */
async function frontWith({ proxies = [], ...options }: Partial<FrontOptions> & { proxies?: string[] }) {
  const trustedProxies = new BlockList();
  for (const proxy of proxies) trustedProxies.addAddress(proxy);
  const publicUrl = new URL("https://pdf.example.com");
  const workerPort = async () => (worker.address() as AddressInfo).port;
  const started = new Front({ publicUrl, workerPort, trustedProxies, ...options });
  onTestFinished(() => started.close(0));
  return { front: started, port: await started.listen(0, "127.0.0.1") };
}

type Sent = { status: number; headers: IncomingHttpHeaders; body: string };

function send(path: string, headers: Record<string, string> = {}, body = "", to = port): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const options = { host: "127.0.0.1", port: to, path, headers, method: body ? "POST" : "GET" };
  const outgoing = httpRequest(
    { ...options, headers: { ...headers, "Content-Length": String(body.length) } },
    async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
    },
  );
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}

it("the front of npm run serve forwards a request and its response", async () => {
  const sent = await send("/api/v1/documents?limit=1", { "Content-Type": "application/json" }, "{}");

  expect(sent).toMatchObject({ status: 201, body: "made", headers: { "x-made": "here" } });
  expect(sent.headers).not.toHaveProperty("cf-secret");
  expect(seen.at(-1)).toMatchObject({ url: "/api/v1/documents?limit=1", body: "{}" });
});

it("the front of npm run serve forwards neither the host nor headers that the simulator trusts", async () => {
  const forged = {
    Host: "evil.example.com",
    "CF-Connecting-IP": "8.8.8.8",
    "CF-Worker": "evil",
    ...Object.fromEntries(Object.values(CoreHeaders).map((name) => [name, '{"country":"KP"}'])),
    "X-Forwarded-For": "8.8.8.8",
    "X-Forwarded-Proto": "http",
    Forwarded: "for=8.8.8.8",
  };

  await send("/", forged);

  const { headers } = seen.at(-1) ?? { headers: {} };
  expect(headers).toMatchObject({ host: "pdf.example.com", "cf-connecting-ip": "127.0.0.1" });
  expect(Object.keys(headers).filter((name) => /^(cf|mf|x-forwarded|forwarded)/.test(name))).toEqual([
    "cf-connecting-ip",
    "mf-original-url",
  ]);
  expect(seen.at(-1)?.headers["mf-original-url"]).toBe("https://pdf.example.com/");
});

it("the front of npm run serve trusts the last address in X-Forwarded-For if the proxy is trusted", async () => {
  const { port: proxyPort } = await frontWith({ proxies: ["127.0.0.1"] });
  const clientFor = async (given: string) => {
    await send("/", { "X-Forwarded-For": given }, "", proxyPort);
    return seen.at(-1)?.headers["cf-connecting-ip"];
  };

  expect(await clientFor("8.8.8.8, 203.0.113.7")).toBe("203.0.113.7");
  expect(await clientFor("2001:db8::1")).toBe("2001:db8::1");
  expect(await clientFor("8.8.8.8, nonsense")).toBe("127.0.0.1");
});

it.each([
  [["127.0.0.1"], { "X-Forwarded-Proto": "http" }, "http://unencrypted.invalid/"],
  [["127.0.0.1"], { "X-Forwarded-Proto": "https, http" }, "http://unencrypted.invalid/"],
  [["127.0.0.1"], { "X-Forwarded-Proto": "https" }, "https://pdf.example.com/"],
  [["127.0.0.1"], {}, "https://pdf.example.com/"],
  [["10.0.0.1"], { "X-Forwarded-Proto": "http" }, "https://pdf.example.com/"],
])(
  "the front of npm run serve with the trusted proxies %j gives a request with %j the URL %s",
  async (proxies, headers, url) => {
    const { port: proxyPort } = await frontWith({ proxies });

    await send("/", headers, "", proxyPort);

    expect(seen.at(-1)?.headers["mf-original-url"]).toBe(url);
  },
);

it.each([
  "/cdn-cgi/platform-proxy",
  "/CDN-cgi/x",
  "//cdn-cgi/x",
  "/%63dn-cgi/x",
  "/%2Fcdn-cgi/x",
  "/a/../cdn-cgi/x",
  "/a/%2e%2e/cdn-cgi/x",
  "/\\cdn-cgi/x",
  "http://localhost/cdn-cgi/x",
])("the front of npm run serve serves nothing at %s", async (path) => {
  const before = seen.length;

  expect(await send(path)).toMatchObject({ status: 404 });
  expect(seen.length).toBe(before);
});

it("the front of npm run serve responds to the first of several simultaneous requests, and closes their connection", async () => {
  const caller = connect(port, "127.0.0.1");
  const received = text(caller);
  const before = seen.length;

  caller.write("GET /slow?pipelined HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));

  expect((await received).match(/^HTTP\/1\.1 \d+|^Connection: .*/gm)).toEqual(["HTTP/1.1 201", "Connection: close"]);
  expect(seen.length).toBe(before + 1);
});

it("the front of npm run serve closes a connection with more simultaneous requests than any real client sends", async () => {
  const caller = connect(port, "127.0.0.1");
  const before = seen.length;

  caller.write("GET /slow?flood HTTP/1.1\r\nHost: x\r\n\r\n".repeat(30_000));

  expect(await text(caller).catch(() => "")).toBe("");
  expect(seen.length).toBeLessThanOrEqual(before + 1);
});

it.each([3_000_000, 55_000_000])("npm run serve responds 503 if the Worker ends during %i bytes", async (length) => {
  const sent = await send("/broken-at-once", {}, "x".repeat(length)).catch(() => null);

  expect(sent?.status).toBe(503);
});

it("the front of npm run serve refuses a body of more than 100 MB with 413, and does not forward it", async () => {
  const caller = connect(port, "127.0.0.1");
  const before = seen.length;

  caller.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000001\r\n\r\n");

  expect(await text(caller)).toMatch(/^HTTP\/1\.1 413 /);
  expect(seen.length).toBe(before);
});

it("the front of npm run serve responds with 503 in the API's format if the Worker ends while it handles a request", async () => {
  const { status, headers, body } = await send("/broken");

  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "SERVICE_UNAVAILABLE" } });
});

it("the front of npm run serve ends the request to the Worker when the caller disconnects", async () => {
  const arrived = new Promise((resolve) => worker.once("request", ({ socket }) => socket.once("close", resolve)));
  const caller = connect(port, "127.0.0.1");
  caller.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => seen.at(-1)?.url).toBe("/slow");

  caller.destroy();

  await arrived;
});

it("the front of npm run serve finishes the requests in flight before it closes, and refuses new ones", async () => {
  const { front: closing, port: closingPort } = await frontWith({});
  const slow = send("/slow", {}, "", closingPort);
  await expect.poll(() => seen.filter(({ url }) => url === "/slow").length).toBe(2);

  const closed = closing.close(5_000);
  expect(await send("/", {}, "", closingPort)).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  release.resolve();

  expect(await slow).toMatchObject({ status: 201 });
  await closed;
});

it("the front of npm run serve accepts 50 connections from an address that is not a trusted proxy, and more after these have ended", async () => {
  const { port: limitedPort } = await frontWith({});
  const callers = Array.from({ length: 70 }, () => connect(limitedPort, "127.0.0.1").on("error", () => {}));
  const open = () => callers.filter((caller) => !caller.closed).length;

  await expect.poll(open, { timeout: 5_000 }).toBe(50);
  for (const caller of callers) caller.destroy();
  await expect.poll(() => send("/", {}, "", limitedPort).catch(() => null)).toMatchObject({ status: 201 });
});

it("the front of npm run serve waits for the Worker if the process that listens on its port has ended", async () => {
  const ports = [1, 1, (worker.address() as AddressInfo).port];
  const { port: waitingPort } = await frontWith({ workerPort: async () => ports.shift() ?? null });

  expect(await send("/", {}, "", waitingPort)).toMatchObject({ status: 201 });
  expect((await send("/", {}, "", waitingPort)).status).toBe(503);
});

it("the front of npm run serve responds with 408 to a head that is incomplete at its time limit", async () => {
  const { port: impatientPort } = await frontWith({ headersTimeoutMs: 100 });
  const caller = connect(impatientPort, "127.0.0.1");

  caller.write("GET / HTTP/1.1\r\nHos");

  expect(await text(caller)).toMatch(/^HTTP\/1\.1 408 [^]*"requestId"/);
});
