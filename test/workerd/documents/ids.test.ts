// Ids and file keys in requests: UUIDs are found in upper and lower case. Other strings are not looked up, except possible folder
// names of templates.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { templateCatalog } from "../../../src/platform/templates/template-catalog.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  callTimeoutMs,
  create,
  dataOf,
  refusalOf,
  testService,
  unknownId,
  type DocumentJson,
  type Pagination,
} from "../app.ts";
import { spiedD1 } from "../storage/spied-d1.ts";

const service = testService();

it("a document is found by its id in upper case, with its file, but only for its own account", async () => {
  const { tenant, id } = await withDocument();
  const path = `/documents/${id.toUpperCase()}`;

  const download = await get(service, tenant, `${path}/download`);

  expect((await dataOf(await get(service, tenant, path))).id).toBe(id);
  expect(download.headers.get("Content-Disposition")).toBe(`attachment; filename="document-${id}.pdf"`);
  expect((await get(service, await newTenant(env), path)).status).toBe(404);
});

it("a template is found by its id in upper case in a path, in a body and in the query of a list", async () => {
  const { tenant } = await withDocument();
  const id = tenant.templateId.toUpperCase();

  const found = await dataOf<{ id: string }>(await get(service, tenant, `/templates/${id}`));
  const made = await dataOf(await post(service, tenant, { templateId: id, data: {} }));
  const listed = await dataOf<{ pagination: Pagination }>(await get(service, tenant, `/documents?templateId=${id}`));

  expect([found.id, made.templateId, listed.pagination.total]).toEqual([tenant.templateId, tenant.templateId, 2]);
});

const documentRoutes = [
  { method: "GET", path: (id: string) => `/documents/${id}` },
  { method: "DELETE", path: (id: string) => `/documents/${id}` },
  { method: "GET", path: (id: string) => `/documents/${id}/download` },
];
const noDocument = {
  status: 404,
  code: "DOCUMENT_NOT_FOUND",
  message: "No document with this id exists in the account.",
};
const noTemplate = {
  status: 404,
  code: "TEMPLATE_NOT_FOUND",
  message: "No template with this id exists in the account.",
};
// test/core/uuid.test.ts has other strings that are not ids.
const strangeIds = [
  ...["null", "%20", "a%2Fb", "%2e%2e%2f%2e%2e", "%25", "%", "%zz", "%ff%fe", "%00", "a%0d%0aX-Evil:%201", "<script>"],
  ...["'%20OR%201=1--", "__proto__", ":id", "x".repeat(100_000), `${unknownId}%00`, `${unknownId}%0A`, "%ED%A0%80"],
];

it("an id that is not a UUID gets 404, without a query if it is meant to be the id of a document", async () => {
  const tenant = await newTenant(env);
  const { counted, queries } = countingService();

  for (const id of strangeIds) {
    for (const { method, path } of documentRoutes)
      expect(await refusalOf(await get(counted, tenant, path(id), { method }))).toEqual(noDocument);
    expect(await refusalOf(await get(service, tenant, `/templates/${id}`))).toEqual(noTemplate);
    expect((await post(service, tenant, { templateId: id, data: {} })).status).toBe(404);
  }
  expect(queries()).toBe(0);
});

it("a template is not looked up in D1 by an id that is neither a UUID nor a possible folder name", async () => {
  const tenant = await newTenant(env);
  const { counted, queries } = countingService();

  for (const templateId of ["", ".", "..", "a/b", "a\\b", "\u0000", "a\nb", `${unknownId}\u0000`, "x".repeat(101)])
    expect((await post(counted, tenant, { templateId, data: {} })).status).toBe(404);
  expect(queries()).toBe(0);
});

const local = testService(undefined, { ...env, CDN_URL: "https://colophon.test/files" });

// test/core/documents/document.test.ts has other strings that are not keys.
it.for(["x".repeat(1_025), "é".repeat(600), "%00", "..%2F..%2Fsecret", "%ff%fe", "%", `${"A".repeat(43)}.pdf%0A`])(
  "a file key that belongs to no file gives 404: %s",
  async (key) => {
    const responses = await Promise.all(
      ["GET", "HEAD"].map((method) => local.fetch(`https://colophon.test/files/${key}`, { method })),
    );

    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(await refusalOf(responses[0] ?? new Response())).toMatchObject({ code: "NOT_FOUND" });
  },
);

it.for<[what: string, headers: Record<string, string>]>([
  ["a key of 10,000 characters", { Authorization: `Bearer ${"x".repeat(10_000)}` }],
  ["a key after 10,000 spaces", { Authorization: `Bearer ${" ".repeat(10_000)}x` }],
  ["a request id of 10,000 characters", { "X-Request-Id": "x".repeat(10_000) }],
])("a request with %s causes no server error", async ([, headers]) => {
  const response = await get(service, await newTenant(env), "/documents", { headers });

  expect(response.status).toBeLessThan(500);
});

async function withDocument(): Promise<{ tenant: Tenant; id: string; fileKey: string }> {
  const tenant = await newTenant(env);
  const { id, pdfUrl } = await dataOf<DocumentJson>(await create(service, tenant));
  return { tenant, id, fileKey: pdfUrl?.split("/").at(-1) ?? "" };
}

/** A service that counts the queries to documents and templates. */
function countingService() {
  let queries = 0;
  const d1 = d1Client(
    spiedD1(() => void queries++),
    callTimeoutMs,
  );
  const counted = testService(() => ({
    documents: documentStore(singleDatabase(d1)),
    templates: templateCatalog(d1, env.TEMPLATES),
  }));
  return { counted, queries: () => queries };
}
