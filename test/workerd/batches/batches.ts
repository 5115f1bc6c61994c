// Batches in the tests of the API.
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import { assembled, chromiumPdf } from "../../../packages/pdf/test/inputs.ts";
import type { BatchRecord, ItemResult } from "../../../src/core/batches/batch.ts";
import { putFileOnce } from "../../../src/platform/documents/file-store.ts";
import { filesOf } from "../../../src/services/shared-services.ts";
import { get, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, renderFile, send, type TestService } from "../app.ts";
import { laterRenders } from "../worker.ts";

/** Stores a PDF of one page. `pageCount` may differ from it. */
export async function renderPdf(job: RenderJob, pageCount = 1): Promise<RenderOutcome> {
  const { bytes } = assembled(chromiumPdf());
  const about = { fileSize: bytes.length, sha256: await sha256Hex(bytes), pageCount, warnings: [], imageSize: null };
  const metadata = { ...about, width: 794, height: 1123 };
  return { status: "rendered", ...(await putFileOnce(filesOf(env), job.fileKey, job.format, bytes, metadata)) };
}

export const ndjsonType = "application/x-ndjson";

export function ndjson(...lines: unknown[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

export function postNdjson(
  service: TestService,
  { key }: Tenant,
  body: string | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Response> {
  const length: Record<string, string> =
    typeof body === "string" ? { "Content-Length": String(new TextEncoder().encode(body).length) } : {};
  return service.fetch("https://colophon.test/api/v1/batches", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": ndjsonType, ...length, ...headers },
    body,
  });
}

export function postBatch(
  service: TestService,
  tenant: Tenant,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorized = { Authorization: `Bearer ${tenant.key}`, ...headers };
  return send(
    service,
    { method: "POST", path: "/batches", body: { templateId: tenant.templateId, ...body } },
    authorized,
  );
}

/** Returns `count` items with the `customId` `c-0` and so on. */
export function items(count: number): { customId: string; data: { name: string } }[] {
  return Array.from({ length: count }, (_, index) => ({ customId: `c-${index}`, data: { name: `n${index}` } }));
}

export async function batchOf(service: TestService, tenant: Tenant, id: string): Promise<BatchRecord> {
  return dataOf<BatchRecord>(await get(service, tenant, `/batches/${id}`));
}

/** Holds back the tenant's later renders until `release` is called. `jobs` contains the ones that have begun. */
export function heldBack(tenant: Tenant): { release: () => void; jobs: RenderJob[] } {
  const gate = Promise.withResolvers<void>();
  const jobs: RenderJob[] = [];
  laterRenders.set(tenant.accountId, (job) => (jobs.push(job), gate.promise.then(() => renderFile(job))));
  return { release: gate.resolve, jobs };
}

/** Returns the batch after it has ended. */
export function ended(service: TestService, tenant: Tenant, id: string): Promise<BatchRecord> {
  return vi.waitUntil(
    async () => {
      const batch = await batchOf(service, tenant, id);
      return batch.status === "ended" && batch;
    },
    { timeout: 20_000, interval: 20 },
  );
}

export async function resultsOf(service: TestService, tenant: Tenant, id: string): Promise<ItemResult[]> {
  const text = await (await get(service, tenant, `/batches/${id}/results`)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ItemResult);
}
