import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import { templateContent } from "colophon-test-kit/template-content";
import { baseUrl, get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  dataOf,
  fileBytes,
  refusalOf,
  renderFile,
  renderNothing,
  testService,
  uuidPattern,
  type DocumentJson,
  type Pagination,
  type Success,
  type TestService,
  newWorld,
} from "../app.ts";

type List = { documents: DocumentJson[]; pagination: Pagination };

// `describedApp` checks that each response has exactly the properties in its description.
it("POST /documents responds with 201, the record of the document and its URL", async () => {
  const { response, record, tenant, service } = await created({ data: { name: "Ada" } });

  const [job = expect.unreachable()] = service.jobs;
  const fileUrl = `https://files.test/files/${job.fileKey}`;
  expect([response.status, response.headers.get("Location")]).toEqual([201, `${baseUrl}/documents/${record.id}`]);
  expect(record).toMatchObject({
    ...{ templateId: tenant.templateId, templateVersion: 1, status: "completed", pageCount: 3, warnings: [] },
    ...{ pdfUrl: fileUrl, fileUrl, fileSize: fileBytes(job).length, sha256: await sha256Hex(fileBytes(job)) },
  });
});

it.for([
  { body: { format: "jpeg" }, imageQuality: 85 },
  { body: { format: "webp", imageQuality: 100 }, imageQuality: 100 },
  { body: { format: "png" }, imageQuality: null },
  { body: { format: "pdf" }, imageQuality: null },
])("POST /documents renders $body with the quality $imageQuality", async ({ body, imageQuality }) => {
  const { record, service } = await created(body);

  expect([record.imageQuality, service.jobs[0]?.imageQuality]).toEqual([imageQuality, imageQuality]);
});

it("POST /documents renders with the format, scale and size from the request", async () => {
  const { record, service } = await created({ format: "png", deviceScaleFactor: 3, width: 400, height: 300 });

  const requested = { format: "png", deviceScaleFactor: 3, width: 400, height: 300 };
  expect(record).toMatchObject({ ...requested, pixelWidth: 800, pixelHeight: 1800 });
  const [job] = service.jobs;
  expect({ ...job, ...job?.page }).toMatchObject(requested);
});

it("POST /documents also renders an unpublished template", async () => {
  const { manifest } = templateContent({});
  const tenant = await newTenant(env, { content: { manifest: { ...manifest, isPublished: false } } });

  const response = await post(testService(), tenant, { templateId: tenant.templateId, data: {} });

  expect(response.status).toBe(201);
});

it("POST /documents sets createdAt to the arrival of the request and completedAt to the end of the render", async () => {
  let nowMs = Date.UTC(2026, 10, 21, 12);
  const tenant = await newTenant(env);
  const service = testService(() => ({ now: () => nowMs }));
  service.render = async (job) => {
    nowMs += 1_500;
    return renderFile(job);
  };

  const record = await create(service, tenant);

  expect([record.createdAt, record.completedAt]).toEqual(["2026-11-21T12:00:00.000Z", "2026-11-21T12:00:01.500Z"]);
});

// outcomes.test.ts has every way in which a render can fail.
it("a render that fails is refused with 422 RENDER_FAILED, and leaves a failed document with the reason and no file", async () => {
  const { tenant, service } = await newWorld();
  service.render = renderNothing;

  const response = await post(service, tenant, { templateId: tenant.templateId, data: {} });

  const error = { code: "RENDER_FAILED", message: "The table is too long." };
  expect(await refusalOf(response)).toEqual({ status: 422, ...error });
  const [document] = (await list(service, tenant)).documents;
  const noFile = { pdfUrl: null, fileUrl: null, completedAt: null, pageCount: null, fileSize: null, sha256: null };
  expect(document).toMatchObject({ status: "failed", error, ...noFile });
  expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
  const download = await refusalOf(await get(service, tenant, `/documents/${document?.id}/download`));
  expect(download).toMatchObject({ code: "DOCUMENT_NOT_FOUND", message: expect.stringContaining("failed") });
});

it("GET /documents returns one page of documents, with the total number of documents", async () => {
  const tenant = await newTenant(env);
  // The clock advances at each reading, so that all requests have different times.
  let nowMs = Date.UTC(2026, 10, 21);
  const service = testService(() => ({ now: () => nowMs++ }));
  const records = [await create(service, tenant), await create(service, tenant), await create(service, tenant)];

  const page = await list(service, tenant, "?limit=1&offset=1");

  expect(page).toEqual({
    documents: [records[1]],
    pagination: { limit: 1, offset: 1, total: 3, totalIsExact: true, nextCursor: expect.any(String) },
  });
});

it("GET /documents returns twenty documents by default", async () => {
  const { tenant, service } = await newWorld();
  await Promise.all(Array.from({ length: 21 }, () => create(service, tenant)));

  const page = await list(service, tenant);

  expect(page.documents.length).toBe(20);
  expect(page.pagination).toMatchObject({ limit: 20, offset: 0, total: 21 });
});

it("GET /documents returns an empty page beyond the end of the list, however large the offset is", async () => {
  const { tenant, service } = await created();

  const page = await list(service, tenant, "?offset=9007199254740991");

  expect(page).toMatchObject({ documents: [], pagination: { total: 1, nextCursor: null } });
});

it("DELETE /documents/:id returns the id of the document, and removes only this document and its file", async () => {
  const { record, tenant, service } = await created();
  const other = await create(service, tenant);
  const path = `/documents/${record.id}`;

  const response = await get(service, tenant, path, { method: "DELETE" });

  expect([response.status, await dataOf(response)]).toEqual([200, { id: record.id, deleted: true }]);
  for (const method of ["GET", "DELETE"]) {
    const refusal = await refusalOf(await get(service, tenant, path, { method }));
    expect(refusal).toMatchObject({ status: 404, code: "DOCUMENT_NOT_FOUND" });
  }
  expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
  expect((await get(service, tenant, `/documents/${other.id}/download`)).status).toBe(200);
});

it("DELETE /documents/:id succeeds exactly once among many simultaneous deletes", async () => {
  const { record, tenant, service } = await created();

  const responses = await Promise.all(
    Array.from({ length: 8 }, () => get(service, tenant, `/documents/${record.id}`, { method: "DELETE" })),
  );

  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
});

it("GET /documents/:id/download sends the bytes of the file with exactly the headers of a private, sandboxed attachment", async () => {
  const { response, record, bytes } = await download();

  expect([response.status, await response.text()]).toEqual([200, bytes]);
  expect(Object.fromEntries(response.headers)).toEqual({
    "accept-ranges": "bytes",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": expect.stringContaining("Content-Disposition"),
    "cache-control": "private, no-cache",
    "content-disposition": `attachment; filename="document-${record.id}.pdf"`,
    "content-length": String(bytes.length),
    "content-security-policy": "sandbox; default-src 'none'",
    "content-type": "application/pdf",
    etag: `"${record.sha256}"`,
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(uuidPattern),
  });
});

it("HEAD /documents/:id/download sends the headers of GET without a body", async () => {
  const full = await downloaded();

  const head = await full.download({}, "HEAD");

  const { "x-request-id": _, ...expected } = Object.fromEntries(full.response.headers);
  expect(Object.fromEntries(head.headers)).toMatchObject(expected);
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it("GET /documents/:id/download responds with DOCUMENT_NOT_FOUND when the file is missing from the bucket", async () => {
  const { record, tenant, service } = await created();
  await env.FILES.delete(service.jobs[0]?.fileKey ?? "");

  const response = await get(service, tenant, `/documents/${record.id}/download`);

  expect(await refusalOf(response)).toEqual({
    status: 404,
    code: "DOCUMENT_NOT_FOUND",
    message: "The document's file no longer exists.",
  });
});

it("GET /documents/:id/download with the file's ETag as a condition gets 304 without the headers of a body", async () => {
  const { download, etag } = await downloaded();

  const response = await download({ "If-None-Match": etag });

  expect([response.status, await response.text()]).toEqual([304, ""]);
  const names = ["ETag", "Cache-Control", "Content-Length", "Content-Type"];
  expect(names.map((name) => response.headers.get(name))).toEqual([etag, "private, no-cache", null, null]);
});

it.for<{ status: number; headers: Record<string, string>; method?: string }>([
  ...["W/ETAG", "*", '"other", ETAG', '"other" , W/ETAG'].map((etags) => ({
    status: 304,
    headers: { "If-None-Match": etags },
  })),
  { status: 304, headers: { "If-None-Match": "ETAG" }, method: "HEAD" },
  { status: 304, headers: { "If-None-Match": "ETAG", Range: "bytes=0-1" } },
  { status: 200, headers: { "If-None-Match": '"other"' } },
  { status: 200, headers: { "If-None-Match": `${'"x",'.repeat(2_000)}"y"` } },
  { status: 200, headers: { "If-Match": "ETAG" } },
  { status: 412, headers: { "If-Match": "W/ETAG" } },
  { status: 412, headers: { "If-Match": "x".repeat(10_000) } },
  { status: 206, headers: { "If-Range": "ETAG", Range: "bytes=0-1" } },
  { status: 200, headers: { "If-Range": "W/ETAG", Range: "bytes=0-1" } },
  { status: 200, headers: { "If-Range": "Sat, 21 Nov 2026 12:00:00 GMT", Range: "bytes=0-1" } },
  { status: 200, headers: { "If-Range": '"other"', Range: "bytes=9999-" } },
])("GET /documents/:id/download with $headers gets $status", async ({ status, headers, method }) => {
  const { download, etag, bytes } = await downloaded();
  const entries = Object.entries(headers).map(([name, value]) => [name, value.replace("ETAG", etag)]);

  const response = await download(Object.fromEntries(entries), method);

  expect(response.status).toBe(status);
  if (status === 200) expect(await response.text()).toBe(bytes);
});

// test/http/documents/file-response.test.ts has every form of a range.
it("GET /documents/:id/download with a range gets 206 and the requested bytes, as an attachment", async () => {
  const { download, record, bytes } = await downloaded();

  const response = await download({ Range: "bytes=3-7" });

  const { status, headers } = response;
  expect([status, await response.text()]).toEqual([206, bytes.slice(3, 8)]);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-range": `bytes 3-7/${bytes.length}`,
    "content-length": "5",
    "content-disposition": `attachment; filename="document-${record.id}.pdf"`,
    "x-content-type-options": "nosniff",
    etag: `"${record.sha256}"`,
  });
});

it("GET /documents/:id/download with a range outside the file gets 416 and the file's size", async () => {
  const { download, bytes } = await downloaded();

  const response = await download({ Range: "bytes=9999-" });

  expect(response.headers.get("Content-Range")).toBe(`bytes */${bytes.length}`);
  const message = `\`Range\` lies outside the file's ${bytes.length} bytes.`;
  expect(await refusalOf(response)).toEqual({ status: 416, code: "VALIDATION_ERROR", message });
});

it.for([
  { range: "bytes=5-2", method: "GET" },
  { range: "bytes=0-3", method: "HEAD" },
])("the range of a $method of /documents/:id/download with $range is ignored", async ({ range, method }) => {
  const { download, bytes } = await downloaded();

  const { status, headers } = await download({ Range: range }, method);

  expect([status, headers.get("Content-Length")]).toEqual([200, String(bytes.length)]);
});

it("the public file is not served by the Worker while CDN_URL points elsewhere", async () => {
  const { service } = await created();

  const response = await service.fetch(`https://colophon.test/files/${service.jobs[0]?.fileKey}`);

  expect(await refusalOf(response)).toMatchObject({ status: 404, code: "NOT_FOUND" });
});

it.for([
  { format: "pdf", extension: "pdf", type: "application/pdf" },
  { format: "jpeg", extension: "jpg", type: "image/jpeg" },
])(
  "the public file is named by 256 random bits with .$extension, and is served as $type until it is deleted",
  async ({ format, extension, type }) => {
    const tenant = await newTenant(env);
    const cdnUrl = "https://colophon.test/files";
    const service = testService(({ settings }) => ({ settings: { ...settings, cdnUrl } }));
    const { id, pdfUrl, fileSize } = await create(service, tenant, { format });
    expect(pdfUrl).toMatch(new RegExp(String.raw`^${cdnUrl}/[A-Za-z0-9_-]{43}\.${extension}$`));

    const served = await service.fetch(pdfUrl ?? "");
    const download = await get(service, tenant, `/documents/${id}/download`);

    expect([served.status, Object.fromEntries(served.headers)]).toMatchObject([
      200,
      { "content-type": type, "content-length": String(fileSize), "cache-control": "public, max-age=300" },
    ]);
    expect(Object.fromEntries(download.headers)).toMatchObject({
      "content-type": type,
      "content-disposition": `attachment; filename="document-${id}.${extension}"`,
    });
    await get(service, tenant, `/documents/${id}`, { method: "DELETE" });
    expect((await service.fetch(pdfUrl ?? "")).status).toBe(404);
  },
);

async function created(extra: object = {}) {
  const { tenant, service } = await newWorld();
  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...extra });
  const { data: record } = await response.clone().json<Success<DocumentJson>>();
  return { tenant, service, response, record };
}

async function create(service: TestService, tenant: Tenant, extra: object = {}): Promise<DocumentJson> {
  return dataOf(await post(service, tenant, { templateId: tenant.templateId, data: {}, ...extra }));
}

async function list(service: TestService, tenant: Tenant, query = ""): Promise<List> {
  return dataOf<List>(await get(service, tenant, `/documents${query}`));
}

/** A document with the response to its download, shared by the tests that only read it. */
let shared: ReturnType<typeof download> | undefined;
const downloaded = () => (shared ??= download());

async function download() {
  const { record, tenant, service } = await created();
  const download = (headers: Record<string, string> = {}, method = "GET") =>
    get(service, tenant, `/documents/${record.id}/download`, { method, headers });
  const [job] = service.jobs;
  const bytes = job ? new TextDecoder().decode(fileBytes(job)) : "";
  return { record, download, bytes, etag: `"${record.sha256}"`, response: await download() };
}
