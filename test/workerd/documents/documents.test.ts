import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/core/encoding.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { baseUrl, field, get, newTenant, post, templateContent, type Tenant } from "../../fixtures/tenant.ts";
import {
  callTimeoutMs,
  dataOf,
  fileBytes,
  refusalOf,
  renderFile,
  renderNothing,
  testService,
  timestampPattern,
  uuidPattern,
  type DocumentJson,
  type Pagination,
  type Success,
  type TestService,
} from "../app.ts";

type List = { documents: DocumentJson[]; pagination: Pagination };

describe("POST /documents", () => {
  it("responds with 201 and exactly the properties of a document record", async () => {
    const tenant = await newTenant(env);
    const service = testService();

    const response = await post(service, tenant, { templateId: tenant.templateId, data: { name: "Ada" } });

    expect(response.status).toBe(201);
    const [job] = service.jobs;
    expect(await response.json()).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(uuidPattern),
        templateId: tenant.templateId,
        status: "completed",
        format: "pdf",
        pdfUrl: `https://files.test/files/${job?.fileKey}`,
        fileUrl: `https://files.test/files/${job?.fileKey}`,
        createdAt: expect.stringMatching(timestampPattern),
        completedAt: expect.stringMatching(timestampPattern),
        templateVersion: 1,
        width: 794,
        height: 1123,
        deviceScaleFactor: 2,
        imageQuality: null,
        pixelWidth: null,
        pixelHeight: null,
        pageCount: 3,
        fileSize: job && fileBytes(job).length,
        sha256: job && (await sha256Hex(Uint8Array.from(fileBytes(job)))),
        warnings: [],
        error: null,
        expiresAt: null,
        filename: null,
        metadata: {},
      },
      meta: { timestamp: expect.stringMatching(timestampPattern), requestId: expect.stringMatching(uuidPattern) },
    });
  });

  it("names the document's URL in Location", async () => {
    const { response, record } = await created();

    expect(response.headers.get("Location")).toBe(`${baseUrl}/documents/${record.id}`);
  });

  it("keeps the document's id out of the public URL of its file", async () => {
    const { record } = await created();

    expect(record.pdfUrl).not.toContain(record.id);
  });

  it.for([
    { format: "pdf", extension: "pdf" },
    { format: "png", extension: "png" },
    { format: "jpeg", extension: "jpg" },
    { format: "webp", extension: "webp" },
  ])("gives a public $format a name of 256 random bits with .$extension", async ({ format, extension }) => {
    const { record } = await created({ format });

    const pattern = new RegExp(String.raw`^https://files\.test/files/[A-Za-z0-9_-]{43}\.${extension}$`);
    expect(record.pdfUrl).toMatch(pattern);
  });

  it("tells the size of an image in pixels", async () => {
    const { record } = await created({ format: "webp", width: 400, height: 300 });

    expect(record).toMatchObject({ width: 400, height: 300, pixelWidth: 800, pixelHeight: 1800 });
  });

  it.for([
    { body: { format: "jpeg" }, imageQuality: 85 },
    { body: { format: "webp" }, imageQuality: 85 },
    { body: { format: "jpeg", imageQuality: 1 }, imageQuality: 1 },
    { body: { format: "webp", imageQuality: 100 }, imageQuality: 100 },
    { body: { format: "png" }, imageQuality: null },
    { body: { format: "pdf" }, imageQuality: null },
  ])("renders $body with the quality $imageQuality", async ({ body, imageQuality }) => {
    const { record, service } = await created(body);

    expect([record.imageQuality, service.jobs[0]?.imageQuality]).toEqual([imageQuality, imageQuality]);
  });

  it("renders with the format, scale and size from the request", async () => {
    const { record, service } = await created({ format: "png", deviceScaleFactor: 3, width: 400, height: 300 });

    const requested = { format: "png", deviceScaleFactor: 3, width: 400, height: 300 };
    expect(record).toMatchObject(requested);
    const [job] = service.jobs;
    expect({ ...job, ...job?.page }).toMatchObject(requested);
  });

  it("puts the data into the page", async () => {
    const { service } = await created({ data: { name: "Ada <Lovelace>" } });

    expect(service.jobs[0]?.html).toContain("<p>Hello Ada &lt;Lovelace&gt;</p>");
  });

  it("treats an absent optional field as empty, even if the field is named `constructor`", async () => {
    const names = ["constructor", "toString", "valueOf", "hasOwnProperty"];
    const page = `[${names.map((name) => `{{ ${name} }}`).join("")}]`;
    const tenant = await newTenant(env, { page, fields: names.map((name) => field(name, "string")) });
    const service = testService();

    await post(service, tenant, { templateId: tenant.templateId, data: {} });

    expect(service.jobs[0]?.html).toContain('<div class="page page-1">[]</div>');
  });

  it("keeps warnings about keys with unusual characters", async () => {
    const { record, tenant, service } = await created({
      data: { "a\u0000b": 1, [`${"x".repeat(39)}🎉`]: 1 },
    });

    expect((await read(service, tenant, record.id)).warnings).toEqual(record.warnings);
  });

  it("renders an unpublished template too", async () => {
    const { manifest } = templateContent({});
    const tenant = await newTenant(env, { content: { manifest: { ...manifest, isPublished: false } } });

    const response = await post(testService(), tenant, { templateId: tenant.templateId, data: {} });

    expect(response.status).toBe(201);
  });

  it("sets createdAt to the arrival of the request and completedAt to the end of the render", async () => {
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
});

describe("a render that fails", () => {
  const failures = [
    { outcome: "impossible", status: 422, message: "The table is too long." },
    { outcome: "timed_out", status: 504, message: "The render took too long and was stopped." },
    { outcome: "crashed", status: 502, message: "The browser failed while rendering the document." },
  ] as const;

  it.for(failures)("responds with $status RENDER_FAILED when the renderer returns $outcome", async (failure) => {
    const { response } = await failed(failure.outcome);

    const { status, message } = failure;
    expect(await refusalOf(response)).toEqual({ status, code: "RENDER_FAILED", message });
  });

  it.for(failures)("leaves a failed document with the reason when the renderer returns $outcome", async (failure) => {
    const { service, tenant } = await failed(failure.outcome);

    const { documents } = await list(service, tenant);

    expect(documents).toEqual([
      {
        id: expect.stringMatching(uuidPattern),
        templateId: tenant.templateId,
        status: "failed",
        format: "pdf",
        pdfUrl: null,
        fileUrl: null,
        createdAt: expect.stringMatching(timestampPattern),
        completedAt: null,
        templateVersion: 1,
        width: 794,
        height: 1123,
        deviceScaleFactor: 2,
        imageQuality: null,
        pixelWidth: null,
        pixelHeight: null,
        pageCount: null,
        fileSize: null,
        sha256: null,
        warnings: [],
        error: { code: "RENDER_FAILED", message: failure.message },
        expiresAt: null,
        filename: null,
        metadata: {},
      },
    ]);
  });

  it("leaves the same record in the list and at the document's own URL", async () => {
    const { service, tenant } = await failed("impossible");
    const [listed] = (await list(service, tenant)).documents;

    const one = await read(service, tenant, listed?.id ?? "");

    expect(one).toEqual(listed);
  });

  it("leaves no file, even if the renderer stored the file before it reported a crash", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    service.render = async (job) => {
      await renderFile(job);
      return { status: "crashed", reason: "the response was lost" };
    };

    await post(service, tenant, { templateId: tenant.templateId, data: {} });

    expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
  });

  it("leaves a document that can be deleted", async () => {
    const { service, tenant } = await failed("impossible");
    const [document] = (await list(service, tenant)).documents;

    await get(service, tenant, `/documents/${document?.id}`, { method: "DELETE" });

    expect((await list(service, tenant)).documents).toEqual([]);
  });

  it("reports the file, the line and the reason when the template cannot be rendered with the data", async () => {
    const tenant = await newTenant(env, { page: "<p>\n{% for i in (1..99999999) %}x{% endfor %}</p>" });

    const response = await post(testService(), tenant, { templateId: tenant.templateId, data: {} });

    expect(await refusalOf(response)).toMatchObject({
      status: 422,
      code: "RENDER_FAILED",
      message: expect.stringMatching(/pages\/1\.liquid, line 2: .+/),
    });
  });
});

describe("a renderer without capacity", () => {
  const noCapacity = async () => ({ status: "no_capacity", retryAfterSeconds: 7 }) as const;

  it("makes a create fail with 503 RENDER_FAILED and Retry-After", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    service.render = noCapacity;

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {} });

    expect(response.headers.get("Retry-After")).toBe("7");
    expect(await refusalOf(response)).toMatchObject({ status: 503, code: "RENDER_FAILED" });
  });
});

describe("GET /documents/:id", () => {
  it("returns the record that the create returned", async () => {
    const { record, tenant, service } = await created();

    const response = await get(service, tenant, `/documents/${record.id}`);

    expect(await dataOf(response)).toEqual(record);
  });

  it("sends headers but no body for HEAD", async () => {
    const { record, tenant, service } = await created();

    const response = await get(service, tenant, `/documents/${record.id}`, { method: "HEAD" });

    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("GET /documents", () => {
  it("returns an empty list for a new account", async () => {
    const tenant = await newTenant(env);

    expect(await list(testService(), tenant)).toEqual({
      documents: [],
      pagination: { limit: 20, offset: 0, total: 0, totalIsExact: true, nextCursor: null },
    });
  });

  it("returns the records that the creates returned, newest first", async () => {
    const { tenant, service } = await steppedClock();
    const first = await create(service, tenant);
    const second = await create(service, tenant);

    expect((await list(service, tenant)).documents).toEqual([second, first]);
  });

  it("returns one page of documents, with the total number of documents", async () => {
    const { tenant, service } = await steppedClock();
    const records = [await create(service, tenant), await create(service, tenant), await create(service, tenant)];

    const page = await list(service, tenant, "?limit=1&offset=1");

    expect(page).toEqual({
      documents: [records[1]],
      pagination: { limit: 1, offset: 1, total: 3, totalIsExact: true, nextCursor: expect.any(String) },
    });
  });

  it("returns twenty documents by default", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    await Promise.all(Array.from({ length: 21 }, () => create(service, tenant)));

    const page = await list(service, tenant);

    expect([page.documents.length, page.pagination]).toEqual([
      20,
      { limit: 20, offset: 0, total: 21, totalIsExact: true, nextCursor: expect.any(String) },
    ]);
  });

  it.for(["3", "1000000000000000", "9007199254740991"])(
    "returns an empty page beyond the end of the list, at offset %s",
    async (offset) => {
      const { tenant, service } = await created();

      const page = await list(service, tenant, `?offset=${offset}`);

      expect(page).toEqual({
        documents: [],
        pagination: { limit: 20, offset: Number(offset), total: 1, totalIsExact: true, nextCursor: null },
      });
    },
  );

  it("accepts a limit of a hundred documents per page", async () => {
    const { tenant, service } = await created();

    expect((await list(service, tenant, "?limit=100")).pagination.limit).toBe(100);
  });
});

describe("DELETE /documents/:id", () => {
  it("returns the id of the deleted document", async () => {
    const { record, tenant, service } = await created();

    const response = await get(service, tenant, `/documents/${record.id}`, { method: "DELETE" });

    expect([response.status, await dataOf(response)]).toEqual([200, { id: record.id, deleted: true }]);
  });

  it("removes the file from the bucket", async () => {
    const { record, tenant, service } = await created();

    await get(service, tenant, `/documents/${record.id}`, { method: "DELETE" });

    expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
  });

  it.for(["GET", "DELETE"])("makes a later %s respond with DOCUMENT_NOT_FOUND", async (method) => {
    const { record, tenant, service } = await created();
    await get(service, tenant, `/documents/${record.id}`, { method: "DELETE" });

    const response = await get(service, tenant, `/documents/${record.id}`, { method });

    expect(await refusalOf(response)).toMatchObject({ status: 404, code: "DOCUMENT_NOT_FOUND" });
  });

  it("succeeds exactly once among many simultaneous deletes", async () => {
    const { record, tenant, service } = await created();

    const responses = await Promise.all(
      Array.from({ length: 8 }, () => get(service, tenant, `/documents/${record.id}`, { method: "DELETE" })),
    );

    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });

  it("does not affect the account's other documents or their files", async () => {
    const { record, tenant, service } = await created();
    const other = await create(service, tenant);

    await get(service, tenant, `/documents/${record.id}`, { method: "DELETE" });

    expect((await get(service, tenant, `/documents/${other.id}/download`)).status).toBe(200);
  });
});

describe("GET /documents/:id/download", () => {
  it("responds with the bytes of the file", async () => {
    const { response, bytes } = await downloaded();

    expect([response.status, await response.text()]).toEqual([200, bytes]);
  });

  it("sends exactly the headers that make the file a private, sandboxed attachment", async () => {
    const { response, record, bytes } = await downloaded();

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
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(uuidPattern),
    });
  });

  it.for([
    { format: "png", type: "image/png", extension: "png" },
    { format: "jpeg", type: "image/jpeg", extension: "jpg" },
    { format: "webp", type: "image/webp", extension: "webp" },
  ])("sends a $format with its type and a file name with .$extension", async ({ format, type, extension }) => {
    const { record, tenant, service } = await created({ format });

    const { headers } = await get(service, tenant, `/documents/${record.id}/download`);

    expect([headers.get("Content-Type"), headers.get("Content-Disposition")]).toEqual([
      type,
      `attachment; filename="document-${record.id}.${extension}"`,
    ]);
  });

  it("sends the headers of GET without a body for HEAD", async () => {
    const full = await downloaded();

    const head = await full.download({}, "HEAD");

    const { "x-request-id": _, ...expected } = Object.fromEntries(full.response.headers);
    expect(Object.fromEntries(head.headers)).toMatchObject(expected);
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("ignores Range for HEAD", async () => {
    const { download, bytes } = await downloaded();

    const { status, headers } = await download({ Range: "bytes=0-3" }, "HEAD");

    expect([status, headers.get("Content-Length")]).toEqual([200, String(bytes.length)]);
  });

  it("responds with DOCUMENT_NOT_FOUND when the file is missing from the bucket", async () => {
    const { record, tenant, service } = await created();
    await env.FILES.delete(service.jobs[0]?.fileKey ?? "");

    const response = await get(service, tenant, `/documents/${record.id}/download`);

    expect(await refusalOf(response)).toEqual({
      status: 404,
      code: "DOCUMENT_NOT_FOUND",
      message: "The document's file no longer exists.",
    });
  });

  describe("with a condition", () => {
    it.for(["ETAG", "W/ETAG", "*", '"other", ETAG', '"other" , W/ETAG'])(
      "responds with 304 to the If-None-Match header %s, which names the file",
      async (header) => {
        const { download, etag } = await downloaded();

        const response = await download({ "If-None-Match": header.replace("ETAG", etag) });

        expect([response.status, await response.text()]).toEqual([304, ""]);
      },
    );

    it("sends the ETag and Cache-Control with a 304, but neither Content-Length nor Content-Type", async () => {
      const { download, etag } = await downloaded();

      const { headers } = await download({ "If-None-Match": etag });

      expect(["ETag", "Cache-Control", "Content-Length", "Content-Type"].map((name) => headers.get(name))).toEqual([
        etag,
        "private, no-cache",
        null,
        null,
      ]);
    });

    it("responds with 304 to a HEAD whose If-None-Match names the file", async () => {
      const { download, etag } = await downloaded();

      expect((await download({ "If-None-Match": etag }, "HEAD")).status).toBe(304);
    });

    it("responds with 304, not 206, to a range request for a file that the caller already has", async () => {
      const { download, etag } = await downloaded();

      expect((await download({ "If-None-Match": etag, Range: "bytes=0-1" })).status).toBe(304);
    });

    it("responds with 200 to an If-None-Match that names another file", async () => {
      const { download } = await downloaded();

      expect((await download({ "If-None-Match": '"other"' })).status).toBe(200);
    });

    it("responds with 200 to an If-Match that names the file", async () => {
      const { download, etag } = await downloaded();

      expect((await download({ "If-Match": etag })).status).toBe(200);
    });

    it.for(['"other"', "weak"])(
      "responds with 412 to an If-Match that names another file or is weak (%s)",
      async (condition) => {
        const { download, etag } = await downloaded();

        const response = await download({ "If-Match": condition === "weak" ? `W/${etag}` : condition });

        expect(response.status).toBe(412);
      },
    );
  });

  describe("with a range", () => {
    const parts = [
      { name: "a prefix", range: "bytes=0-4", part: (all: string) => [0, 4, all.slice(0, 5)] },
      { name: "the first byte", range: "bytes=0-0", part: (all: string) => [0, 0, all.slice(0, 1)] },
      { name: "the middle", range: "bytes=3-7", part: (all: string) => [3, 7, all.slice(3, 8)] },
      { name: "an open end", range: "bytes=5-", part: (all: string) => [5, all.length - 1, all.slice(5)] },
      { name: "a suffix", range: "bytes=-6", part: (all: string) => [all.length - 6, all.length - 1, all.slice(-6)] },
      { name: "a suffix longer than the file", range: "bytes=-9999", part: (all: string) => [0, all.length - 1, all] },
      {
        name: "an end beyond the file",
        range: "bytes=2-9999",
        part: (all: string) => [2, all.length - 1, all.slice(2)],
      },
      {
        name: "an end of 40 digits",
        range: `bytes=0-${"9".repeat(40)}`,
        part: (all: string) => [0, all.length - 1, all],
      },
    ];

    it.for(parts)("responds with 206 and the requested bytes to $range ($name)", async ({ range, part }) => {
      const { download, bytes } = await downloaded();

      const response = await download({ Range: range });

      const [first, last, text] = part(bytes);
      expect({ status: response.status, text: await response.text(), ...lengths(response) }).toEqual({
        status: 206,
        text,
        range: `bytes ${first}-${last}/${bytes.length}`,
        length: String(Number(last) - Number(first) + 1),
      });
    });

    it.for(["bytes=9999-", "bytes=9999-10000", "bytes=-0", `bytes=${"9".repeat(40)}-`])(
      "responds with 416 and the file's size to %s",
      async (range) => {
        const { download, bytes } = await downloaded();

        const response = await download({ Range: range });

        expect(response.headers.get("Content-Range")).toBe(`bytes */${bytes.length}`);
        expect(await refusalOf(response)).toEqual({
          status: 416,
          code: "VALIDATION_ERROR",
          message: `\`Range\` lies outside the file's ${bytes.length} bytes.`,
        });
      },
    );

    it.for(["bytes=5-2", "bytes=", "bytes=-", "bytes=a-b", "lines=0-1", "bytes=0-0,2-3", "0-4", "bytes=0x1-2"])(
      "responds with 200 and the whole file to %s, which is not a supported range",
      async (range) => {
        const { download, bytes } = await downloaded();

        const response = await download({ Range: range });

        expect([response.status, await response.text()]).toEqual([200, bytes]);
      },
    );

    it("responds with 206 when If-Range names the file", async () => {
      const { download, etag } = await downloaded();

      expect((await download({ Range: "bytes=0-1", "If-Range": etag })).status).toBe(206);
    });

    it.for(['"other"', "weak", "Sat, 21 Nov 2026 12:00:00 GMT"])(
      "responds with 200 and the whole file when If-Range is %s",
      async (condition) => {
        const { download, etag, bytes } = await downloaded();

        const response = await download({
          Range: "bytes=0-1",
          "If-Range": condition === "weak" ? `W/${etag}` : condition,
        });

        expect([response.status, await response.text()]).toEqual([200, bytes]);
      },
    );

    it("responds with 200, not 416, when If-Range names another file", async () => {
      const { download } = await downloaded();

      expect((await download({ Range: "bytes=9999-", "If-Range": '"other"' })).status).toBe(200);
    });

    it("sends a part of the file as an attachment, with nosniff and the ETag", async () => {
      const { download, record } = await downloaded();

      const { headers } = await download({ Range: "bytes=0-1" });

      expect(["Content-Disposition", "X-Content-Type-Options", "ETag"].map((name) => headers.get(name))).toEqual([
        `attachment; filename="document-${record.id}.pdf"`,
        "nosniff",
        `"${record.sha256}"`,
      ]);
    });
  });
});

describe("the public file", () => {
  it("may be cached for five minutes", async () => {
    const { service } = await created();

    const object = await env.FILES.head(service.jobs[0]?.fileKey ?? "");

    expect(object?.httpMetadata).toMatchObject({
      contentType: "application/pdf",
      cacheControl: "public, max-age=300",
    });
  });

  it("matches the sha256 in the record", async () => {
    const { record, service } = await created();

    const object = await env.FILES.get(service.jobs[0]?.fileKey ?? "");

    expect(await sha256Hex(new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(record.sha256);
  });

  it("is not served by the Worker while CDN_URL points elsewhere", async () => {
    const { service } = await created();

    const response = await service.fetch(`https://colophon.test/files/${service.jobs[0]?.fileKey}`);

    expect(await refusalOf(response)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it.for([
    { format: "pdf", type: "application/pdf" },
    { format: "png", type: "image/png" },
    { format: "jpeg", type: "image/jpeg" },
    { format: "webp", type: "image/webp" },
  ])("is served as $type and with its length when CDN_URL points at the Worker", async ({ format, type }) => {
    const tenant = await newTenant(env);
    const service = localCdn();
    const body = { templateId: tenant.templateId, data: {}, format };
    const { pdfUrl, fileSize } = await dataOf(await post(service, tenant, body));

    const { status, headers } = await service.fetch(pdfUrl ?? "");

    expect([status, headers.get("Content-Type"), headers.get("Content-Length"), headers.get("Cache-Control")]).toEqual([
      200,
      type,
      String(fileSize),
      "public, max-age=300",
    ]);
  });

  it("is removed at once when the document is deleted", async () => {
    const tenant = await newTenant(env);
    const service = localCdn();
    const { id, pdfUrl } = await create(service, tenant);

    await get(service, tenant, `/documents/${id}`, { method: "DELETE" });

    expect((await service.fetch(pdfUrl ?? "")).status).toBe(404);
  });

  it("cannot be found by the document's id", async () => {
    const tenant = await newTenant(env);
    const service = localCdn();
    const { id } = await create(service, tenant);

    const response = await service.fetch(`https://colophon.test/files/${id}.pdf`);

    expect(response.status).toBe(404);
  });
});

describe("the outcome that D1 has already stored", () => {
  it("is returned to the caller when the document was recorded as failed during the render", async () => {
    const tenant = await newTenant(env);
    const documents = documentStore(d1Client(env.DB, callTimeoutMs));
    const service = testService((real) => ({
      documents: {
        ...real.documents,
        insert: async (document) => {
          const error = { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." } as const;
          await documents.insert({ ...document, status: "failed", error });
          return real.documents.insert(document);
        },
      },
    }));

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {} });

    expect(await refusalOf(response)).toMatchObject({ status: 504, code: "RENDER_FAILED" });
    expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
  });
});

async function created(extra: object = {}) {
  const tenant = await newTenant(env);
  const service = testService();
  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...extra });
  const { data: record } = await response.clone().json<Success<DocumentJson>>();
  return { tenant, service, response, record };
}

async function create(service: TestService, tenant: Tenant): Promise<DocumentJson> {
  return dataOf(await post(service, tenant, { templateId: tenant.templateId, data: {} }));
}

async function read(service: TestService, tenant: Tenant, id: string): Promise<DocumentJson> {
  return dataOf(await get(service, tenant, `/documents/${id}`));
}

async function list(service: TestService, tenant: Tenant, query = ""): Promise<List> {
  return dataOf<List>(await get(service, tenant, `/documents${query}`));
}

async function failed(status: "impossible" | "timed_out" | "crashed", extra: object = {}) {
  const tenant = await newTenant(env);
  const service = testService();
  service.render = async () => {
    if (status === "impossible") return renderNothing();
    return status === "crashed" ? { status, reason: "Target closed" } : { status };
  };
  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...extra });
  return { tenant, service, response };
}

/**
 * Creates a tenant, and a service whose clock advances by 1 ms at each reading, so that all requests have different
 * times.
 */
async function steppedClock() {
  const tenant = await newTenant(env);
  let nowMs = Date.UTC(2026, 10, 21);
  return { tenant, service: testService(() => ({ now: () => nowMs++ })) };
}

async function downloaded() {
  const { record, tenant, service } = await created();
  const download = (headers: Record<string, string> = {}, method = "GET") =>
    get(service, tenant, `/documents/${record.id}/download`, { method, headers });
  const [job] = service.jobs;
  const bytes = job ? new TextDecoder().decode(fileBytes(job)) : "";
  return { record, download, bytes, etag: `"${record.sha256}"`, response: await download() };
}

function lengths({ headers }: Response): { range: string | null; length: string | null } {
  return { range: headers.get("Content-Range"), length: headers.get("Content-Length") };
}

function localCdn(): TestService {
  return testService(({ settings }) => ({ settings: { ...settings, cdnUrl: "https://colophon.test/files" } }));
}
