// Batches that are refused: each with the status, the code and the message that help, and nothing is held or stays stored.
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { field } from "../../fixtures/tenant.ts";
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
const invalid = (message: unknown, paths: string[] = [""]) => ({
  status: 400,
  code: "VALIDATION_ERROR",
  message,
  details: paths.map((path) => expect.objectContaining({ path })),
});
const good = { data: { name: "Ada" } };
const contains = (text: string) => expect.stringContaining(text);

const wrong: Wrong[] = [
  {
    what: "a wrong value in item 17",
    body: (tenant) =>
      ndjson(options(tenant), ...items(17), {
        customId: "o-17",
        data: { name: "Ada", lines: [1, 2, 3].map((price) => ({ price })).concat([{ price: "x" as never }]) },
      }),
    refusal: {
      ...invalid(
        '1 of 18 items cannot be rendered. Item 17 (`o-17`): `lines.3.price` must be a number, got the string "x".',
      ),
      details: [
        {
          path: "items.17.data.lines.3.price",
          message: 'Item 17 (`o-17`): `lines.3.price` must be a number, got the string "x".',
          customId: "o-17",
        },
      ],
    },
  },
  {
    what: "a missing field in an item",
    body: (tenant) => ndjson(options(tenant), good, { data: {} }),
    refusal: {
      status: 400,
      code: "MISSING_FIELD",
      message: contains("`name` is required."),
      details: [{ path: "items.1.data.name", message: "Item 1: `name` is required." }],
    },
  },
  {
    what: "the same customId twice",
    body: (tenant) => ndjson(options(tenant), ...items(3), { ...good, customId: "c-1" }),
    refusal: invalid(contains("`customId` is that of item 1 too"), ["items.3.customId"]),
  },
  {
    what: "an empty customId",
    body: (tenant) => ndjson(options(tenant), { ...good, customId: "" }),
    refusal: invalid(contains("`customId` must be a string of 1 to 200 characters."), ["items.0.customId"]),
  },
  {
    what: "a customId with a NUL",
    body: (tenant) => ndjson(options(tenant), { ...good, customId: "a\0" }),
    refusal: invalid(contains("`customId` must not contain the character U+0000."), ["items.0.customId"]),
  },
  {
    what: "an output that is named twice",
    body: (tenant) => ndjson({ ...options(tenant), output: ["merged", "merged"] }, good),
    refusal: invalid(contains("`output` must not have an entry twice."), ["output"]),
  },
  {
    what: "a customId of 201 characters",
    body: (tenant) => ndjson(options(tenant), { ...good, customId: "x".repeat(201) }),
    refusal: invalid(contains("1 to 200 characters"), ["items.0.customId"]),
  },
  {
    what: "a webhook URL in an item",
    body: (tenant) => ndjson(options(tenant), { ...good, webhookUrl: "https://hooks.receiver.dev/x" }),
    refusal: invalid(contains("`webhookUrl` is not a known property"), ["items.0.webhookUrl"]),
  },
  {
    what: "an item without data",
    body: (tenant) => ndjson(options(tenant), { customId: "a" }),
    refusal: invalid(contains("`data` (object) is required."), ["items.0.data"]),
  },
  {
    what: "an item that is a list",
    body: (tenant) => ndjson(options(tenant), [1]),
    refusal: invalid(contains("An item must be a JSON object."), ["items.0"]),
  },
  {
    what: "half a line at the end",
    body: (tenant) => ndjson(options(tenant), good).concat('{"data":{"name":'),
    refusal: invalid(contains("Item 1: line 3 is not valid JSON"), ["items.1"]),
  },
  {
    what: "a key twice in an item",
    body: (tenant) => ndjson(options(tenant), '{"data":{"name":"a","name":"b"}}'),
    refusal: invalid(contains("occurs more than once"), ["items.0.data.name"]),
  },
  {
    what: "an item that is nested too deeply",
    body: (tenant) => ndjson(options(tenant), `{"data":{"name":"a","x":${"[".repeat(200)}${"]".repeat(200)}}}`),
    refusal: invalid(contains("levels deep"), [expect.anything() as never]),
  },
  {
    what: "wrong options",
    body: (tenant) => ndjson(options(tenant, { deviceScaleFactor: 4 }), good),
    refusal: invalid("`deviceScaleFactor` must be 1, 2 or 3.", ["deviceScaleFactor"]),
  },
  {
    what: "items in the first line",
    body: (tenant) => ndjson(options(tenant, { items: [good] }), good),
    refusal: invalid(contains("`items` is not a known property"), ["items"]),
  },
  {
    what: "a first line that is not JSON",
    body: () => "templateId\n{}\n",
    refusal: invalid(contains("The first line, with the options of the batch, is not valid JSON")),
  },
  { what: "an empty body", body: () => "", refusal: invalid(contains("The first line")) },
  {
    what: "no items",
    body: (tenant) => ndjson(options(tenant), "", " "),
    refusal: invalid("A batch must have at least one item.", ["items"]),
  },
  {
    what: "more items than allowed",
    body: (tenant) => ndjson(options(tenant), ...items(201)),
    refusal: invalid("A batch can have at most 200 items.", ["items"]),
  },
  {
    what: "more than a thousand empty lines",
    body: (tenant) => ndjson(options(tenant), good).concat(" \n".repeat(1_001)),
    refusal: invalid("A body can have at most 1000 empty lines.", ["items"]),
  },
  {
    what: "an unknown output",
    body: (tenant) => ndjson(options(tenant, { output: ["zip"] }), good),
    refusal: invalid('`output` must be ["documents"], ["merged"] or both.', ["output.0"]),
  },
  {
    what: "merged images",
    body: (tenant) => ndjson(options(tenant, { output: ["merged"], format: "png" }), good),
    refusal: invalid('Only a batch with the `format` "pdf" can be merged.', ["output"]),
  },
  {
    what: "a template that does not exist",
    body: () => ndjson({ templateId: unknownId }, good),
    refusal: { status: 404, code: "TEMPLATE_NOT_FOUND" },
  },
  {
    what: "a version that does not exist",
    body: (tenant) => ndjson(options(tenant, { templateVersion: 7 }), good),
    refusal: { status: 404, code: "TEMPLATE_NOT_FOUND", message: contains("no version 7") },
  },
  {
    what: "a webhook URL that is not public",
    body: (tenant) => ndjson(options(tenant, { webhookUrl: "https://10.0.0.1/" }), good),
    refusal: invalid(contains("`webhookUrl`"), ["webhookUrl"]),
  },
  {
    what: "a page that is too small for the margins of the template",
    body: (tenant) => ndjson(options(tenant, { width: 40 }), good),
    refusal: invalid(contains("leaves no room"), ["width"]),
  },
  {
    what: "a malformed idempotency key",
    body: (tenant) => ndjson(options(tenant), good),
    headers: { "Idempotency-Key": "two words" },
    refusal: invalid(contains("`Idempotency-Key`"), ["Idempotency-Key"]),
  },
  {
    what: "a body without its length",
    body: (tenant) => ndjson(options(tenant), good),
    headers: { "Content-Length": "" },
    refusal: { status: 411, code: "VALIDATION_ERROR", message: contains("`Content-Length`") },
  },
  {
    what: "51 MB",
    body: (tenant) => ndjson(options(tenant), good),
    headers: { "Content-Length": "51000000" },
    refusal: { status: 413, code: "VALIDATION_ERROR", message: "The body is larger than 50 MB." },
  },
  {
    what: "a body that ends early",
    body: (tenant) => ndjson(options(tenant), ...items(3)),
    headers: { "Content-Length": "100000" },
    refusal: invalid("The body ended before it was complete."),
  },
  {
    what: "a line over 1 MiB",
    body: (tenant) => ndjson(options(tenant), good, { data: { name: "x".repeat(1024 * 1024) } }),
    refusal: invalid("Line 3 is longer than 1 MiB."),
  },
  {
    what: "another type",
    body: (tenant) => ndjson(options(tenant), good),
    headers: { "Content-Type": "text/csv" },
    refusal: { status: 415, code: "VALIDATION_ERROR", message: contains("application/x-ndjson") },
  },
  {
    what: "a compressed body",
    body: (tenant) => ndjson(options(tenant), good),
    headers: { "Content-Encoding": "gzip" },
    refusal: { status: 415, code: "VALIDATION_ERROR" },
  },
  {
    what: "another character set",
    body: (tenant) => ndjson(options(tenant), good),
    headers: { "Content-Type": `${ndjsonType}; charset=latin1` },
    refusal: { status: 415, code: "VALIDATION_ERROR" },
  },
];

describe("a batch of NDJSON", () => {
  it.each(wrong)("with $what is refused, and leaves nothing", async ({ body, headers, refusal }) => {
    const tenant = await newInvoicer();

    const response = await postNdjson(service, tenant, body(tenant), headers);

    expect(await refusalOf(response)).toMatchObject(refusal);
    await expectNothingStored(tenant);
  });

  it("names the first hundred wrong items, and counts the rest", async () => {
    const tenant = await newInvoicer();
    const bad = Array.from({ length: 150 }, (_, index) => ({ customId: `b-${index}`, data: { name: index } }));

    const { details, message } = await refusalOf(
      await postNdjson(service, tenant, ndjson(options(tenant), ...items(50), ...bad)),
    );

    expect(details?.map(({ path }) => path)).toEqual(
      bad.slice(0, 100).map((_, index) => `items.${index + 50}.data.name`),
    );
    expect(message).toContain("150 of 200 items cannot be rendered.");
    expect(message).toContain("And 147 more wrong items.");
    await expectNothingStored(tenant);
  });
});

describe("a batch of JSON", () => {
  it.each([
    { what: "no items", items: [], path: "items" },
    { what: "more items than allowed", items: Array.from({ length: 201 }, () => 1), path: "items" },
    { what: "items that are no list", items: {}, path: "items" },
    { what: "a wrong item", items: [good, { data: { name: 1 } }], path: "items.1.data.name" },
    { what: "an item that is no object", items: [good, "x"], path: "items.1" },
  ])("with $what is refused, and leaves nothing", async ({ items, path }) => {
    const tenant = await newInvoicer();

    const refusal = await refusalOf(await postBatch(service, tenant, { items }));

    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
    await expectNothingStored(tenant);
  });

  it("over 1 MiB is refused", async () => {
    const tenant = await newInvoicer();

    const refusal = await refusalOf(
      await postBatch(service, tenant, { items: [{ data: { name: "x".repeat(1024 * 1024) } }] }),
    );

    expect(refusal).toMatchObject({ status: 413, code: "VALIDATION_ERROR" });
  });
});

describe("an account with much to render", () => {
  it("cannot have more open batches, or more waiting items, than allowed", async () => {
    const tenant = await tenantWithLimit(1_000);
    const limited = (limit: "openBatches" | "waitingItems") =>
      testService(({ batches }) => ({ batches: { ...batches, accept: async () => ({ status: "too_many", limit }) } }));

    const refusals = [
      await refusalOf(await postBatch(limited("openBatches"), tenant, { items: items(1) })),
      await refusalOf(await postBatch(limited("waitingItems"), tenant, { items: items(1) })),
    ];

    expect(refusals).toMatchObject([
      { status: 429, code: "BATCH_LIMIT_EXCEEDED", message: contains("20 batches that have not ended") },
      { status: 429, code: "BATCH_LIMIT_EXCEEDED", message: contains("50000 items and documents that wait") },
    ]);
    await expectNothingStored(tenant);
  });
});
