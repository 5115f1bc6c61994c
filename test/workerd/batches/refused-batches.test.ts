// Refused batches: each with its status, its code and a helpful message, and without holds or stored data.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { refusalOf, tenantWithLimit, testService, unknownId, usageOf } from "../app.ts";
import { items, ndjson, ndjsonType, postBatch, postNdjson } from "./batches.ts";

const service = testService(({ settings }) => ({
  settings: { ...settings, batchLimits: { ...settings.batchLimits, items: 200 } },
}));
const fields = [
  field("name", "string", { required: true }),
  field("lines", "list", { fields: [field("price", "number", { required: true })] }),
];

/** A tenant whose template has required fields. */
const newInvoicer = () => newTenant(env, { plan: "pro", fields });

async function expectNothingStored(tenant: Tenant): Promise<void> {
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  const prefix = `${tenant.accountId}/batches/`;
  await vi.waitUntil(async () => (await env.TEMPLATES.list({ prefix })).objects.length === 0, { timeout: 5_000 });
}

type Wrong = {
  what: string;
  body: (tenant: Tenant) => string;
  headers?: Record<string, string>;
  refusal: object;
};

const options = ({ templateId }: Tenant, more: object = {}) => ({ templateId, ...more });
const invalid = (message: unknown, paths: unknown[] = [""]) => ({
  status: 400,
  code: "VALIDATION_ERROR",
  message,
  details: paths.map((path) => expect.objectContaining({ path })),
});
const good = { data: { name: "Ada" } };
const contains = (text: string): string => expect.stringContaining(text);

/** A batch with invalid items. The message contains the given text. */
function wrongItems(what: string, lines: unknown[], text: string, path: unknown): Wrong {
  return { what, body: (tenant) => ndjson(options(tenant), ...lines), refusal: invalid(contains(text), [path]) };
}

/** A batch with a valid item and invalid options. */
function wrongOptions(what: string, more: object, message: string, path: string): Wrong {
  return { what, body: (tenant) => ndjson(options(tenant, more), good), refusal: invalid(message, [path]) };
}

/** A batch with a valid item that is refused because of its headers. */
function wrongHeaders(what: string, headers: Record<string, string>, refusal: object): Wrong {
  return { what, body: (tenant) => ndjson(options(tenant), good), headers, refusal };
}

const noSuchTemplate = { status: 404, code: "TEMPLATE_NOT_FOUND" };
const wrongPrice = 'Item 17 (`o-17`): `lines.3.price` must be a number, got the string "x".';
const lines = [1, 2, 3, "x"].map((price) => ({ price }));

const wrong: Wrong[] = [
  {
    what: "a wrong value in item 17",
    body: (tenant) => ndjson(options(tenant), ...items(17), { customId: "o-17", data: { name: "Ada", lines } }),
    refusal: {
      ...invalid(`1 of 18 items cannot be rendered. ${wrongPrice}`),
      details: [{ path: "items.17.data.lines.3.price", message: wrongPrice, customId: "o-17" }],
    },
  },
  {
    what: "a missing field in an item",
    body: (tenant) => ndjson(options(tenant), good, { data: {} }),
    refusal: {
      ...{ status: 400, code: "MISSING_FIELD", message: contains("`name` is required.") },
      details: [{ path: "items.1.data.name", message: "Item 1: `name` is required." }],
    },
  },
  wrongItems(
    "the same customId twice",
    [...items(3), { ...good, customId: "c-1" }],
    "`customId` is also used by item 1",
    "items.3.customId",
  ),
  ...(
    [
      ["an empty customId", "", "`customId` must be a string of 1 to 200 characters."],
      ["a customId with a NUL", "a\0", "`customId` must not contain the character U+0000."],
      ["a customId of 201 characters", "x".repeat(201), "1 to 200 characters"],
    ] as const
  ).map(([what, customId, text]) => wrongItems(what, [{ ...good, customId }], text, "items.0.customId")),
  wrongItems(
    "a webhook URL in an item",
    [{ ...good, webhookUrl: "https://hooks.receiver.dev/x" }],
    "`webhookUrl` is not a known property",
    "items.0.webhookUrl",
  ),
  wrongItems("an item without data", [{ customId: "a" }], "`data` (object) is required.", "items.0.data"),
  wrongItems("an item that is a list", [[1]], "An item must be a JSON object.", "items.0"),
  wrongItems("a repeated key", ['{"data":{"name":"a","name":"b"}}'], "occurs more than once", "items.0.data.name"),
  wrongItems(
    "an item that is nested too deeply",
    [`{"data":{"name":"a","x":${"[".repeat(200)}${"]".repeat(200)}}}`],
    "levels deep",
    expect.anything(),
  ),
  wrongItems("no items", ["", " "], "A batch must have at least one item.", "items"),
  wrongItems("more items than allowed", items(201), "A batch may have at most 200 items.", "items"),
  wrongItems("a line over 5 MB", [good, `${" ".repeat(4_999_999)}{}`], "Line 3 is longer than 5 MB.", ""),
  {
    what: "half a line at the end",
    body: (tenant) => ndjson(options(tenant), good).concat('{"data":{"name":'),
    refusal: invalid(contains("Item 1: line 3 is not valid JSON"), ["items.1"]),
  },
  {
    what: "more than a thousand empty lines",
    body: (tenant) => ndjson(options(tenant), good).concat(" \n".repeat(1_001)),
    refusal: invalid("A body may have at most 1000 empty lines.", ["items"]),
  },
  wrongOptions(
    "an output that is named twice",
    { output: ["merged", "merged"] },
    contains("`output` must not contain an entry twice."),
    "output",
  ),
  wrongOptions("a scale of 4", { deviceScaleFactor: 4 }, "`deviceScaleFactor` must be 1, 2 or 3.", "deviceScaleFactor"),
  wrongOptions("items in the first line", { items: [good] }, contains("`items` is not a known property"), "items"),
  wrongOptions(
    "a zip as output",
    { output: ["zip"] },
    '`output` must be ["documents"], ["merged"] or both.',
    "output.0",
  ),
  wrongOptions(
    "merged images",
    { output: ["merged"], format: "png" },
    'Only a batch with the `format` "pdf" can be merged.',
    "output",
  ),
  wrongOptions(
    "options of merged files without merged files",
    { merged: { startOn: "odd" } },
    '`merged` is only allowed with "merged" in `output`.',
    "merged",
  ),
  wrongOptions(
    "a page to start on that does not exist",
    { output: ["merged"], merged: { startOn: "even" } },
    '`merged.startOn` must be "any" or "odd".',
    "merged.startOn",
  ),
  wrongOptions(
    "an unknown option of merged files",
    { output: ["merged"], merged: { startsOn: "odd" } },
    "`merged.startsOn` is not a known property; the allowed properties are `startOn`.",
    "merged.startsOn",
  ),
  wrongOptions(
    "merged files that are not described by an object",
    { output: ["merged"], merged: [] },
    "`merged` must be a JSON object.",
    "merged",
  ),
  wrongOptions("a local webhook URL", { webhookUrl: "https://10.0.0.1/" }, contains("`webhookUrl`"), "webhookUrl"),
  wrongOptions("a page that is too small for its margins", { width: 40 }, contains("leaves no room"), "width"),
  {
    what: "a first line that is not JSON",
    body: () => "templateId\n{}\n",
    refusal: invalid(contains("The first line, with the options of the batch, is not valid JSON")),
  },
  { what: "an empty body", body: () => "", refusal: invalid(contains("The first line")) },
  {
    what: "an unknown template",
    body: () => ndjson({ templateId: unknownId }, good),
    refusal: noSuchTemplate,
  },
  {
    what: "a version that does not exist",
    body: (tenant) => ndjson(options(tenant, { templateVersion: 7 }), good),
    refusal: { ...noSuchTemplate, message: contains("no version 7") },
  },
  wrongHeaders(
    "a malformed idempotency key",
    { "Idempotency-Key": "two words" },
    invalid(contains("`Idempotency-Key`"), ["Idempotency-Key"]),
  ),
  wrongHeaders("no length", { "Content-Length": "" }, { status: 411, message: contains("`Content-Length`") }),
  wrongHeaders("51 MB", { "Content-Length": "51000000" }, { status: 413, message: "The body is larger than 50 MB." }),
  wrongHeaders("a short body", { "Content-Length": "100000" }, invalid("The body ended before it was complete.")),
  wrongHeaders(
    "a CSV type",
    { "Content-Type": "text/csv" },
    { status: 415, message: contains("application/x-ndjson") },
  ),
  wrongHeaders("a compressed body", { "Content-Encoding": "gzip" }, { status: 415, code: "VALIDATION_ERROR" }),
  wrongHeaders("another character set", { "Content-Type": `${ndjsonType}; charset=latin1` }, { status: 415 }),
];

it.each(wrong)("a batch of NDJSON with $what is refused, and leaves nothing", async ({ body, headers, refusal }) => {
  const tenant = await newInvoicer();

  const response = await postNdjson(service, tenant, body(tenant), headers);

  expect(await refusalOf(response)).toMatchObject(refusal);
  await expectNothingStored(tenant);
});

it("the error for a batch of NDJSON names the first hundred invalid items, and counts the rest", async () => {
  const tenant = await newInvoicer();
  const bad = Array.from({ length: 150 }, (_, index) => ({ customId: `b-${index}`, data: { name: index } }));

  const { details, message } = await refusalOf(
    await postNdjson(service, tenant, ndjson(options(tenant), ...items(50), ...bad)),
  );

  expect(details?.map(({ path }) => path)).toEqual(
    bad.slice(0, 100).map((_, index) => `items.${index + 50}.data.name`),
  );
  expect(message).toContain("150 of 200 items cannot be rendered.");
  expect(message).toContain("And 147 more invalid items.");
  await expectNothingStored(tenant);
});

it.each([
  { what: "no items", items: [], path: "items" },
  { what: "more items than allowed", items: Array.from({ length: 201 }, () => 1), path: "items" },
  { what: "items that are no list", items: {}, path: "items" },
  { what: "a wrong item", items: [good, { data: { name: 1 } }], path: "items.1.data.name" },
  { what: "an item that is no object", items: [good, "x"], path: "items.1" },
])("a batch of JSON with $what is refused, and leaves no data", async ({ items, path }) => {
  const tenant = await newInvoicer();

  const refusal = await refusalOf(await postBatch(service, tenant, { items }));

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
  await expectNothingStored(tenant);
});

it("a batch of JSON over 1 MiB is refused", async () => {
  const tenant = await newInvoicer();

  const refusal = await refusalOf(
    await postBatch(service, tenant, { items: [{ data: { name: "x".repeat(1024 * 1024) } }] }),
  );

  expect(refusal).toMatchObject({ status: 413, code: "VALIDATION_ERROR" });
});

it("an account with many queued renders cannot exceed the maximum number of open batches or waiting items", async () => {
  const tenant = await tenantWithLimit(1_000);
  const limited = (limit: "openBatches" | "waitingItems") =>
    testService(({ batches }) => ({ batches: { ...batches, accept: async () => ({ status: "too_many", limit }) } }));

  const refusals = [
    await refusalOf(await postBatch(limited("openBatches"), tenant, { items: items(1) })),
    await refusalOf(await postBatch(limited("waitingItems"), tenant, { items: items(1) })),
  ];

  expect(refusals).toMatchObject([
    { status: 429, code: "BATCH_LIMIT_EXCEEDED", message: contains("20 batches that have not ended") },
    { status: 429, code: "BATCH_LIMIT_EXCEEDED", message: contains("50000 queued items and documents") },
  ]);
  await expectNothingStored(tenant);
});
