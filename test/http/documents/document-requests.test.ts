// Requests to create a document that are refused before any lookup, and unusual valid ones. The allowed JSON is tested in
// test/core/strict-json.test.ts.
import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { baseUrl, type TenantOptions } from "../../fixtures/tenant.ts";
import { fakeApi, refusalOf, type FakeApi } from "../fake-api.ts";

const mib = 1024 * 1024;
const longKey = "k".repeat(200_000);
const unknownId = "00000000-0000-4000-8000-000000000000";
const allowed =
  "`templateId`, `data`, `templateVersion`, `format`, `deviceScaleFactor`, `imageQuality`, `width`, `height`, `locale`, `webhookUrl`, `conformance`, `filename`, `metadata`, `expiresIn`, `access`, `linkExpiresIn`, `encryption`, `attachments`, `einvoice`";

const jsonError = /^The body is not valid JSON: line 1, column \d+: .+\.$/;
const objectError = "The body must be a JSON object.";
const templateIdError = "`templateId` (string) is required: the id of a template, or the name of its folder.";
const dataError = "`data` (object) is required.";
const formatError = '`format` must be "pdf", "png", "jpeg" or "webp".';
const qualityError = "`imageQuality` must be a whole number from 1 to 100.";
const conformanceError = '`conformance` must be an array, such as ["pdf/a-2a", "pdf/ua-1"] or, for no standard, [].';
const unknownStandard = (index: number, given: string) =>
  `\`conformance.${index}\` must be one of "pdf/a-2b", "pdf/a-2u", "pdf/a-2a", "pdf/a-3b", "pdf/a-3u", "pdf/a-3a", "pdf/ua-1", got ${given}.`;
const scaleError = "`deviceScaleFactor` must be 1, 2 or 3.";
const widthError = "`width` must be a whole number of CSS pixels from 16 to 5000.";
const heightError = '`height` must be a whole number of CSS pixels from 16 to 5000, or "auto".';
const localeError = "`locale` must be a BCP 47 language tag such as `de` or `en-GB`.";
const metadataValueError = "`metadata.order` must be a string of at most 500 characters, without control characters.";
const depthError = "`data` is nested more than 64 levels deep.";
const tooLarge = { status: 413, message: "The body is larger than 1 MiB." };
const tooLargeLater = { status: 413, message: "The body is larger than 5 MB." };
const asLater = { Prefer: "respond-async" };
const tooManyValues = "The data has too many values for one document. Split the document.";
const wrongCharset = {
  status: 415,
  message: "The body must be UTF-8; the charset of the Content-Type can only be utf-8.",
};
const compressed = { status: 415, message: "The body must not be compressed; send it without Content-Encoding." };
const wrongType = { status: 415, message: "The Content-Type must be application/json." };
const noTemplate = { status: 404, code: "TEMPLATE_NOT_FOUND", message: /./ };

type Body = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream | object;
type Refusal = { status?: number; code?: string; message: string | RegExp };
type BadCreate = [name: string, body: Body, refusal: Refusal | Refusal["message"], headers?: Record<string, string>];

/** One case for each value of a property of the body. */
const values = (property: string, message: string, all: unknown[], rest: object = {}): BadCreate[] =>
  all.map((value) => [`${property} ${JSON.stringify(value)}`, { ...rest, [property]: value }, message]);

// Text and bytes are sent as they are. An object is merged into a valid body; the value `undefined` omits a property.
const badCreates: BadCreate[] = [
  ["an empty body", "", jsonError],
  ["malformed JSON", "{", jsonError],
  ["100,000 unclosed arrays", "[".repeat(100_000), jsonError],
  ["two byte order marks", "\ufeff\ufeff{}", jsonError],
  ["single quotes", "{'a':1}", jsonError],
  ["200,000 unclosed objects", '{"a":'.repeat(200_000), jsonError],
  ["a missing comma", '{\n  "templateId": "1"\n  "data": {}\n}', /: line 2, column 20: a comma is missing\.$/],
  ...Object.entries({
    "Latin-1": [0xe9],
    "a character cut off by a quote": [0xf0, 0x9f, 0x98],
    "an overlong slash": [0xc0, 0xaf],
    "a pair of surrogates (CESU-8)": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    "UTF-16LE with a byte order mark": [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
  }).map(([what, bytes]): BadCreate => [what, inText(bytes), "The body is not valid UTF-8."]),
  ["a body that is cut", cutBody(), "The body ended before it was complete."],
  ["an array with a valid body", '[{"templateId":"1","data":{}}]', objectError],
  ["100,000 nested arrays", "[".repeat(100_000) + "]".repeat(100_000), objectError],
  ...["[]", "null", '"text"', "1", "true"].map((body): BadCreate => [body, body, objectError]),

  ["an empty object", "{}", `${templateIdError} ${dataError}`],
  ...values("templateId", templateIdError, [undefined, null, 7, ["a"]]),
  ...values("data", dataError, [undefined, null, [], "{}", 0, false]),
  // A name that every JavaScript object has as a member is not a format either.
  ...values("format", formatError, ["PDF", "docx", "", null, ["pdf"], "constructor"]),
  ...values("locale", localeError, ["english", "__proto__", 7, null, ["de"], {}]),
  ...values("deviceScaleFactor", scaleError, [0, 4, -1, 1.5, "2", null, true, [2], 1e300, 9_007_199_254_740_992]),
  ...values("conformance", conformanceError, ["pdf/a-2b", null, true, {}]),
  ...[["pdf/a-1a"], ["PDF/A-2B"], [null], [7]].map(([given]): BadCreate => {
    return [`conformance of ${given}`, { conformance: [given] }, unknownStandard(0, JSON.stringify(given))];
  }),
  ["a list in conformance", { conformance: [["pdf/a-2b"]] }, unknownStandard(0, "a list")],
  ["a second unknown conformance", { conformance: ["pdf/a-2b", "x"] }, unknownStandard(1, '"x"')],
  ...[["pdf/ua-1", "pdf/ua-1"], ["pdf/a-2b", "pdf/ua-1", "pdf/ua-1"], Array.from({ length: 20 }, () => "pdf/ua-1")].map(
    (conformance): BadCreate => {
      const message = '`conformance` has "pdf/ua-1" twice; each standard can be given once.';
      return [`conformance ${conformance.join(" ")}`, { conformance }, message];
    },
  ),
  ...[
    ["pdf/a-2b", "pdf/a-3u"],
    ["pdf/a-2b", "pdf/ua-1", "pdf/a-3u"],
  ].map((conformance): BadCreate => {
    const message = '`conformance` has "pdf/a-2b" and "pdf/a-3u", but a file can have only one level of PDF/A.';
    return [`conformance ${conformance.join(" ")}`, { conformance }, message];
  }),
  ...["png", "jpeg", "webp"].map((format): BadCreate => {
    const message = `\`conformance\` is only allowed with the \`format\` "pdf", but the format is "${format}".`;
    return [`conformance of a ${format}`, { format, conformance: ["pdf/a-2b"] }, message];
  }),
  ...values("imageQuality", qualityError, [0, 101, -1, 84.5, "85", null, true, [85], 1e300], { format: "jpeg" }),
  ...[{ format: "pdf" }, { format: "png" }, {}].map((body): BadCreate => {
    const message = `\`imageQuality\` is only allowed with \`format\` "jpeg" or "webp", but the format is "${body.format ?? "pdf"}".`;
    return [`imageQuality and ${JSON.stringify(body)}`, { ...body, imageQuality: 85 }, message];
  }),
  ...values("width", widthError, [15, 5001, 0, -100, 100.5, "800", null, false, {}, 1e300, "auto"]),
  ...values("height", heightError, [15, 5001, 0, -100, 100.5, "800", null, false, {}, 1e300]),
  ...values("height", heightError, ["Auto", "AUTO", "auto ", "", ["auto"]]),
  ...values("filename", "`filename` must be a string.", [null, 7, ["a"], {}, true]),
  ...values("filename", "`filename` must have 1 to 200 characters.", [""]),
  ...values("metadata", "`metadata` must be an object of strings.", [null, 7, "a", [], [["a", "b"]]]),
  ...["", "a b", "é", "a[b]", "k".repeat(41), "a\n"].map((key): BadCreate => {
    const message = `\`metadata\` has the key \`${key}\`; a key is 1 to 40 of the characters A-Z, a-z, 0-9, \`_\`, \`.\` and \`-\`.`;
    return [`the key ${JSON.stringify(key)} in metadata`, { metadata: { [key]: "v" } }, message];
  }),
  ...[null, 7, true, ["v"], { v: "v" }, "v".repeat(501), "📄".repeat(501), "a\nb", "\0", "\u0085"].map(
    (order): BadCreate => [
      `the value ${JSON.stringify(order)} in metadata`,
      { metadata: { order } },
      metadataValueError,
    ],
  ),
  [
    "21 pairs in metadata",
    { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index, "v"])) },
    "`metadata` has 21 pairs; at most 20 are allowed.",
  ],
  [
    "several errors at once",
    { data: [], format: "gif", deviceScaleFactor: 9, width: 1, height: 9999 },
    [dataError, formatError, scaleError, widthError, heightError].join(" "),
  ],

  ...["scale", "callbackUrl", "webhookURL", "Data", "template_id", "constructor", "", "__proto__"].map((name) =>
    unknownProperty(name, "{}"),
  ),
  unknownProperty("x", "[".repeat(100_000) + "]".repeat(100_000)),
  unknownProperty("x".repeat(100_000), "1"),

  ["data of 65 levels", { data: nested(65) }, depthError],
  ["data of 65 levels under __proto__", withData(`{"__proto__":${JSON.stringify(nested(64))}}`), depthError],
  ["data of 100,000 levels", withData(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`), depthError],

  ...["text/plain", "multipart/form-data; boundary=x", "application/jsonp", "application/vnd.api+json", "json", ""].map(
    (type): BadCreate => [`the Content-Type "${type}"`, {}, wrongType, { "Content-Type": type }],
  ),
  ...["iso-8859-1", '"us-ascii"', "utf-8; charset=latin1", "", " ; profile=x"].map((charset): BadCreate => {
    const type = `application/json; charset=${charset}`;
    return [`the Content-Type ${type}`, {}, wrongCharset, { "Content-Type": type }];
  }),
  ["a charset without a value", {}, wrongCharset, { "Content-Type": "application/json; charset" }],
  ["spaces in its charset", {}, wrongCharset, { "Content-Type": "application/json; CHARSET = windows-1252" }],
  ...["gzip", "deflate", "br", "zstd", "GZIP", "x-gzip", "identity, gzip", "unknown"].map((coding): BadCreate => [
    `the Content-Encoding ${coding}`,
    {},
    compressed,
    { "Content-Encoding": coding },
  ]),
  ["two Content-Types", {}, wrongType, { "Content-Type": "application/json, text/plain" }],
  ["the wrong Content-Type and malformed JSON", "{", wrongType, { "Content-Type": "text/plain" }],
  ["a large body with the wrong Content-Type", sized(2 * mib), tooLarge, { "Content-Type": "text/plain" }],
  ["a body of 1 MiB plus one byte", sized(mib + 1), tooLarge],
  ["a stream of 8 MiB", new Blob([new Uint8Array(8 * mib)]), tooLarge],
  ["a body over 1 MiB and other preferences", sized(mib + 1), tooLarge, { Prefer: "wait=5" }],
  ["an asynchronous body over 5 MB", sized(5_000_001), tooLargeLater, { Prefer: "respond-async" }],
  ["an asynchronous stream of 8 MiB", new Blob([new Uint8Array(8 * mib)]), tooLargeLater, { Prefer: "respond-async" }],
  [
    "a large asynchronous body of another type",
    sized(2 * mib),
    wrongType,
    { ...asLater, "Content-Type": "text/plain" },
  ],
  ["a large asynchronous body that is malformed", "x".repeat(2 * mib), jsonError, asLater],
  ["more values than an isolate can have", withData(`{"name":[${"[],".repeat(400_000)}0]}`), tooManyValues, asLater],
  ["a Content-Length of 1 MiB plus one byte", {}, tooLarge, { "Content-Length": String(mib + 1) }],

  ["a page shorter than the template's margins", { height: 96 }, /^A page of 794 x 96 px leaves no room/],
  [
    "a PNG of more than 40 megapixels",
    { format: "png", width: 5000, height: 4000 },
    /10000 x 8000 pixels.*40 megapixels.*Lower `deviceScaleFactor`, `width` or `height`/,
  ],

  ...["", "1", unknownId, "../../etc/passwd", "' OR 1=1 --", "\0", "x".repeat(10_000), "x".repeat(1_000_000)].map(
    (templateId): BadCreate => [
      `the templateId ${JSON.stringify(templateId.slice(0, 20))}`,
      { templateId },
      noTemplate,
    ],
  ),
];

it.each(badCreates)("a create with %s is refused with a message that says what is wrong", async (...bad) => {
  const [_name, body, expected, headers = {}] = bad;
  const api = await fakeApi();

  const response = await postBody(api, body, headers);

  const refusal = typeof expected === "string" || expected instanceof RegExp ? { message: expected } : expected;
  const { status = 400, code = "VALIDATION_ERROR", message } = refusal;
  expect(await refusalOf(response)).toMatchObject({
    status,
    code,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
  expect([api.services.state.holds.size, api.services.state.documents.size]).toEqual([0, 0]);
});

it("the details of an error name each field with its message", async () => {
  const { details } = await refused({ data: 1, width: 1, scale: 2 });

  expect(details?.map(({ path }) => path).sort()).toEqual(["data", "scale", "width"]);
  expect(details?.find(({ path }) => path === "width")?.message).toBe(widthError);
});

it.each([
  ["thousands of unknown properties", ofNames(5_000)],
  ["an unknown property with a very long name", { [`x${"y".repeat(500_000)}`]: 1 }],
  ["thousands of pairs in metadata", { metadata: ofNames(20_000) }],
  ["a very long key in metadata", { metadata: { ["k".repeat(500_000)]: 1 } }],
  ["a very long key in two problems", withData(`{"${longKey}":{"${longKey}":[1e999,1e999],"${longKey}":1}}`)],
])("the details of an error stay short when a body has %s", async (_what, body) => {
  const refusal = await refused(body);

  expect(JSON.stringify(refusal).length).toBeLessThan(10_000);
});

it("the details of an error never cut the name of a property inside a surrogate pair", async () => {
  const { message, details } = await refused({ [`${"x".repeat(59)}😀`]: 1 });

  const texts = [message, ...(details ?? []).map(({ path }) => path)];
  expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
});

it("the details of an error are not repeated in the headers", async () => {
  const response = await postBody(await fakeApi(), { "evil\r\nname": 1 });

  expect(JSON.stringify([...response.headers])).not.toContain("evil");
  expect((await refusalOf(response)).message).toContain("evil");
});

it("the details of an error state the accepted encodings of a body", async () => {
  const response = await postBody(await fakeApi(), {}, { "Content-Encoding": "gzip" });

  expect(response.headers.get("Accept-Encoding")).toBe("identity");
});

async function refused(body: Body) {
  return refusalOf(await postBody(await fakeApi(), body));
}

// packages/template-model/test/validate-data.test.ts has every kind of field and value.
const fields = [
  field("name", "string", { required: true }),
  field("amount", "number", { required: true }),
  field("items", "list", { fields: [field("price", "number", { required: true })] }),
];

it("data for a template with required fields is refused with MISSING_FIELD and the name of each missing field", async () => {
  const { api, response } = await createWith({ data: { items: [{ price: 1 }, {}] } }, { fields });

  expect(await refusalOf(response)).toEqual({
    status: 400,
    code: "MISSING_FIELD",
    message: "The template requires `data.name`, `data.amount`, `data.items.1.price`.",
    details: [
      { path: "data.name", message: "`name` is required." },
      { path: "data.amount", message: "`amount` is required." },
      { path: "data.items.1.price", message: "`items.1.price` is required." },
    ],
  });
  expect([api.services.state.holds.size, api.services.state.documents.size]).toEqual([0, 0]);
});

it("data for a template with required fields is refused with VALIDATION_ERROR if a value has the wrong type, even if another field is missing", async () => {
  const { response } = await createWith({ data: { name: null, amount: "\0" } }, { fields });

  const message = '`amount` must be a number, got the string "\\u0000".';
  expect(await refusalOf(response)).toMatchObject({
    status: 400,
    code: "VALIDATION_ERROR",
    details: expect.arrayContaining([{ path: "data.amount", message }]),
  });
});

it.each<[name: string, body: string | object]>([
  ["data without any field", {}],
  ["a byte order mark", `\ufeff${withData("{}")}`],
  ["data of 64 levels", { data: nested(64) }],
  ["__proto__ in data", withData('{"__proto__":{"name":"x"}}')],
  ["constructor in data", { data: { constructor: { prototype: { name: "x" } } } }],
  ["a NUL in data", { data: { name: "a\0b" } }],
  ["a thousand unknown keys", { data: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i])) }],
  [
    "whole numbers written with a fraction or an exponent",
    '{"templateId":"TEMPLATE_ID","data":{},"width":800.0,"deviceScaleFactor":2e0}',
  ],
  ["the smallest page that the margins allow", { width: 97, height: 97 }],
  ["the largest page", { width: 5000, height: 5000 }],
  ["a PNG of 40 megapixels", { format: "png", width: 5000, height: 2000 }],
])("a create with %s is accepted", async (_name, body) => {
  const { response } = await createWith(body);

  expect(response.status).toBe(201);
});

it.each([
  ...[
    'application/json; charset="UTF-8"',
    "application/json;charset=utf8",
    "application/json; profile=x; charset=UTF-8",
  ],
  ...["Application/JSON", "application/json ;charset=utf-8", "application/json;"],
])("a create with the Content-Type %s is accepted", async (type) => {
  const response = await postBody(await fakeApi(), {}, { "Content-Type": type });

  expect(response.status).toBe(201);
});

it("text arrives in the document as it was sent", async () => {
  const json =
    '"\\u0060\\ud83d\\ude39\u{10ffff}\ufdd0\ue000\\b\\f\\n\\\\u0000a/*b*/\u2028\u202e\u0080e\u0301 \\u003cb\\u003e &amp; \\u0000 "';

  const { api } = await createWith(withData(`{"name":${json}}`), { page: "<p>[{{ name }}]</p>" });

  const shown = /<p>\[([^]*)\]<\/p>/.exec(api.services.state.jobs[0]?.html ?? "")?.[1] ?? "nothing";
  const characters: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&" };
  expect(shown.replaceAll(/&(?:lt|gt|#34|#39|amp);/g, (reference) => characters[reference] ?? "")).toBe(
    JSON.parse(json),
  );
});

it.each(['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'])(
  "the data %s changes no other object",
  async (data) => {
    const { api } = await createWith(withData(data), { page: "<p>[{{ polluted }}{{ name.polluted }}]</p>" });

    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(api.services.state.jobs[0]?.html).not.toContain("true]");
  },
);

it.each<Record<string, string>>([{}, { "Content-Length": String(mib) }, { "Content-Encoding": "identity" }])(
  "a create with a body of exactly 1 MiB and the headers %o is accepted",
  async (headers) => {
    const api = await fakeApi();
    const body = sized(mib, api.templateId);

    const response = await postBody(api, body, headers);

    expect([body.length, response.status]).toEqual([mib, 201]);
  },
);

async function createWith(body: Body, options?: Pick<TenantOptions, "fields" | "page">) {
  const api = await fakeApi({}, options);
  return { api, response: await postBody(api, body) };
}

function postBody(api: FakeApi, body: Body, headers: Record<string, string> = {}): Promise<Response> {
  return api.fetch(`${baseUrl}/documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${api.key}`, "Content-Type": "application/json", ...headers },
    body: bodyOf(api, body),
    duplex: "half",
  } as RequestInit);
}

function bodyOf({ templateId }: FakeApi, body: Body): BodyInit {
  if (typeof body === "string") return body.replace("TEMPLATE_ID", templateId);
  if (body instanceof Uint8Array || body instanceof Blob || body instanceof ReadableStream) return body;
  return JSON.stringify({ templateId, data: {}, ...body });
}

function unknownProperty(name: string, json: string): BadCreate {
  const shown = name.slice(0, 60);
  return [
    `the unknown property "${shown}"`,
    `{"templateId":"1","data":{},${JSON.stringify(name)}:${json}}`,
    `\`${shown}\` is not a known property; the allowed properties are ${allowed}.`,
  ];
}

function ofNames(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 1]));
}

/** Returns a body with these bytes in a string. */
function inText(bytes: number[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  return Uint8Array.from([...encoder.encode('{"templateId":"1","data":{"name":"'), ...bytes, ...encoder.encode('"}}')]);
}

function cutBody(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"templateId":')),
    pull: (controller) => controller.error(new Error("the connection was lost")),
  });
}

function withData(json: string): string {
  return `{"templateId":"TEMPLATE_ID","data":${json}}`;
}

/** Returns a JSON body of exactly this many bytes. */
function sized(bytes: number, templateId = "1"): string {
  const start = `{"templateId":"${templateId}","data":{"name":"`;
  return `${start}${"x".repeat(bytes - start.length - 3)}"}}`;
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}
