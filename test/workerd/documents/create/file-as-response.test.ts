import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { Services } from "../../../../src/ports/services.ts";
import { baseUrl, get, newTenant, post, type Tenant } from "../../../fixtures/tenant.ts";
import {
  dataOf,
  fileBytes,
  refusalOf,
  renderNothing,
  testService,
  totalOf,
  usageOf,
  type TestService,
  newWorld,
} from "../../app.ts";

const pdf = "application/pdf";

function createWith(
  service: TestService,
  tenant: Tenant,
  accept: string,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
) {
  const all = { templateId: tenant.templateId, data: {}, ...body };
  return post(service, tenant, all, { Accept: accept, ...headers });
}

const typeOf = (response: Response) => response.headers.get("Content-Type");

/** Returns a service whose reads of files are replaced. */
function reading(get: Services["files"]["get"]): TestService {
  return testService(({ files }) => ({ files: { ...files, get } }));
}

it.for([
  { format: "pdf", type: pdf, extension: "pdf" },
  { format: "jpeg", type: "image/jpeg", extension: "jpg" },
])(
  "a create whose Accept is the type of its file, $type, gets 201 and the file",
  async ({ format, type, extension }) => {
    const { tenant, service } = await newWorld();

    const response = await createWith(service, tenant, type, { body: { format, filename: "Größe" } });

    const bytes = new Uint8Array(await response.arrayBuffer());
    const [job] = service.jobs;
    expect(response.status).toBe(201);
    expect(bytes).toEqual(job && fileBytes(job));
    const id = response.headers.get("X-Document-Id") ?? "";
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": type,
      "content-length": String(bytes.length),
      "content-disposition": `attachment; filename=Gr__e.${extension}; filename*=UTF-8''Gr%C3%B6%C3%9Fe.${extension}`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
      etag: `"${await sha256Hex(bytes)}"`,
      location: `${baseUrl}/documents/${id}`,
      ratelimit: expect.stringContaining("r=499"),
      "server-timing": expect.stringContaining("reserve"),
      "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
    });
    const record = await dataOf(await get(service, tenant, `/documents/${id}`));
    expect(record).toMatchObject({ status: "completed", fileSize: bytes.length });
    expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
  },
);

it("a create is refused and leaves no data if Accept names a different type from the document's format", async () => {
  const { tenant, service } = await newWorld();

  const response = await createWith(service, tenant, "image/png");

  expect(await refusalOf(response)).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  const left = [service.jobs.length, await totalOf(tenant), await usageOf(tenant)];
  expect(left).toEqual([0, 0, { used: 0, reserved: 0 }]);
});

it("the error of a create that asks for the file is JSON", async () => {
  const service = testService();
  service.render = renderNothing;

  const response = await createWith(service, await newTenant(env), pdf);

  expect(typeOf(response)).toBe("application/json");
  expect(await refusalOf(response)).toMatchObject({ status: 422 });
});

it("the error for a file that cannot be read names the document, and a repeat with the same key gets the file", async () => {
  const tenant = await newTenant(env);
  const headers = { "Idempotency-Key": "k" };
  const failing = reading(() => Promise.reject(new Error("R2 is down")));

  const response = await createWith(failing, tenant, pdf, { headers });
  const repeat = await createWith(testService(), tenant, pdf, { headers });

  const id = response.headers.get("X-Document-Id") ?? "";
  expect(await refusalOf(response)).toEqual({
    status: 503,
    code: "SERVICE_UNAVAILABLE",
    message: `The document ${id} exists, but its file could not be read. Download it later, or repeat the request with the same \`Idempotency-Key\`; without a key, a repeat creates a second document.`,
  });
  expect([response.headers.get("Location"), response.headers.get("Retry-After")]).toEqual([
    `${baseUrl}/documents/${id}`,
    "5",
  ]);
  expect([repeat.status, repeat.headers.get("X-Document-Id"), typeOf(repeat)]).toEqual([201, id, pdf]);
  expect([await totalOf(tenant), await usageOf(tenant)]).toEqual([1, { used: 1, reserved: 0 }]);
});

it("the response is aborted if an error occurs while the file is being sent", async () => {
  let parts = 0;
  const pull = (controller: ReadableStreamDefaultController) =>
    parts++ ? controller.error(new Error("R2 is down")) : controller.enqueue(new TextEncoder().encode("%PDF"));
  const service = reading(async () => ({ body: new ReadableStream({ pull }) }));

  const response = await createWith(service, await newTenant(env), pdf);

  await expect(response.arrayBuffer()).rejects.toThrow();
});

it.for([
  { first: "application/json", second: pdf },
  { first: pdf, second: "application/json" },
])(
  "a repeat of an idempotent create may ask for $second after $first without a new render",
  async ({ first, second }) => {
    const { tenant, service } = await newWorld();
    const headers = { "Idempotency-Key": "k" };
    const created = await createWith(service, tenant, first, { headers });

    const repeat = await createWith(service, tenant, second, { headers });

    expect([repeat.status, typeOf(repeat)]).toEqual([201, second]);
    expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
    expect(repeat.headers.get("X-Document-Id")).toBe(created.headers.get("X-Document-Id"));
    expect(repeat.headers.get("RateLimit")).toBeNull();
    const [job] = service.jobs;
    if (second === pdf) expect(new Uint8Array(await repeat.arrayBuffer())).toEqual(job && fileBytes(job));
    expect(service.jobs).toHaveLength(1);
  },
);
