// The service in workerd with a real D1, R2 and Durable Objects. Only the renderer is a fake, which stores a small file.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { Log, LogEntry } from "colophon-base/log";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import { monthOf } from "../../src/core/accounts/month.ts";
import type { DocumentRecord } from "../../src/core/documents/document.ts";
import { createKey } from "../../src/operations/accounts/manage-accounts.ts";
import { documentStore } from "../../src/platform/documents/document-store.ts";
import { putFileOnce } from "../../src/platform/documents/file-store.ts";
import type { Services } from "../../src/ports/services.ts";
import { operatorServices } from "../../src/services/operator-services.ts";
import { requestServices } from "../../src/services/request-services.ts";
import { connect, filesOf } from "../../src/services/shared-services.ts";
import { autoHeightPx } from "../fakes/renderer.ts";
import { shardOf } from "../fixtures/databases.ts";
import { describedApp } from "../fixtures/described-app.ts";
import { baseUrl, newTenant, post, type Service, type Tenant } from "../fixtures/tenant.ts";

/** The time limit of each try of a call to D1 or R2, in ms, for tests that create their own client or store. */
export const callTimeoutMs = 5_000;

/** The databases of the service, for tests that create their own stores. */
export const { databases } = connect(env, null, callTimeoutMs);

/** Limits on renders in flight that no test reaches, for tests of other limits. */
export const unboundedInFlight = { free: 10_000, starter: 10_000, pro: 10_000, enterprise: 10_000 };

export type TestService = Service & {
  /** The renderer calls this function for each job. The default function stores a file; a test may replace it. */
  render: (job: RenderJob) => Promise<RenderOutcome>;
  /** The jobs that the renderer has received and may render. */
  jobs: RenderJob[];
  logged: LogEntry[];
  /** The log entries that measure requests and renders. `logged` contains all others. */
  measured: LogEntry[];
};

/** Returns the API with the real services. `change` may replace services, for example with a failing store. */
export function testService(
  change: (services: Services) => Partial<Services> = () => ({}),
  bindings: Env = env,
): TestService {
  const log: Log = (_level, entry) => {
    const isMeasurement = ["request.ended", "render.ended", "operator.acted"].includes(entry.event);
    (isMeasurement ? service.measured : service.logged).push(entry);
  };
  const app = describedApp({
    servicesOf: (env, waitUntil, request) => {
      const services: Services = {
        ...requestServices(env, waitUntil, request),
        renderer: {
          async render(job, { mayStore } = {}) {
            if (mayStore && !(await mayStore())) return { status: "not_permitted" };
            service.jobs.push(job);
            return service.render(job);
          },
        },
        log,
      };
      return { ...services, ...change(services) };
    },
    log,
  });
  const service: TestService = {
    render: renderFile,
    jobs: [],
    logged: [],
    measured: [],
    async fetch(url, init) {
      const context = createExecutionContext();
      const response = await app.fetch(new Request(url, init), bindings, context);
      await waitOnExecutionContext(context);
      return response;
    },
  };
  return service;
}

/** Returns a new account with a template, and the service. */
export async function newWorld(): Promise<{ tenant: Tenant; service: TestService }> {
  return { tenant: await newTenant(env), service: testService() };
}

/** Returns a service in which no account reaches its limit on renders in flight. */
export function unboundedService(change: (services: Services) => Partial<Services> = () => ({})): TestService {
  return testService((services) => ({
    settings: { ...services.settings, rendersInFlight: unboundedInFlight },
    ...change(services),
  }));
}

export function create(service: Service, tenant: Tenant, headers: Record<string, string> = {}): Promise<Response> {
  return post(service, tenant, { templateId: tenant.templateId, data: {} }, headers);
}

/** Creates a tenant on a plan with this monthly limit. An existing tenant's old limit may be cached. */
export async function tenantWithLimit(monthlyRenders: number): Promise<Tenant> {
  await operatorServices(env).accounts.updatePlan("starter", { monthlyRenders, apiAccess: true });
  return newTenant(env, { plan: "starter" });
}

export async function tenantWithNewKey(tenant: Tenant): Promise<Tenant> {
  const made = await createKey(operatorServices(env), tenant.accountId, { name: "fresh" });
  if (!made) throw new Error("the account does not exist");
  return { ...tenant, key: made.key };
}

/** Hides log entries of objects and background work about holds that they settle or fail to settle. For `beforeEach`. */
export function silenceObjects(): void {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
}

/** Returns the payloads of the account's webhook events. */
export async function payloadsOf({ accountId }: Pick<Tenant, "accountId">): Promise<WebhookPayload[]> {
  const select = (await shardOf(env, accountId))
    .prepare("SELECT payload FROM webhook_events WHERE account_id = ?")
    .bind(accountId);
  return (await select.all()).results.map(({ payload }) => JSON.parse(String(payload)) as WebhookPayload);
}

/** Returns the total number of documents in the account's list. */
export async function totalOf({ accountId }: Pick<Tenant, "accountId">): Promise<number> {
  const documents = documentStore(databases);
  return (await documents.list(accountId, {}, { limit: 1, offset: 0 })).total;
}

/** Makes renders wait until the test finishes them. `started(n)` resolves when n renders have reached the renderer. */
export function controlledRenders(service: TestService) {
  const gates: PromiseWithResolvers<RenderOutcome | void>[] = [];
  service.render = async (job) => {
    const gate = Promise.withResolvers<RenderOutcome | void>();
    gates.push(gate);
    return (await gate.promise) ?? renderFile(job);
  };
  return {
    started: (count: number) => vi.waitUntil(() => gates.length >= count, { timeout: 10_000, interval: 5 }),
    /** Without an outcome, the render succeeds. */
    finish: (index: number, outcome?: RenderOutcome) => gates[index]?.resolve(outcome),
    finishAll: () => {
      service.render = renderFile;
      for (const gate of gates) gate.resolve();
    },
  };
}

/** Returns the content of the file for a job. As in production, the content differs from document to document. */
export function fileBytes(job: Pick<RenderJob, "fileKey">): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(`%PDF-1.7 the file ${job.fileKey}`));
}

/** Stores a file as the renderer does, and returns the outcome with the file's metadata. */
export async function renderFile(
  job: Pick<RenderJob, "fileKey" | "format" | "page" | "conformance">,
  warnings: string[] = [],
): Promise<RenderOutcome> {
  const bytes = fileBytes(job);
  const { width, height } = job.page;
  const sha256 = await sha256Hex(bytes);
  const size = { width, height: height === "auto" ? autoHeightPx : height };
  const imageSize = job.format === "pdf" ? null : { width: 2 * size.width, height: 6 * size.height };
  const metadata = { fileSize: bytes.length, sha256, pageCount: 3, ...size, imageSize, warnings };
  const { conformance } = job;
  return {
    status: "rendered",
    ...(await putFileOnce(filesOf(env), job.fileKey, job.format, bytes, metadata)),
    ...(conformance && { conformance }),
  };
}

/** Returns the outcome of a render that cannot succeed. */
export async function renderNothing(): Promise<RenderOutcome> {
  return { status: "impossible", message: "The table is too long." };
}

/** Returns the quota object of a tenant. */
export function quotaOf({ accountId }: Pick<Tenant, "accountId">) {
  return env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(accountId));
}

export function usageOf(tenant: Pick<Tenant, "accountId">): Promise<{ used: number; reserved: number }> {
  return quotaOf(tenant).usage(monthOf(Date.now()));
}

export function tally(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

export type Meta = { timestamp: string; requestId: string };
export type Success<T> = { success: true; data: T; meta: Meta };
export type Failure = {
  success: false;
  error: { code: string; message: string; details?: { path: string; message: string }[] };
  meta: Meta;
};
export type Pagination = {
  limit: number;
  offset: number;
  total: number;
  totalIsExact: boolean;
  nextCursor: string | null;
};

/** Returns the `data` of a successful response. */
export async function dataOf<T = DocumentJson>(response: Response): Promise<T> {
  const { data } = await response.json<Success<T>>();
  return data;
}

/** Returns the status and the error of a failure in one object, which a test can compare. */
export async function refusalOf(response: Response): Promise<{ status: number } & Failure["error"]> {
  const { error } = await response.json<Failure>();
  return { status: response.status, ...error };
}

export type WebhookPayload = { type: string; data: DocumentJson };
export type DocumentJson = DocumentRecord;

/** Returns all operations of the API for this document and this template. The document and the template need not exist. */
export function operations(documentId: string, templateId: string): { method: string; path: string; body?: object }[] {
  const document = `/documents/${documentId}`;
  const reads = [`/documents`, document, `${document}/download`, "/usage", "/templates", `/templates/${templateId}`];
  return [
    { method: "POST", path: "/documents", body: { templateId, data: { name: "Ada" } } },
    { method: "POST", path: `${document}/links`, body: {} },
    { method: "DELETE", path: `${document}/links` },
    { method: "DELETE", path: document },
    ...reads.flatMap((path) => ["GET", "HEAD"].map((method) => ({ method, path }))),
  ];
}

/** Sends a request with these headers. Adds a Content-Type if there is a body, but never an Authorization header. */
export function send(
  service: Service,
  { method, path, body }: { method: string; path: string; body?: object | undefined },
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...(body ? { "Content-Type": "application/json" } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

export const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const unknownId = "00000000-0000-4000-8000-000000000000";
