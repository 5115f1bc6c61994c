import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { base64Url } from "../../../src/core/encoding.ts";
import { baseUrl, field, get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService, unknownId, usageOf, type Failure, type Pagination } from "../app.ts";

const service = testService();
const mib = 1024 * 1024;
const allowed =
  "`templateId`, `data`, `templateVersion`, `format`, `deviceScaleFactor`, `imageQuality`, `width`, `height`, `locale`, `webhookUrl`, `filename`, `metadata`, `expiresIn`";

const jsonError = "The body is not valid JSON.";
const utf8Error = "The body is not valid UTF-8.";
const objectError = "The body must be a JSON object.";
const templateIdError = "`templateId` (string) is required: the id of a template.";
const dataError = "`data` (object) is required.";
const formatError = '`format` must be "pdf", "png", "jpeg" or "webp".';
const qualityError = "`imageQuality` must be a whole number from 1 to 100.";
const scaleError = "`deviceScaleFactor` must be 1, 2 or 3.";
const widthError = "`width` must be a whole number of CSS pixels from 16 to 5000.";
const heightError = '`height` must be a whole number of CSS pixels from 16 to 5000, or "auto".';
const localeError = "`locale` must be a BCP 47 language tag such as `de` or `en-GB`.";
const sizeError = "The body is larger than 1 MiB.";
const typeError = "The Content-Type must be application/json.";
const depthError = "`data` is nested more than 64 levels deep.";
const keyError = "`Idempotency-Key` must be 1 to 255 visible ASCII characters.";

type BadCreate = {
  name: string;
  /** Text and bytes are sent as they are. An object is merged into a valid body; the value `undefined` omits a property. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | object;
  headers?: Record<string, string>;
  status?: number;
  code?: string;
  message: string | RegExp;
};

const badLocales: BadCreate[] = [
  ...["english", "de_DE", "", "i-klingon", "x-private", "und", "de-", "__proto__", `en-x${"-abcdefgh".repeat(12)}`],
  ...[7, null, ["de"], {}],
].map((locale) => ({
  name: `the locale ${JSON.stringify(locale).slice(0, 40)}`,
  body: { locale },
  message: localeError,
}));

const badCreates: BadCreate[] = [
  ...badLocales,
  { name: "an empty body", body: "", message: jsonError },
  { name: "blanks only", body: "  \n ", message: jsonError },
  { name: "malformed JSON", body: "{", message: jsonError },
  { name: "JSON with a trailing comma", body: '{"data":{},}', message: jsonError },
  { name: "two JSON values", body: "{} {}", message: jsonError },
  { name: "NaN in JSON", body: '{"width":NaN}', message: jsonError },
  { name: "a raw NUL", body: "\0", message: jsonError },
  { name: "a form", body: "templateId=1&data=2", message: jsonError },
  { name: "bytes that are not UTF-8", body: Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d), message: utf8Error },
  { name: "an array", body: "[]", message: objectError },
  { name: "an array with a valid body", body: '[{"templateId":"1","data":{}}]', message: objectError },
  { name: "null", body: "null", message: objectError },
  { name: "a string", body: '"text"', message: objectError },
  { name: "a number", body: "1", message: objectError },
  { name: "true", body: "true", message: objectError },
  { name: "100,000 nested arrays", body: "[".repeat(100_000) + "]".repeat(100_000), message: objectError },
  { name: "100,000 unclosed arrays", body: "[".repeat(100_000), message: jsonError },

  { name: "an empty object", body: "{}", message: `${templateIdError} ${dataError}` },
  { name: "no templateId", body: { templateId: undefined }, message: templateIdError },
  { name: "null as templateId", body: { templateId: null }, message: templateIdError },
  { name: "a number as templateId", body: { templateId: 7 }, message: templateIdError },
  { name: "a list as templateId", body: { templateId: ["a"] }, message: templateIdError },
  { name: "no data", body: { data: undefined }, message: dataError },
  { name: "null as data", body: { data: null }, message: dataError },
  { name: "a list as data", body: { data: [] }, message: dataError },
  { name: "a string as data", body: { data: "{}" }, message: dataError },
  { name: "a number as data", body: { data: 0 }, message: dataError },
  { name: "false as data", body: { data: false }, message: dataError },

  { name: "the format in upper case", body: { format: "PDF" }, message: formatError },
  { name: "an unknown format", body: { format: "docx" }, message: formatError },
  { name: "an empty format", body: { format: "" }, message: formatError },
  { name: "null as format", body: { format: null }, message: formatError },
  { name: "a list as format", body: { format: ["pdf"] }, message: formatError },
  {
    name: 'the format "constructor", a name that every object has as a member',
    body: { format: "constructor" },
    message: formatError,
  },
  ...[0, 4, -1, 1.5, "2", null, true, [2], 1e300, 9_007_199_254_740_992].map((deviceScaleFactor) => ({
    name: `deviceScaleFactor ${JSON.stringify(deviceScaleFactor)}`,
    body: { deviceScaleFactor },
    message: scaleError,
  })),
  ...[0, 101, -1, 84.5, "85", null, true, [85], 1e300].map((imageQuality) => ({
    name: `imageQuality ${JSON.stringify(imageQuality)}`,
    body: { format: "jpeg", imageQuality },
    message: qualityError,
  })),
  ...[{ format: "pdf" }, { format: "png" }, {}].map((body) => ({
    name: `imageQuality and ${JSON.stringify(body)}`,
    body: { ...body, imageQuality: 85 },
    message: `\`imageQuality\` is only for \`format\` "jpeg" or "webp", and the format is "${body.format ?? "pdf"}".`,
  })),
  {
    name: "deviceScaleFactor 1e999",
    body: '{"templateId":"1","data":{},"deviceScaleFactor":1e999}',
    message: "`deviceScaleFactor` is 1e999, but the largest number is about 1.8e308 (double precision).",
  },
  ...[15, 5001, 0, -100, 100.5, "800", null, false, {}, 1e300, 9_007_199_254_740_992].flatMap((length) => [
    { name: `width ${JSON.stringify(length)}`, body: { width: length }, message: widthError },
    { name: `height ${JSON.stringify(length)}`, body: { height: length }, message: heightError },
  ]),
  { name: "automatic width", body: { width: "auto" }, message: widthError },
  ...["Auto", "AUTO", "auto ", "", ["auto"]].map((height) => ({
    name: `height ${JSON.stringify(height)}`,
    body: { height },
    message: heightError,
  })),
  {
    name: "width 1e999",
    body: '{"templateId":"1","data":{},"width":1e999}',
    message: "`width` is 1e999, but the largest number is about 1.8e308 (double precision).",
  },
  {
    name: "several errors at once",
    body: { data: [], format: "gif", deviceScaleFactor: 9, width: 1, height: 9999 },
    message: [dataError, formatError, scaleError, widthError, heightError].join(" "),
  },

  ...["scale", "callbackUrl", "webhookURL", "Data", "template_id", "constructor", "", "__proto__"].map((name) => ({
    name: `the unknown property "${name}"`,
    body: `{"templateId":"1","data":{},${JSON.stringify(name)}:{}}`,
    message: `\`${name}\` is not a known property; the allowed properties are ${allowed}.`,
  })),
  {
    name: "100,000 levels in an unknown property",
    body: `{"templateId":"1","data":{},"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    message: `\`x\` is not a known property; the allowed properties are ${allowed}.`,
  },
  {
    name: "an unknown property of 100,000 characters",
    body: `{"templateId":"1","data":{},"${"x".repeat(100_000)}":1}`,
    message: `\`${"x".repeat(60)}\` is not a known property; the allowed properties are ${allowed}.`,
  },

  { name: "data of 65 levels", body: { data: nested(65) }, message: depthError },
  { name: "data of 65 levels of lists", body: { data: { list: nestedList(64) } }, message: depthError },
  {
    name: "data of 100,000 levels",
    body: `{"templateId":"1","data":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
    message: depthError,
  },
  {
    name: "data of 65 levels under __proto__",
    body: `{"templateId":"1","data":{"__proto__":${JSON.stringify(nested(64))}}}`,
    message: depthError,
  },

  ...["", "k".repeat(256), "a key", "schlüssel", "a\tb"].map((key) => ({
    name: `the Idempotency-Key "${key.slice(0, 20)}" of ${key.length} characters`,
    body: {},
    headers: { "Idempotency-Key": key },
    message: keyError,
  })),

  ...[
    "text/plain",
    "application/xml",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/vnd.api+json",
    "json",
    "",
    "application/json, text/plain",
  ].map((type) => ({
    name: `the Content-Type "${type}"`,
    body: {},
    headers: { "Content-Type": type },
    status: 415,
    message: typeError,
  })),
  {
    name: "the wrong Content-Type and malformed JSON",
    body: "{",
    headers: { "Content-Type": "text/plain" },
    status: 415,
    message: typeError,
  },

  { name: "a body of 1 MiB plus one byte", body: sized(mib + 1), status: 413, message: sizeError },
  {
    name: "a body of 1 MiB plus one byte, with its Content-Length",
    body: sized(mib + 1),
    headers: { "Content-Length": String(mib + 1) },
    status: 413,
    message: sizeError,
  },
  { name: "a stream of 8 MiB", body: { stream: 8 * mib }, status: 413, message: sizeError },
  {
    name: "a large body with the wrong Content-Type",
    body: sized(2 * mib),
    headers: { "Content-Type": "text/plain" },
    status: 413,
    message: sizeError,
  },

  {
    name: "a page narrower than the template's margins",
    body: { width: 90 },
    message: /^A page of 90 x 1123 px leaves no room inside the template's margins \(48, 48, 48, 48 px\)/,
  },
  {
    name: "a page shorter than the template's margins",
    body: { height: 96 },
    message: /^A page of 794 x 96 px leaves no room inside the template's margins \(48, 48, 48, 48 px\)/,
  },
  {
    name: "a PNG of more than 40 megapixels",
    body: { format: "png", width: 5000, height: 4000 },
    message: /10000 x 8000 pixels.*40 megapixels.*Lower `deviceScaleFactor`, `width` or `height`/,
  },

  {
    name: "an unknown template",
    body: { templateId: unknownId },
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
    message: /./,
  },
  ...["", "1", "../../etc/passwd", "' OR 1=1 --", "\0", "x".repeat(10_000), "x".repeat(1_000_000)].map(
    (templateId) => ({
      name: `templateId ${JSON.stringify(templateId.slice(0, 20))}`,
      body: { templateId },
      status: 404,
      code: "TEMPLATE_NOT_FOUND",
      message: /./,
    }),
  ),
];

describe("a create with", () => {
  it.for(badCreates)("$name is refused with a message that says what is wrong", async (bad) => {
    const tenant = await newTenant(env);

    const response = await sendBad(tenant, bad);

    expect(await refusalOf(response)).toMatchObject({
      status: bad.status ?? 400,
      code: bad.code ?? "VALIDATION_ERROR",
      message: typeof bad.message === "string" ? bad.message : expect.stringMatching(bad.message),
    });
  });

  it("invalid input persists, counts and renders nothing", async () => {
    const tenant = await newTenant(env);
    const own = testService();

    for (const bad of badCreates) await sendBad(tenant, bad, own);

    const listed = await dataOf<{ pagination: Pagination }>(await get(own, tenant, "/documents"));
    expect({ total: listed.pagination.total, jobs: own.jobs.length, ...(await usageOf(tenant)) }).toEqual({
      total: 0,
      jobs: 0,
      used: 0,
      reserved: 0,
    });
  });
});

describe("the details of an error", () => {
  it("name each field with its message", async () => {
    const tenant = await newTenant(env);

    const response = await post(service, tenant, { templateId: tenant.templateId, data: 1, width: 1, scale: 2 });

    const { details } = await refusalOf(response);
    expect(details?.map(({ path }) => path).sort()).toEqual(["data", "scale", "width"]);
    expect(details?.find(({ path }) => path === "width")?.message).toBe(widthError);
  });

  it.for([
    { page: { width: 90 }, path: "width" },
    { page: { height: 90 }, path: "height" },
    { page: { width: 800, height: 90 }, path: "height" },
    { page: { width: 90, height: 800 }, path: "width" },
  ])("name $path when the margins do not fit into $page", async ({ page, path }) => {
    const tenant = await newTenant(env);

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...page });

    expect((await refusalOf(response)).details?.map((detail) => detail.path)).toEqual([path]);
  });

  it("stay short when a body has thousands of unknown properties", async () => {
    const tenant = await newTenant(env);
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`property${index}`, 1]));

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...unknown });

    expect((await response.text()).length).toBeLessThan(10_000);
  });

  it("never cut a property name inside a surrogate pair", async () => {
    const tenant = await newTenant(env);

    const response = await post(service, tenant, { [`${"x".repeat(59)}😀`]: 1 });

    const { message, details } = await refusalOf(response);
    const texts = [message, ...(details ?? []).map(({ path }) => path)];
    expect(new Set(texts.map((text) => text.isWellFormed()))).toEqual(new Set([true]));
  });

  it("stay short when a body has an unknown property with a very long name", async () => {
    const tenant = await newTenant(env);

    const response = await post(service, tenant, { [`x${"y".repeat(500_000)}`]: 1 });

    expect((await response.text()).length).toBeLessThan(10_000);
  });
});

describe("data for a template with required fields", () => {
  const fields = [
    field("name", "string", { required: true }),
    field("amount", "number", { required: true }),
    field("items", "list", { fields: [field("price", "number", { required: true })] }),
  ];

  it("is refused with MISSING_FIELD and the name of each missing field", async () => {
    const { response } = await createWith({ items: [{ price: 1 }, {}] });

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
  });

  it("is refused if a required field is null", async () => {
    const { response } = await createWith({ name: null, amount: 1 });

    expect(await refusalOf(response)).toMatchObject({ code: "MISSING_FIELD" });
  });

  it("is accepted if a required field is an empty string or 0", async () => {
    const { response } = await createWith({ name: "", amount: 0 });

    expect(response.status).toBe(201);
  });

  it("is refused if the required fields exist only in __proto__", async () => {
    const { response } = await createWith('{"__proto__":{"name":"Ada","amount":1}}');

    expect(await refusalOf(response)).toMatchObject({ code: "MISSING_FIELD" });
  });

  it("is refused if a required field is missing, even if the field is named `toString`", async () => {
    const tenant = await newTenant(env, { fields: [field("toString", "string", { required: true })] });

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {} });

    expect(await refusalOf(response)).toMatchObject({ code: "MISSING_FIELD" });
  });

  it.for([
    { given: '"1"', got: 'the string "1"' },
    { given: "true", got: "true" },
    { given: "[1]", got: "a list" },
    { given: "{}", got: "an object" },
    { given: '"\\u0000"', got: 'the string "\\u0000"' },
  ])("is refused with VALIDATION_ERROR when a number field is $given", async ({ given, got }) => {
    const { response } = await createWith(`{"name":"Ada","amount":${given}}`);

    expect(await refusalOf(response)).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      message: `\`amount\` must be a number, got ${got}.`,
      details: [{ path: "data.amount", message: `\`amount\` must be a number, got ${got}.` }],
    });
  });

  it("persists nothing if it is refused", async () => {
    const { tenant } = await createWith({});

    const listed = await dataOf<{ pagination: Pagination }>(await get(service, tenant, "/documents"));
    expect({ total: listed.pagination.total, ...(await usageOf(tenant)) }).toEqual({ total: 0, used: 0, reserved: 0 });
  });

  async function createWith(data: object | string) {
    const tenant = await newTenant(env, { fields });
    const json = typeof data === "string" ? data : JSON.stringify(data);
    return { tenant, response: await post(service, tenant, `{"templateId":"${tenant.templateId}","data":${json}}`) };
  }
});

describe("an unusual but valid request", () => {
  const unusual: { name: string; data: string; extra?: string }[] = [
    { name: "data without any field", data: "{}" },
    { name: "data of 64 levels", data: JSON.stringify(nested(64)) },
    { name: "__proto__ in data", data: '{"__proto__":{"name":"x"}}' },
    { name: "constructor in data", data: '{"constructor":{"prototype":{"name":"x"}}}' },
    { name: "a NUL in data", data: '{"name":"a\\u0000b"}' },
    {
      name: "a thousand unknown keys",
      data: JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]))),
    },
    {
      name: "whole numbers written with a fraction or an exponent",
      data: "{}",
      extra: '"width":800.0,"deviceScaleFactor":2e0',
    },
    { name: "the smallest page that the margins allow", data: "{}", extra: '"width":97,"height":97' },
    { name: "the largest page", data: "{}", extra: '"width":5000,"height":5000' },
    { name: "a PNG of 40 megapixels", data: "{}", extra: '"format":"png","width":5000,"height":2000' },
  ];

  it.for(unusual)("with $name is accepted", async ({ data, extra }) => {
    const tenant = await newTenant(env);

    const response = await post(
      service,
      tenant,
      `{"templateId":"${tenant.templateId}","data":${data}${extra ? `,${extra}` : ""}}`,
    );

    expect(response.status).toBe(201);
  });

  it.for([
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/json ;charset=utf-8",
    "application/json;",
  ])("with the Content-Type %s is accepted", async (type) => {
    const tenant = await newTenant(env);

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {} }, { "Content-Type": type });

    expect(response.status).toBe(201);
  });

  it.for([{}, { "Content-Length": String(mib) }])(
    "with a body of exactly 1 MiB and the headers %o is accepted",
    async (headers) => {
      const tenant = await newTenant(env);
      const start = `{"templateId":"${tenant.templateId}","data":{"name":"`;
      const body = `${start}${"x".repeat(mib - start.length - 3)}"}}`;

      const response = await post(service, tenant, body, headers as Record<string, string>);

      expect([body.length, response.status]).toEqual([mib, 201]);
    },
  );
});

describe("a list request", () => {
  const limit = "`limit` must be a whole number from 1 to 100.";
  const offset = "`offset` must be a whole number, 0 or more.";
  const cursorText = (text: string) => base64Url(new TextEncoder().encode(text));
  const validCursor = cursorText(`<1 ${unknownId}`);
  const forgedCursors = [
    `<1 ${unknownId} `,
    `<01 ${unknownId}`,
    `<-1 ${unknownId}`,
    `<1.5 ${unknownId}`,
    `<9000000000000000 ${unknownId}`,
    `=1 ${unknownId}`,
    "<1 ABCDEFAB-0000-4000-8000-000000000000",
    "<1 ' OR 1=1",
    "<1 ",
    "",
  ].map((text) => `cursor=${cursorText(text)}`);
  const badQueries = [
    ...["limit=0", "limit=101", "limit=-1", "limit=abc", "limit=1.5", "limit=", "limit=1e1", "limit=0x10"].map(
      (query) => ({ query, message: limit }),
    ),
    ...["limit=%2B5", "limit=%205", "limit=5%00", "limit=%D9%A5", "limit=NaN", "limit=Infinity"].map((query) => ({
      query,
      message: limit,
    })),
    ...["offset=-1", "offset=1e3", "offset=abc", "offset=0.5", "offset="].map((query) => ({
      query,
      message: expect.stringContaining("`offset` must be a whole number") as string,
    })),
    { query: "limit=0&offset=-1", message: `${limit} ${offset}` },
    {
      query: "limit[]=1&limit=x",
      message: expect.stringContaining("`limit[]` is not a known query parameter") as string,
    },
    { query: "limit=1&limit=2", message: "`limit` is given 2 times; give it once." },
    { query: "limit=x&limit=x&limit=x", message: "`limit` is given 3 times; give it once." },
    { query: "offset=0&offset=1", message: "`offset` is given 2 times; give it once." },
    ...["cursor=x", `cursor=${validCursor}=`, "cursor=%00", `cursor=${"A".repeat(10_000)}`, ...forgedCursors].map(
      (query) => ({ query, message: "`cursor` must be the `nextCursor` of a list." }),
    ),
    { query: `offset=0&cursor=${validCursor}`, message: "`cursor` and `offset` cannot be given together." },
    ...["limit=%ff", "limit=%", "%c3%28=1", "limit=5%E0%A4"].map((query) => ({
      query,
      message: "The query string is not percent-encoded UTF-8.",
    })),
  ];
  const ofDocuments = [
    ...["status=done", "status=", "status=Completed"].map((query) => ({
      query,
      message: '`status` must be "completed" or "failed".',
    })),
    ...["format=gif", "format="].map((query) => ({ query, message: formatError })),
    ...["templateId=1", "templateId=", "templateId=%00"].map((query) => ({
      query,
      message: "`templateId` must be the id of a template.",
    })),
  ];
  const moment = "must be a date, or an RFC 3339 time with its zone, e.g. 2026-11-21T09:30:00Z.";
  const badTimes = [
    "",
    "1",
    "yesterday",
    "2026-11-31",
    "2026-11-21T09:30:00",
    "2026-11-21T25:00:00Z",
    "2026-11",
    "%00",
  ];
  ofDocuments.push(
    ...["createdAfter", "createdBefore"].flatMap((name) =>
      badTimes.map((time) => ({ query: `${name}=${time}`, message: `\`${name}\` ${moment}` })),
    ),
    {
      query: "createdAfter=2026-11-22&createdBefore=2026-11-21",
      message: "`createdAfter` must not be later than `createdBefore`.",
    },
  );
  const all = [
    ...["/documents", "/templates"].flatMap((path) => badQueries.map((bad) => ({ path, ...bad }))),
    ...ofDocuments.map((bad) => ({ path: "/documents", ...bad })),
  ];

  it.for(all)(
    "for $path?$query is refused with a message that states the allowed values",
    async ({ path, query, message }) => {
      const tenant = await newTenant(env);

      const response = await get(service, tenant, `${path}?${query}`);

      expect(await refusalOf(response)).toMatchObject({ status: 400, code: "VALIDATION_ERROR", message });
    },
  );

  it.for(["/documents", "/templates"])("for %s gets an empty page at an enormous offset", async (path) => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, `${path}?offset=99999999999999999999`);

    const { documents, templates } = await dataOf<{ documents?: []; templates?: [] }>(response);
    expect([response.status, documents ?? templates]).toEqual([200, []]);
  });

  it.for(["/documents", "/templates"])("for %s may have empty parts", async (path) => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, `${path}?&&limit=5&`);

    expect((await dataOf<{ pagination: Pagination }>(response)).pagination).toMatchObject({ limit: 5, offset: 0 });
  });
});

it("does not repeat any part of the request in the headers of an error", async () => {
  const tenant = await newTenant(env);

  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, "evil\r\nname": 1 });

  const { error } = await response.json<Failure>();
  expect(error.message).toContain("evil");
  expect(JSON.stringify([...response.headers])).not.toContain("evil");
});

function sendBad(tenant: Tenant, { body, headers = {} }: BadCreate, to = service): Promise<Response> {
  const all = { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json", ...headers };
  return to.fetch(`${baseUrl}/documents`, { method: "POST", headers: all, body: bodyOf(tenant, body) });
}

function bodyOf(tenant: Tenant, body: BadCreate["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if ("stream" in body) return streamOf(Number(body.stream));
  return JSON.stringify({ templateId: tenant.templateId, data: {}, ...body });
}

function streamOf(bytes: number): ReadableStream {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(Math.min(left, 65_536)).fill(32));
      left -= 65_536;
    },
  });
}

/** Returns a JSON body of exactly this many bytes. */
function sized(bytes: number): string {
  const start = '{"templateId":"1","data":{"name":"';
  return `${start}${"x".repeat(bytes - start.length - 3)}"}}`;
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

function nestedList(levels: number): unknown[] {
  let value: unknown[] = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}
