// Every command that sends a key accepts the same addresses: https, or http to this machine.
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkServiceUrl } from "colophon-base/service-url";
import { createClient } from "colophon-client";
import { onService } from "colophon-templates/service";
import { serviceApi } from "../../src/cli/service-api.ts";

afterEach(() => void vi.unstubAllEnvs());

const accepted = [
  ...["https://pdf.example.com", "https://10.0.0.5:8443", "http://localhost:8787", "HTTP://LocalHost"],
  ...["http://localhost.:8787", "http://colophon.localhost:8787", "http://127.8.9.10:1", "http://0x7f.1"],
  ...["http://[::1]:8787", "http://[::ffff:127.0.0.1]", "http://localhost\\@evil.example"],
];
const overHttp = [
  ...["http://pdf.example.com", "http://10.0.0.5:8787", "http://0.0.0.0:8787", "http://128.0.0.1", "http://[::2]"],
  ...["http://localhost.evil.com", "http://evil-localhost", "http://127.0.0.1.nip.io", "http://lоcalhost"],
  "http://[::ffff:10.0.0.1]",
];
const others = [
  ...["http://localhost@evil.example", "https://user:password@pdf.example.com", "ftp://localhost", "localhost:8787"],
  ...["//localhost", "http://", "", "https://pdf.example.com?to=x", "https://pdf.example.com#x"],
];

/** The senders of keys: each function throws if it refuses the address. */
const senders: Record<string, (url: string) => Promise<unknown>> = {
  "the operator's command": (url) => serviceApi({ COLOPHON_URL: url, COLOPHON_OPERATOR_KEY: "key" }, true),
  "an author's command": async (url) => {
    vi.stubEnv("COLOPHON_URL", url);
    vi.stubEnv("COLOPHON_KEY", "key");
    return onService(async () => {});
  },
  "the client": async (url) => createClient({ baseUrl: `${url}/api/v1`, apiKey: "key" }),
};

describe.each(Object.entries(senders))("%s", (sender, send) => {
  it.each(accepted)("the command accepts the address %j", async (url) => {
    await expect(send(url)).resolves.not.toThrow();
  });

  it.each(overHttp)("the command mentions https when it refuses the address %j", async (url) => {
    await expect(send(url)).rejects.toThrow(/must begin with https:\/\/, because .* key/);
  });

  it.each(others.filter((url) => sender !== "the client" || !/[?#]/.test(url)))(
    "the command refuses the address %j",
    async (url) => {
      await expect(send(url)).rejects.toThrow();
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
