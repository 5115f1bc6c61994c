// Query parameters that are refused: unknown names, and wrong values in lists.
import { expect, it } from "vitest";
import { base64Url } from "colophon-base/encoding";
import { describedApp } from "../../fixtures/described-app.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { get } from "../../fixtures/tenant.ts";
import { fakeApi, refusalOf } from "../fake-api.ts";

const unknownId = "00000000-0000-4000-8000-000000000000";
const app = describedApp({
  servicesOf: () => {
    throw new Error("no request is sent to this application");
  },
  log: () => {},
});

async function send(path: string, method = "GET"): Promise<Response> {
  const api = await fakeApi();
  return get(api, api, path, { method });
}

const documentParameters =
  "`limit`, `offset`, `cursor`, `status`, `format`, `templateId`, `batchId`, `createdAfter`, `createdBefore`, `metadata[key]`";
const requests = [
  { route: "GET /documents", allowed: documentParameters },
  { route: "GET /templates", allowed: "`limit`, `offset`, `cursor`" },
  { route: "GET /documents/:id/downloads", allowed: "`limit`, `offset`, `cursor`" },
  { route: "GET /batches", allowed: "`limit`, `offset`, `cursor`" },
  ...["POST /documents", "GET /documents/:id", "DELETE /documents/:id", "GET /documents/:id/download"],
  ...[
    "POST /documents/:id/links",
    "DELETE /documents/:id/links",
    "DELETE /batches/:id/links",
    "GET /templates/:id",
    "POST /batches",
    "GET /batches/:id",
    "GET /batches/:id/results",
  ],
  ...["POST /batches/:id/cancel", "DELETE /batches/:id", "GET /usage", "GET /openapi.json"],
].map((request) => (typeof request === "string" ? { route: request, allowed: null } : request));

it.each(requests)("an unknown query parameter of $route gets the allowed ones", async ({ route, allowed }) => {
  const [method, path = ""] = route.split(" ");
  const response = await send(`${path.replace(":id", unknownId)}?page=2`, method);

  const rule = allowed === null ? "this request takes none" : `the allowed parameters are ${allowed}`;
  expect(await refusalOf(response)).toMatchObject({
    status: 400,
    code: "VALIDATION_ERROR",
    message: `\`page\` is not a known query parameter; ${rule}.`,
    details: [{ path: "page" }],
  });
});

it("every operation of the API refuses an unknown query parameter", () => {
  const operations = app.routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/v1/"));

  expect(requests.map(({ route }) => route)).toEqual(
    expect.arrayContaining(operations.map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`)),
  );
});

it.each(["__proto__", "constructor", "", "limit[]", "x".repeat(60), "\u0000", "ünï"])(
  "an unknown query parameter %j is named",
  async (name) => {
    const { message } = await refusalOf(await send(`/templates?${encodeURIComponent(name)}=1`));

    expect(message).toContain(`\`${name}\` is not a known query parameter`);
  },
);

it("the response names at most twenty unknown query parameters, which it shortens", async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `${index}${"x".repeat(200)}`);

  const { details } = await refusalOf(await send(`/usage?${names.join("=&")}`));

  expect(details?.map(({ path }) => path)).toEqual(names.slice(0, 20).map((name) => name.slice(0, 60)));
});

it("an unknown query parameter is reported together with other problems", async () => {
  const { details } = await refusalOf(await send("/documents?limit=0&page=2&format=pdf&format=pdf"));

  expect(details?.map(({ path }) => path)).toEqual(["format", "limit", "page"]);
});

const cursorText = (text: string) => base64Url(new TextEncoder().encode(text));
const validCursor = cursorText(`1 ${unknownId}`);
const forgedCursors = [
  ...[`1 ${unknownId} `, `01 ${unknownId}`, `-1 ${unknownId}`, `1.5 ${unknownId}`, `=1 ${unknownId}`],
  ...[`9000000000000000 ${unknownId}`, "1 ABCDEFAB-0000-4000-8000-000000000000", "1 ' OR 1=1", "1 ", ""],
].map(cursorText);
const withValues = (name: string, message: string, values: string[]) =>
  values.map((value) => ({ query: `${name}=${value}`, message }));
const limit = "`limit` must be a whole number from 1 to 100.";
const offset = "`offset` must be a whole number, 0 or more.";
const moment = "must be a date, or an RFC 3339 time with its zone, e.g. 2026-11-21T09:30:00Z.";
const ofEveryList = [
  ...withValues("limit", limit, ["0", "101", "-1", "abc", "1.5", "", "1e1", "0x10", "%2B5", "%205", "5%00"]),
  ...withValues("limit", limit, ["%D9%A5", "NaN", "Infinity", "9".repeat(5_000)]),
  ...withValues("offset", offset, ["-1", "1e3", "abc", "0.5", ""]),
  { query: "limit=0&offset=-1", message: `${limit} ${offset}` },
  { query: "limit=1&limit=2", message: "`limit` is given 2 times; give it once." },
  ...withValues("cursor", "`cursor` must be the `nextCursor` of a list.", [
    ...["x", `${validCursor}=`, "%00", "A".repeat(10_000)],
    ...forgedCursors,
  ]),
  { query: `offset=0&cursor=${validCursor}`, message: "`cursor` and `offset` cannot be given together." },
  ...["limit=%ff", "limit=%", "%c3%28=1", "limit=5%E0%A4"].map((query) => ({
    query,
    message: "The query string is not percent-encoded UTF-8.",
  })),
];
// test/http/queries/parse-time.test.ts has every form of a time.
const ofDocuments = [
  ...withValues("status", '`status` must be "processing", "completed" or "failed".', ["done", "", "Completed"]),
  ...withValues("format", '`format` must be "pdf", "png", "jpeg" or "webp".', ["gif", ""]),
  ...withValues("createdAfter", `\`createdAfter\` ${moment}`, ["", "yesterday", "%00"]),
  ...withValues("createdBefore", "`createdBefore` is 2026-11-31, a day that does not exist.", ["2026-11-31"]),
  {
    query: "createdAfter=2026-11-22&createdBefore=2026-11-21",
    message: "`createdAfter` must not be later than `createdBefore`.",
  },
];

it.each([
  ...["/documents", "/templates"].flatMap((path) => ofEveryList.map((bad) => ({ path, ...bad }))),
  ...ofDocuments.map((bad) => ({ path: "/documents", ...bad })),
])(
  "the request $path?$query is refused with a message that states the allowed values",
  async ({ path, query, message }) => {
    const response = await send(`${path}?${query}`);

    expect(await refusalOf(response)).toMatchObject({ status: 400, code: "VALIDATION_ERROR", message });
  },
);

it.each([
  ["its id", (id: string) => id.toUpperCase(), 1],
  ["the name of its folder", () => "letter", 1],
  ["the name of no folder", () => "1", 0],
  ["an empty name", () => "", 0],
  ["thousands of NUL characters", () => "\u0000".repeat(2_000), 0],
])("a list of documents can be limited to the template that is named by %s", async (_what, nameOf, count) => {
  const api = await fakeApi();
  const { state } = api.services;
  const template = state.templates.get(api.templateId) ?? expect.unreachable();
  state.templates.set(api.templateId, { ...template, folder: "letter" });
  for (const templateId of [api.templateId, unknownId]) {
    const document = completedDocument({ accountId: api.accountId, templateId });
    state.documents.set(document.id, document);
  }

  const response = await get(api, api, `/documents?templateId=${encodeURIComponent(nameOf(api.templateId))}`);

  const { data } = await response.json<{ data: { documents: { templateId: string }[] } }>();
  expect(data.documents.map(({ templateId }) => templateId)).toEqual(Array(count).fill(api.templateId));
});

it.each(["/documents", "/templates"])("a list of %s may have an enormous offset and empty parts", async (path) => {
  const response = await send(`${path}?&&limit=100&offset=${"9".repeat(100)}&`);

  const { data } = await response.json<{ data: { documents?: []; templates?: []; pagination: object } }>();
  expect([response.status, data.documents ?? data.templates]).toEqual([200, []]);
  expect(data.pagination).toMatchObject({ limit: 100 });
});
