import { Webhook } from "standardwebhooks";
import { afterEach, expect, it, vi } from "vitest";
import { verifyWebhook, type VerifyOptions } from "../../packages/client/src/client.ts";

const secret = `whsec_${Buffer.alloc(32, "first").toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, "other").toString("base64")}`;
const event = { type: "document.completed", timestamp: "2026-11-22T10:00:00.000Z", data: { id: "d1" } };
const body = JSON.stringify({ ...event, data: { id: "d1", note: "Grüße ✓" } });

afterEach(() => void vi.useRealTimers());

type Message = { body?: string; ageSeconds?: number; secrets?: string[]; change?: Record<string, string | undefined> };

/** Returns the headers of a message, signed with the library of Standard Webhooks. */
function signed({ body: text = body, ageSeconds = 0, secrets = [secret], change = {} }: Message = {}) {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((each) => new Webhook(each).sign("evt_1", at, text)).join(" "),
    ...change,
  };
}

/** Returns the code of the error, or the type of the event. */
async function outcome(
  headers: Record<string, string | undefined>,
  text: string | Uint8Array = body,
  options?: VerifyOptions,
) {
  return verifyWebhook(text, headers, secret, options).then(
    ({ type }) => type as string,
    (error: { code: string }) => error.code,
  );
}

it("an authentic message is returned as an event with its id", async () => {
  expect(await verifyWebhook(body, signed(), secret)).toEqual({ id: "evt_1", ...JSON.parse(body) });
});

it("an authentic message may be given as bytes, and its headers as a Headers object or in upper or lower case", async () => {
  const headers = signed();
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));

  for (const given of [new Headers(headers), upper]) {
    expect(await verifyWebhook(new TextEncoder().encode(body), given, secret)).toMatchObject({ id: "evt_1" });
  }
});

it.each([
  ["one of several secrets", [otherSecret, secret], [secret]],
  ["a secret that is about to end", [secret], [otherSecret, secret]],
  ["a secret without its prefix", [secret.replace("whsec_", "")], [secret]],
])("an authentic message is recognised by %s", async (_what, secrets, signers) => {
  expect(await verifyWebhook(body, signed({ secrets: signers }), secrets)).toMatchObject({ id: "evt_1" });
});

it("an authentic message may be given as an ArrayBuffer, or as a view of a part of one", async () => {
  const bytes = new TextEncoder().encode(`x${body}`);

  for (const given of [bytes.slice(1).buffer, bytes.subarray(1)])
    expect(await verifyWebhook(given, signed(), secret)).toMatchObject({ id: "evt_1" });
});

it.each([
  ["first", (own: string) => [own, "v1,AAAA"]],
  ["last", (own: string) => ["v1,AAAA", own]],
])("an authentic message may have a second signature header if its own is the %s", async (_which, both) => {
  const { "webhook-signature": own, ...others } = signed();
  const fetchHeaders = new Headers(others);
  for (const value of both(own ?? "")) fetchHeaders.append("webhook-signature", value);

  for (const headers of [fetchHeaders, { ...others, "webhook-signature": both(own ?? "") }])
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id: "evt_1" });
});

it("an authentic message may have signatures of other versions", async () => {
  const { "webhook-signature": signature } = signed();

  expect(await outcome(signed({ change: { "webhook-signature": `v1a,AAAA v2,x ${signature}` } }))).toBe(event.type);
});

it("the time of an authentic message may be as far in the past or in the future as the tolerance", async () => {
  expect(await outcome(signed({ ageSeconds: 290 }))).toBe(event.type);
  expect(await outcome(signed({ ageSeconds: -290 }))).toBe(event.type);
  expect(await outcome(signed({ ageSeconds: 900 }), body, { toleranceSeconds: 1_000 })).toBe(event.type);
});

it.each([
  ["it was signed with another secret", "INVALID_SIGNATURE", { secrets: [otherSecret] }],
  ["its id was changed", "INVALID_SIGNATURE", { change: { "webhook-id": "evt_2" } }],
  ["its signature is empty", "INVALID_SIGNATURE", { change: { "webhook-signature": "v1," } }],
  ["its signature is not base64", "INVALID_SIGNATURE", { change: { "webhook-signature": "v1,%%%" } }],
  ["it is too old", "INVALID_TIMESTAMP", { ageSeconds: 310 }],
  ["it is from the future", "INVALID_TIMESTAMP", { ageSeconds: -310 }],
  ["its time is not a number", "INVALID_TIMESTAMP", { change: { "webhook-timestamp": "now" } }],
  ["it has no id", "MISSING_HEADER", { change: { "webhook-id": undefined } }],
  ["it has no time", "MISSING_HEADER", { change: { "webhook-timestamp": "" } }],
  ["it has no signature", "MISSING_HEADER", { change: { "webhook-signature": undefined } }],
  ["it is signed but no JSON", "INVALID_BODY", { body: "no" }],
  ["it is signed but no event", "INVALID_BODY", { body: "{}" }],
] satisfies [string, string, Message][])(
  "a message that is not authentic is refused if %s (%#)",
  async (_what, code, message: Message) => {
    expect(await outcome(signed(message), message.body ?? body)).toBe(code);
  },
);

it.each([
  [4_000, "4000 s behind"],
  [-4_000, "4000 s ahead of"],
])("a message that is %i s old is refused with the difference between the clocks", async (ageSeconds, difference) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-22T10:00:00Z") });

  await expect(verifyWebhook(body, signed({ ageSeconds }), secret)).rejects.toThrow(
    `The time of the message is ${difference} this machine's clock; at most 300 s are accepted.`,
  );
});

it("a message that is not authentic is refused if its body was changed by one character", async () => {
  expect(await outcome(signed(), body.replace("d1", "d2"))).toBe("INVALID_SIGNATURE");
});

it.each([
  ["was cut", (signature: string) => signature.slice(0, -4)],
  ["was extended", (signature: string) => `${signature.slice(0, -1)}AA==`],
  ["claims to be of another version", (signature: string) => signature.replace("v1,", "v2,")],
])("a message that is not authentic is refused if its signature %s", async (_how, changed) => {
  const signature = changed(signed()["webhook-signature"] ?? "");

  expect(await outcome(signed({ change: { "webhook-signature": signature } }))).toBe("INVALID_SIGNATURE");
});

it("a message that is not authentic is refused if its time was changed within the tolerance", async () => {
  const timestamp = String(Math.floor(Date.now() / 1_000) - 100);

  expect(await outcome(signed({ change: { "webhook-timestamp": timestamp } }))).toBe("INVALID_SIGNATURE");
});

it.each([[""], ["whsec_"], ["whsec_ä"], ["whsec_a"], [[]], [undefined], [null], [[undefined]]])(
  "the secret %j is refused as a mistake",
  async (secrets) => {
    await expect(verifyWebhook(body, signed(), secrets as never)).rejects.toThrow(TypeError);
  },
);

it("a body that has already been parsed is refused with an error that explains the mistake", async () => {
  await expect(verifyWebhook(JSON.parse(body) as never, signed(), secret)).rejects.toThrow(
    new TypeError("`body` must be the body as it was received, a string or bytes, not parsed JSON."),
  );
});

it("the error for a malformed secret does not contain the secret", async () => {
  await expect(verifyWebhook(body, signed(), "whsec_s3cr3t!")).rejects.not.toThrow("s3cr3t");
});
