// Which `encryption` a create accepts, and what the render then gets.
import { expect, it } from "vitest";
import { permissions } from "colophon-pdf/encryption";
import { baseUrl } from "../../fixtures/tenant.ts";
import { fakeApi, refusalOf, type FakeApi } from "../fake-api.ts";

const unknownPermission = (index: number) =>
  `\`encryption.permissions.${index}\` must be "print", "print-high-quality", "modify", "copy", "annotate", "fill-forms" or "assemble".`;
const noPassword = "`encryption` must have a `userPassword`, an `ownerPassword` or both.";
const notString = (name: string) => `\`encryption.${name}\` must be a string.`;
const notObject = "`encryption` must be an object.";
const notArray = "`encryption.permissions` must be an array.";
const tooLong = /^A password has at most 127 bytes/;
const samePassword = /^`encryption.ownerPassword` must not be the same as the `userPassword`/;
const onlyPdf = '`encryption` is only allowed with the `format` "pdf".';

type Refused = [what: string, encryption: unknown, path: string, message: string | RegExp];
const withPermissions = (list: unknown) => ({ userPassword: "a", permissions: list });

it.each<Refused>([
  ["null", null, "encryption", notObject],
  ["true", true, "encryption", notObject],
  ["a string", "secret", "encryption", notObject],
  ["an array", [{ userPassword: "a" }], "encryption", notObject],
  ["an empty object", {}, "encryption", noPassword],
  ["permissions alone", { permissions: [] }, "encryption", noPassword],
  [
    "an unknown property",
    { userPassword: "a", password: "b" },
    "encryption.password",
    /the allowed properties are `userPassword`, `ownerPassword`, `permissions`, `encryptMetadata`\.$/,
  ],
  ["`__proto__`", JSON.parse('{"userPassword":"a","__proto__":1}'), "encryption.__proto__", /is not a known property/],
  ["the userPassword null", { userPassword: null }, "encryption.userPassword", notString("userPassword")],
  ["the userPassword 1234", { userPassword: 1234 }, "encryption.userPassword", notString("userPassword")],
  ["a list as ownerPassword", { ownerPassword: ["a"] }, "encryption.ownerPassword", notString("ownerPassword")],
  [
    "an empty userPassword",
    { userPassword: "" },
    "encryption.userPassword",
    "An empty password protects nothing; leave it out.",
  ],
  [
    "an empty ownerPassword beside a userPassword",
    { userPassword: "a", ownerPassword: "" },
    "encryption.ownerPassword",
    "An empty password protects nothing; leave it out.",
  ],
  ["the same password twice", { userPassword: "a", ownerPassword: "a" }, "encryption.ownerPassword", samePassword],
  [
    "two spellings of one password",
    { userPassword: "e\u0301", ownerPassword: "\u00ad\u00e9", permissions: [] },
    "encryption.ownerPassword",
    samePassword,
  ],
  [
    "a userPassword that is empty when prepared",
    { userPassword: "\u00ad\u200d" },
    "encryption.userPassword",
    /at least one character/,
  ],
  ["128 bytes", { userPassword: "a".repeat(128) }, "encryption.userPassword", tooLong],
  ["128 bytes of 64 letters", { ownerPassword: "é".repeat(64) }, "encryption.ownerPassword", tooLong],
  [
    "255 characters of which one is left",
    { userPassword: `a${"\u00ad".repeat(254)}` },
    "encryption.userPassword",
    tooLong,
  ],
  [
    "a megabyte of combining marks",
    { userPassword: "\u0301\u0323".repeat(200_000) },
    "encryption.userPassword",
    tooLong,
  ],
  ["U+0000", { userPassword: "a\0" }, "encryption.userPassword", /must not contain U\+0000/],
  ["a right-to-left mark", { userPassword: "a\u200f" }, "encryption.userPassword", /must not contain U\+200F/],
  ["a private-use character", { userPassword: "\ue000" }, "encryption.userPassword", /must not contain U\+E000/],
  ["Arabic and Latin letters", { userPassword: "سرa" }, "encryption.userPassword", /right-to-left/],
  ["permissions null", withPermissions(null), "encryption.permissions", notArray],
  ["permissions as text", withPermissions("copy"), "encryption.permissions", notArray],
  ["permissions as an object", withPermissions({ 0: "copy" }), "encryption.permissions", notArray],
  ["an unknown permission", withPermissions(["copy", "Print"]), "encryption.permissions.1", unknownPermission(1)],
  ["null among permissions", withPermissions([null]), "encryption.permissions.0", unknownPermission(0)],
  ["a list in the permissions", withPermissions([["copy"]]), "encryption.permissions.0", unknownPermission(0)],
  [
    "20,000 unknown permissions",
    withPermissions(Array.from({ length: 20_000 }, () => "x")),
    "encryption.permissions.0",
    unknownPermission(0),
  ],
  [
    "the encryptMetadata null",
    { userPassword: "a", encryptMetadata: null },
    "encryption.encryptMetadata",
    /must be true or false/,
  ],
  [
    "the encryptMetadata 0",
    { userPassword: "a", encryptMetadata: 0 },
    "encryption.encryptMetadata",
    /must be true or false/,
  ],
])(
  "a create with %s as or in its encryption is refused with the path and the reason",
  async (_, encryption, path, message) => {
    const api = await fakeApi();

    const refusal = await refusalOf(await post(api, { encryption }));

    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
    expect(refusal.message).toMatch(message);
    expect([api.services.state.holds.size, api.services.state.documents.size]).toEqual([0, 0]);
  },
);

it.each([
  ["a lone surrogate", '{"userPassword":"a\\ud800"}', "encryption.userPassword"],
  ["a password twice", '{"userPassword":"a","userPassword":"b"}', "encryption.userPassword"],
])("JSON with %s is refused with the path", async (_, encryption, path) => {
  const api = await fakeApi();

  const refusal = await refusalOf(
    await post(api, `{"templateId":"${api.templateId}","data":{},"encryption":${encryption}}`),
  );

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
});

it.each(["png", "jpeg", "webp"])("a create with encryption and the format %s is refused", async (format) => {
  const refusal = await refusalOf(await post(await fakeApi(), { format, encryption: { userPassword: "a" } }));

  expect(refusal).toMatchObject({ status: 400, message: onlyPdf, details: [{ path: "encryption", message: onlyPdf }] });
});

it("a refusal does not repeat a password", async () => {
  const encryption = { userPassword: "s3cret".repeat(40), ownerPassword: "\0wn3r", permissions: ["s3cret"] };

  expect(JSON.stringify(await refusalOf(await post(await fakeApi(), { encryption })))).not.toMatch(/s3cret|wn3r/);
});

const bytes = (text: string) => new TextEncoder().encode(text);
const everything = { ownerPassword: null, permissions: [...permissions], encryptMetadata: true };

it.each<[string, object, object]>([
  ["a userPassword", { userPassword: "a" }, { userPassword: bytes("a") }],
  ["an ownerPassword", { ownerPassword: "b" }, { userPassword: null, ownerPassword: bytes("b") }],
  ["127 bytes", { userPassword: "a".repeat(127) }, { userPassword: bytes("a".repeat(127)) }],
  [
    "127 wide letters, which are prepared as 127 bytes",
    { userPassword: "ａ".repeat(127) },
    { userPassword: bytes("a".repeat(127)) },
  ],
  ["decomposed letters", { userPassword: "e\u0301\u00ad" }, { userPassword: bytes("é") }],
  [
    "Arabic, and emoji",
    { userPassword: "سر", ownerPassword: "😀👍🏽" },
    { userPassword: bytes("سر"), ownerPassword: bytes("😀👍🏽") },
  ],
  ["no permissions", { userPassword: "a", permissions: [] }, { userPassword: bytes("a"), permissions: [] }],
  [
    "repeated permissions",
    { userPassword: "a", permissions: ["copy", "print", "copy"] },
    { userPassword: bytes("a"), permissions: ["copy", "print"] },
  ],
  [
    "more permissions than there are",
    { userPassword: "a", permissions: [...permissions, ...permissions] },
    { userPassword: bytes("a") },
  ],
  [
    "clear metadata",
    { userPassword: "a", encryptMetadata: false },
    { userPassword: bytes("a"), encryptMetadata: false },
  ],
])("a create with %s gives the encryption to the render, and stores nothing of it", async (_, encryption, expected) => {
  const api = await fakeApi();
  const { state } = api.services;

  const response = await post(api, { encryption }, { "Idempotency-Key": "k" });

  expect([response.status, state.jobs.map((job) => job.encryption)]).toEqual([201, [{ ...everything, ...expected }]]);
  const stored = [...state.holds.values(), ...state.documents.values(), ...state.log, ...state.queued];
  expect(JSON.stringify([stored, await response.json()])).not.toMatch(/encrypt|assword/i);
});

it("a create without encryption gives the render no property for it", async () => {
  const api = await fakeApi();

  await post(api, {});

  expect(Object.keys(api.services.state.jobs[0] ?? {})).not.toContain("encryption");
});

function post(api: FakeApi, body: object | string, headers: Record<string, string> = {}): Promise<Response> {
  return api.fetch(`${baseUrl}/documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${api.key}`, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify({ templateId: api.templateId, data: {}, ...body }),
  });
}
