import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { BlockList, connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Front } from "../../../src/cli/serve/front.ts";
import { bodyIn, hidden, rawRequests, request, sendRaw, statusesIn } from "./raw-requests.ts";

let seen: string[] = [];
let connections = 0;
const worker: Server = createServer(async (incoming, response) => {
  if (incoming.url === "/early") return void response.writeHead(401, { "Content-Length": 4 }).end("soon");
  seen.push(`${incoming.method} ${await text(incoming).catch(() => "cut")}`);
  response.end("{}");
}).on("connection", () => connections++);
let front: Front;
let port = 0;

beforeAll(async () => {
  await once(worker.listen(0, "127.0.0.1"), "listening");
  const workerPort = async () => (worker.address() as AddressInfo).port;
  front = new Front({ publicUrl: new URL("https://pdf.example.com"), workerPort, trustedProxies: new BlockList() });
  port = await front.listen(0, "127.0.0.1");
});

beforeEach(() => {
  seen = [];
});

afterAll(async () => {
  await front.close(0);
  worker.close();
});

it.each(rawRequests.map((raw) => [raw.name, raw] as const))(
  "a request whose length two servers may interpret differently reaches the Worker unchanged or not at all %s",
  async (_name, { bytes, statuses, passed, ends }) => {
    const received = await sendRaw(port, bytes, ends);

    expect(statusesIn(received)).toEqual(statuses);
    expect(seen).toEqual(passed);
    if (passed.length > 0 || statuses.length !== 1 || bytes.startsWith("HEAD")) return;
    expect(received).toMatch(/\r\nX-Request-Id: [\da-f-]{36}\r\n/);
    expect(bodyIn(received)).toMatchObject({ success: false, meta: { requestId: expect.any(String) } });
  },
);

it("a connection to the Worker carries one request", async () => {
  connections = 0;

  for (const method of ["GET", "POST", "DELETE"]) await sendRaw(port, request(method, []), false, 50);

  expect(connections).toBe(3);
});

it.each([
  ["the response precedes the body", request("POST", [`Content-Length: 99`], "x").replace("/healthz", "/early"), 401],
  ["the front refuses a body that has not arrived", request("GET", [`Content-Length: 99`], "x"), 400],
  ["the front refuses chunks that have not ended", request("GET", ["Transfer-Encoding: chunked"], "1\r\nx\r\n"), 400],
])("a connection is closed soon if %s", async (_what, bytes, status) => {
  const caller = connect(port, "127.0.0.1");
  const received = text(caller);
  const startedAt = Date.now();

  caller.write(bytes);
  await once(caller, "data");
  caller.write(hidden);

  expect(statusesIn(await received)).toEqual([status]);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  expect(seen).toEqual([]);
});

it("a connection that ends within a body leaves no bytes that the Worker could read as a request", async () => {
  const arrived = once(worker, "request");
  const caller = connect(port, "127.0.0.1");
  caller.write(request("POST", ["Content-Length: 99"], hidden));
  await arrived;

  caller.end();

  await expect.poll(() => seen).toEqual(["POST cut"]);
  await once(caller.resume(), "close");
});
