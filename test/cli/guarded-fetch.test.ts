import { createServer, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Request } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardedFetch } from "../../src/cli/local/guarded-fetch.ts";
import {
  brokenBodies,
  failures,
  hostileServer,
  responses,
  withoutEnd,
  type HostileServer,
} from "../fixtures/hostile-server.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { Location: "/elsewhere" });
    response.end(`${request.method} ${request.headers["accept-encoding"]}`);
  });
  server.on("connection", () => connections++);
  port = await listeningPort(server);
});

afterAll(() => server.close());

async function listeningPort(listener: Server | ReturnType<typeof createTlsServer>): Promise<number> {
  // On every address, IPv4 and IPv6.
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  return (listener.address() as AddressInfo).port;
}

type Address = { address: string; family: 4 | 6 };

/** Resolves every name to the first addresses, then to the next, and so on. */
function resolvesTo(...answers: Address[][]): LookupFunction {
  let calls = 0;
  return (_host, { all }, done) => {
    const addresses = answers[calls++] ?? [];
    if (all) done(null, addresses);
    else done(null, addresses[0]?.address ?? "", addresses[0]?.family ?? 4);
  };
}

const v4 = (address: string): Address => ({ address, family: 4 });
const v6 = (address: string): Address => ({ address, family: 6 });
const blocked = { code: "ERR_IP_BLOCKED" };

it.each(["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "2130706433"])(
  "the guarded fetch does not connect to the host %s",
  async (host) => {
    const before = connections;

    await expect(guardedFetch(new Set())(new Request(`http://${host}:${port}/`))).rejects.toMatchObject(blocked);
    expect(connections).toBe(before);
  },
);

it.each<[name: string, addresses: Address[]]>([
  ["loopback", [v4("127.0.0.1")]],
  ["a private network", [v4("10.0.0.1")]],
  ["the metadata service", [v4("169.254.169.254")]],
  ["a carrier's network", [v4("100.64.0.1")]],
  ["loopback in IPv6", [v6("::1")]],
  ["a local network in IPv6", [v6("fd00::1")]],
  ["an IPv4 address in IPv6", [v6("::ffff:10.0.0.1")]],
  ["an IPv4 address behind a translator", [v6("64:ff9b::7f00:1")]],
  ["two private addresses", [v6("::1"), v4("127.0.0.1")]],
])("the guarded fetch does not connect if a name resolves to %s", async (_name, addresses) => {
  const before = connections;

  for (const scheme of ["http", "https"]) {
    const fetch = guardedFetch(new Set(), { lookup: resolvesTo(addresses) });
    await expect(fetch(new Request(`${scheme}://public.example.com:${port}/`))).rejects.toMatchObject(blocked);
  }
  expect(connections).toBe(before);
});

it("the guarded fetch checks the address for each request, because a name may later resolve to a different address", async () => {
  const allowed = `http://rebinding.example.com:${port}`;
  const lookup = resolvesTo([v4("127.0.0.1")], [v4("127.0.0.1")]);
  const before = connections;

  await guardedFetch(new Set([allowed]), { lookup })(new Request(allowed));
  await expect(guardedFetch(new Set(), { lookup })(new Request(allowed))).rejects.toMatchObject(blocked);
  expect(connections).toBe(before + 1);
});

it("the guarded fetch sends requests to an allowed origin, and leaves redirects to the caller", async () => {
  const origin = `http://127.0.0.1:${port}`;
  const fetch = guardedFetch(new Set([origin]));

  const posted = await fetch(new Request(`${origin}/hook`, { method: "POST", body: "x" }));
  expect(await posted.text()).toBe("POST identity");
  const moved = await fetch(new Request(`${origin}/moved`));
  expect([moved.status, moved.headers.get("Location")]).toEqual([302, "/elsewhere"]);
});

it("the guarded fetch sends the host name to a TLS server", async () => {
  const names: string[] = [];
  const tls = createTlsServer({
    SNICallback: (name, done) => {
      names.push(name);
      done(new Error("no certificate"));
    },
  });
  tls.on("tlsClientError", () => undefined);
  const origin = `https://pdf.example.com:${await listeningPort(tls)}`;

  const fetch = guardedFetch(new Set([origin]), { lookup: resolvesTo([v4("127.0.0.1")]) });
  await expect(fetch(new Request(origin))).rejects.toThrow();

  tls.close();
  expect(names).toEqual(["pdf.example.com"]);
});

describe("a hostile server", () => {
  let hostile: HostileServer;

  beforeAll(async () => void (hostile = await hostileServer()));
  afterAll(() => hostile.close());

  const limits = { totalMs: 250, maxBytes: 300_000 };

  function fetchOf(behaviour: string, init: ConstructorParameters<typeof Request>[1] = {}, scheme = "http") {
    const origin = `${scheme}://127.0.0.1:${hostile.port}`;
    return guardedFetch(new Set([origin]), { limits })(new Request(`${origin}/${behaviour}`, init));
  }

  /** Has no time limit that could end the request first. */
  function fetchFor(reader: AbortSignal, behaviour: string) {
    const origin = `http://127.0.0.1:${hostile.port}`;
    const patient = { limits: { totalMs: 60_000, maxBytes: limits.maxBytes } };
    return guardedFetch(new Set([origin]), patient)(new Request(`${origin}/${behaviour}`), reader);
  }

  const closed = (behaviour: string) => expect.poll(() => hostile.open(behaviour), { interval: 5 }).toBe(0);

  it.each(Object.entries(responses))(
    "the response %s of a hostile server is passed on",
    async (behaviour, [status]) => {
      const response = await fetchOf(behaviour);
      await response.text();

      expect(response.status).toBe(status);
      await closed(behaviour);
    },
  );

  it.each([...Object.keys(failures), ...Object.keys(withoutEnd)])(
    "a request fails if a hostile server does this: %s",
    async (behaviour) => {
      await expect(fetchOf(behaviour)).rejects.toThrow();
      await closed(behaviour);
    },
  );

  it("a hostile server is disconnected after a number of interim responses", async () => {
    await expect(fetchOf("endless-interim-responses")).rejects.toThrow("too many interim responses");
  });

  it.each(Object.keys(brokenBodies))(
    "only reading the body fails if a hostile server does this: %s",
    async (behaviour) => {
      const response = await fetchOf(behaviour);

      await expect(response.arrayBuffer()).rejects.toThrow();
      await closed(behaviour);
    },
  );

  it("a hostile server is disconnected when the reader of an endless or silent body stops reading", async () => {
    for (const behaviour of ["endless", "silent-body"]) {
      const response = await fetchOf(behaviour);
      await response.body?.cancel();
      await closed(behaviour);
    }
  });

  it("a hostile server is disconnected when nobody waits for its response any longer", async () => {
    const gone = new AbortController();
    const response = fetchFor(gone.signal, "silent").catch(() => "gone");
    await expect.poll(() => hostile.open("silent"), { interval: 5 }).toBe(1);
    gone.abort();

    expect(await response).toBe("gone");
    await closed("silent");
  });

  it("a hostile server is disconnected when nobody reads its silent body any longer, even after a garbage collection", async () => {
    const gone = new AbortController();
    const body = (await fetchFor(gone.signal, "silent-body")).text().catch(() => "gone");
    collectGarbage();
    gone.abort();

    expect(await body).toBe("gone");
    await closed("silent-body");
  });

  it("a hostile server is disconnected if it does not read its request", async () => {
    const body = "x".repeat(20_000_000);

    await expect(fetchOf("unread-request", { method: "POST", body })).rejects.toThrow();
    await closed("unread-request");
  });

  it.each(["", "reset-at-once", "not-http"])(
    "a hostile server without TLS fails its request (%s)",
    async (behaviour) => {
      await expect(fetchOf(behaviour, {}, "https")).rejects.toThrow();
      await closed("");
    },
  );
});
