// Every command that sends a key accepts the same addresses: https, or http to this machine.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { checkServiceUrl } from "colophon-base/service-url";
import { onService } from "colophon-templates/service";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "colophon-client";
import { serviceApi, serviceAt } from "../../src/cli/service-api.ts";

afterEach(() => void vi.unstubAllEnvs());

const accepted = [
  "https://pdf.example.com",
  "https://10.0.0.5:8443",
  "http://localhost:8787",
  "HTTP://LocalHost",
  "http://localhost.:8787",
  "http://colophon.localhost:8787",
  "http://127.0.0.1",
  "http://127.8.9.10:1",
  "http://127.1",
  "http://0x7f.1",
  "http://2130706433",
  "http://[::1]:8787",
  "http://[0:0:0:0:0:0:0:1]",
  "http://[::ffff:127.0.0.1]",
  "http://localhost\\@evil.example",
];
const overHttp = [
  "http://pdf.example.com",
  "http://10.0.0.5:8787",
  "http://192.168.0.1",
  "http://0.0.0.0:8787",
  "http://[::]",
  "http://[::2]",
  "http://localhost.evil.com",
  "http://evil-localhost",
  "http://127.0.0.1.nip.io",
  "http://127.evil.com",
  "http://128.0.0.1",
  "http://lоcalhost",
  "http://[::ffff:10.0.0.1]",
];
const others = [
  "http://localhost@evil.example",
  "http://127.0.0.1:80@evil.example",
  "https://user:password@pdf.example.com",
  "https://pdf.example.com?to=x",
  "https://pdf.example.com#x",
  "ftp://localhost",
  "localhost:8787",
  "//localhost",
  "http://",
  "",
];

/** What sends a key: the function throws if it refuses the address. */
const senders: Record<string, (url: string) => unknown> = {
  "the operator's command": (url) => serviceApi({ COLOPHON_URL: url, COLOPHON_OPERATOR_KEY: "key" }, true),
  "an author's command": (url) => {
    vi.stubEnv("COLOPHON_URL", url);
    vi.stubEnv("COLOPHON_KEY", "key");
    return onService(async () => {});
  },
  "the client": (url) => createClient({ baseUrl: `${url}/api/v1`, apiKey: "key" }),
  "the smoke test": (url) => {
    const address = checkServiceUrl(url);
    if (address.status === "refused") throw new Error(address.reason);
  },
};

const send = async (sender: string, url: string) => senders[sender]?.(url);

describe.each(Object.keys(senders))("%s", (sender) => {
  it.each(accepted)("accepts the address %j", async (url) => {
    await expect(send(sender, url)).resolves.not.toThrow();
  });

  it.each(overHttp)("names https when it refuses the address %j", async (url) => {
    await expect(send(sender, url)).rejects.toThrow(/must begin with https:\/\/, because .* key/);
  });

  it.each(others.filter((url) => sender !== "the client" || !/[?#]/.test(url)))(
    "refuses the address %j",
    async (url) => {
      await expect(send(sender, url)).rejects.toThrow();
    },
  );
});

it.each(["", "/", "/api/v1", "/api/v1/", "/api/manage/v1"])(
  "COLOPHON_URL with %j at its end means the same to both commands",
  async (end) => {
    const url = `https://pdf.example.com${end}`;
    const env = { COLOPHON_URL: url, COLOPHON_OPERATOR_KEY: "key" };

    expect(checkServiceUrl(url)).toEqual({ status: "accepted", url: "https://pdf.example.com" });
    expect((await serviceApi(env, true)).url).toBe("https://pdf.example.com");
  },
);

describe("a redirect", () => {
  const servers: Server[] = [];
  afterEach(async () => Promise.all(servers.splice(0).map((server) => server.close())));

  async function serve(
    respond: () => { status: number; location?: string },
  ): Promise<{ url: string; keys: unknown[] }> {
    const keys: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      keys.push(headers.authorization);
      const { status, location } = respond();
      response.writeHead(status, location === undefined ? {} : { location }).end("{}");
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
  }

  it.each([301, 302, 303, 307, 308])("with status %i is followed by no client", async (status) => {
    const target = await serve(() => ({ status: 200 }));
    const { url } = await serve(() => ({ status, location: target.url }));

    const body = { name: "Ada", plan: "free" } as const;
    await expect(serviceAt(url, "key").call("POST /accounts", { body })).rejects.toMatchObject({ status });
    const client = createClient({ baseUrl: url, apiKey: "key", maxRetries: 0 });
    await expect(client.usage.get()).rejects.toMatchObject({ status });
    expect(target.keys).toEqual([]);
  });
});
