import { env } from "cloudflare:workers";
import { describe, expect, inject, it, vi } from "vitest";
import { runDurableObjectAlarm } from "cloudflare:test";
import { nameResolver } from "../../src/platform/names/name-resolver.ts";
import { readDnsUrl } from "../../src/settings.ts";
import { nameResolverContract } from "../contracts/name-resolver.ts";
import { field, newTenant, post } from "../fixtures/tenant.ts";
import { dataOf, testService } from "../workerd/app.ts";
import { newAccount, recordEvent, senderOf, urlOf, waitForDelivery } from "./outbox.ts";

const names = () => nameResolver(env.DNS_OVER_HTTPS_URL);

/** Returns a name with these addresses, each written as a label in hexadecimal. */
function hostOf(addresses: string[]): string {
  const known: Record<string, string> = {
    "192.0.43.8": "4-c0002b08",
    "10.0.0.1": "4-0a000001",
    "127.0.0.1": "4-7f000001",
    "2001:500:88:200::8": "6-20010500008802000000000000000008",
    "::1": "6-00000000000000000000000000000001",
  };
  return [...addresses.map((address) => known[address]), "names.example.com"].join(".");
}

/** The number of questions that the DNS server got about a name. */
async function questionsAbout(host: string): Promise<number> {
  return Number(await (await fetch(`${inject("receiverOrigin")}/asked/${host}`)).text());
}

nameResolverContract("DNS over HTTPS", () => ({
  names: names(),
  host: (lookup) => {
    if (typeof lookup !== "string") return hostOf(lookup);
    return lookup === "missing" ? "missing.broken.example.com" : "hang.broken.example.com";
  },
}));

describe("a DNS answer", () => {
  it("with a chain of aliases gives the addresses at its end", async () => {
    const lookup = await names().resolve(`alias.${hostOf(["192.0.43.8", "10.0.0.1"])}`, 5_000);

    expect(lookup).toEqual({ status: "resolved", addresses: ["192.0.43.8", "10.0.0.1"] });
  });

  it("may spell the name in another case", async () => {
    const lookup = await names().resolve(
      hostOf(["192.0.43.8"]).toUpperCase().replace("4-C0002B08", "4-c0002b08"),
      5_000,
    );

    expect(lookup).toEqual({ status: "resolved", addresses: ["192.0.43.8"] });
  });

  it.each([
    ["missing", "does not exist"],
    ["missing-with-address", "does not exist"],
    ["servfail", "could not be resolved: the DNS server answered with error 2"],
    ["refused", "could not be resolved: the DNS server answered with error 5"],
    ["one-family", "could not be resolved: the DNS server answered with error 2"],
    ["incomplete", "could not be resolved: the DNS server sent an incomplete answer"],
    ["not-a-response", "could not be resolved: the DNS server sent a malformed answer"],
    ["other-id", "could not be resolved: the DNS server sent a malformed answer"],
    ["other-name", "could not be resolved: the DNS server sent a malformed answer"],
    ["other-type", "could not be resolved: the DNS server sent a malformed answer"],
    ["no-question", "could not be resolved: the DNS server sent a malformed answer"],
    ["two-questions", "could not be resolved: the DNS server sent a malformed answer"],
    ["too-few-bytes", "could not be resolved: the DNS server sent a malformed answer"],
    ["trailing-bytes", "could not be resolved: the DNS server sent a malformed answer"],
    ["wrong-count", "could not be resolved: the DNS server sent a malformed answer"],
    ["wrong-length", "could not be resolved: the DNS server sent a malformed answer"],
    ["endless-name", "could not be resolved: the DNS server sent a malformed answer"],
    ["pointer-to-itself", "could not be resolved: the DNS server sent a malformed answer"],
    ["garbage", "could not be resolved: the DNS server sent a malformed answer"],
    ["empty", "could not be resolved: the DNS server sent a malformed answer"],
    ["too-many-records", "could not be resolved: the DNS server sent too many records"],
    ["huge", "could not be resolved: the DNS server sent an answer that is too long"],
    ["json", "could not be resolved: the DNS server did not send a DNS message"],
    ["html", "could not be resolved: the DNS server did not send a DNS message"],
    ["untyped", "could not be resolved: the DNS server did not send a DNS message"],
    ["unavailable", "could not be resolved: the DNS server responded with status 503"],
    ["redirect", "could not be resolved: the DNS server responded with status 302"],
    ["hang", "could not be resolved: the DNS server did not answer in time"],
    ["trickle", "could not be resolved: the DNS server did not answer in time"],
    ["reset", "could not be resolved: the DNS server could not be reached"],
  ])("that cannot be used fails the lookup with a reason: %s", async (behaviour, reason) => {
    const lookup = await names().resolve(`${behaviour}.broken.example.com`, 500);

    expect(lookup).toEqual({ status: "failed", reason });
  });

  it("that never comes, because nothing listens at the URL, fails the lookup", async () => {
    const lookup = await nameResolver("http://127.0.0.1:9/dns-query").resolve("host.example.com", 5_000);

    expect(lookup).toEqual({
      status: "failed",
      reason: "could not be resolved: the DNS server could not be reached",
    });
  });
});

describe("the variable DNS_OVER_HTTPS_URL", () => {
  const read = (value: unknown) => readDnsUrl({ ...env, DNS_OVER_HTTPS_URL: value as string });

  it.each([
    "https://cloudflare-dns.com/dns-query",
    "http://127.0.0.1:8053/dns-query",
    "http://localhost/",
    "http://[::1]/",
  ])("may be %s", (url) => {
    expect(read(url)).toBe(url);
  });

  it.each([
    undefined,
    "",
    "cloudflare-dns.com",
    "http://dns.example.com/dns-query",
    "http://127.0.0.2/",
    "ftp://127.0.0.1/",
  ])("must not be %j", (url) => {
    expect(() => read(url)).toThrow("the variable DNS_OVER_HTTPS_URL must be an https URL");
  });
});

describe("a webhook", () => {
  it.each([
    [hostOf(["127.0.0.1"]), "the URL's host name resolves to the loopback address 127.0.0.1, but only public"],
    [
      hostOf(["192.0.43.8", "10.0.0.1"]),
      "the URL's host name resolves to the private address 10.0.0.1, but only public",
    ],
    [hostOf(["192.0.43.8", "::1"]), "the URL's host name resolves to the loopback address ::1, but only public"],
    [`alias.${hostOf(["10.0.0.1"])}`, "the URL's host name resolves to the private address 10.0.0.1, but only public"],
    ["missing.broken.example.com", "the URL's host name does not exist"],
    ["servfail.broken.example.com", "the URL's host name could not be resolved: the DNS server answered with error 2"],
    ["names.example.com", "the URL's host name has no IP address"],
  ])("is not sent to %s, and the next attempt is scheduled", async (host, reason) => {
    const account = await newAccount();

    const id = await recordEvent(account, `https://${host}/hook`);

    const { delivery } = await waitForDelivery(account, id, "pending", 1);
    expect(delivery.history).toMatchObject([{ status: null, response: null, error: expect.stringContaining(reason) }]);
    const { at, durationMs } = delivery.history[0] ?? { at: 0, durationMs: 0 };
    expect((delivery.nextAttemptAt ?? 0) - at - durationMs).toBeGreaterThanOrEqual(5_000);
  });

  it("is not sent again if the address of its host has become private", async () => {
    const account = await newAccount();
    const host = `rebinds-${account.accountId}.names.example.com`;

    const id = await recordEvent(account, `https://${host}/hook`);

    // The name does not exist outside this test's DNS server, so the request itself fails.
    const first = await waitForDelivery(account, id, "pending", 1);
    expect(first.delivery.history[0]?.error).not.toMatch(/host name/);
    vi.useFakeTimers({ toFake: ["Date"], now: first.delivery.nextAttemptAt ?? 0 });
    await runDurableObjectAlarm(senderOf(account));
    const second = await waitForDelivery(account, id, "pending", 2);
    vi.useRealTimers();
    expect(second.delivery.history[0]?.error).toMatch(
      /^the URL's host name resolves to the loopback address 127.0.0.1/,
    );
    expect(await questionsAbout(host)).toBe(4);
  });

  it("is sent to an allowed origin without a lookup", async () => {
    const account = await newAccount();

    const id = await recordEvent(account, urlOf(account, "ok"));

    await waitForDelivery(account, id, "delivered", 1);
    expect(await questionsAbout("127.0.0.1")).toBe(0);
  });
});

describe("an image", () => {
  /** Creates a document with these images, and returns its status and its warnings. */
  async function created(urls: string[]): Promise<{ status: string; warnings: string[] }> {
    const fields = [field("photos", "list", { items: "image" })];
    const tenant = await newTenant(env, {
      page: "{% for photo in photos %}<img src='{{ photo }}'>{% endfor %}",
      fields,
    });
    const body = { templateId: tenant.templateId, data: { photos: urls } };
    return dataOf(await post(testService(), tenant, body));
  }

  it("is not fetched from a host with a private address, and a warning gives the reason", async () => {
    const { status, warnings } = await created([`https://${hostOf(["192.0.43.8", "10.0.0.1"])}/a.png`]);

    expect(status).toBe("completed");
    expect(warnings).toEqual([
      "The image `photos.0` was left empty: its URL's host name resolves to the private address 10.0.0.1, but only public addresses are allowed.",
    ]);
  });

  it("is not fetched if the lookup fails", async () => {
    const { warnings } = await created(["https://servfail.broken.example.com/a.png"]);

    expect(warnings).toEqual([
      "The image `photos.0` was left empty: its URL's host name could not be resolved: the DNS server answered with error 2.",
    ]);
  });

  it("is not fetched through a redirect to a host with a private address", async () => {
    const { warnings } = await created([`${inject("receiverOrigin")}/${crypto.randomUUID()}/redirect-inwards`]);

    expect(warnings).toEqual([expect.stringContaining("resolves to the private address 10.0.0.1")]);
  });

  it("shares one lookup with the document's other images on the same host", async () => {
    const host = `${crypto.randomUUID()}.${hostOf(["127.0.0.1"])}`;

    const { warnings } = await created(Array.from({ length: 50 }, (_, index) => `https://${host}/${index}.png`));

    expect(warnings).toHaveLength(20);
    expect(await questionsAbout(host)).toBe(2);
  });
});
