// Functions that the runs with faults and the runs with outages share: requests to the API, and a renderer's file.
import { env } from "cloudflare:workers";
import type { PoolJob } from "colophon-render/job-content";
import type { RenderOutcome } from "colophon-render/render-job";
import type { FileBucket } from "../../src/platform/documents/file-store.ts";
import type { Services } from "../../src/ports/services.ts";
import { describedApp } from "../fixtures/described-app.ts";
import { storeText } from "../fixtures/stored-files.ts";
import { baseUrl, type Tenant } from "../fixtures/tenant.ts";

export type SentRequest = { method: string; path: string; headers?: Record<string, string>; body?: string };

/** Sends a request of the tenant to an API with these services. `waitUntil` gets its background work. */
export async function send(
  services: Services,
  { key }: Tenant,
  { path, headers, ...init }: SentRequest,
  waitUntil: (work: Promise<unknown>) => void = () => {},
): Promise<Response> {
  const app = describedApp({ servicesOf: () => services, log: () => {} });
  const all = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers };
  const context = { waitUntil, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  return app.fetch(new Request(`${baseUrl}${path}`, { ...init, headers: all }), env, context);
}

/** Returns the violations of invariant I7: a response without the envelope. */
export async function envelopeProblems(response: Response): Promise<string[]> {
  const body = await response.clone().json<{ success?: boolean; meta?: { requestId?: string } }>();
  return body.success === response.ok && body.meta?.requestId ? [] : [`I7: ${response.status} without the envelope`];
}

/** Stores a small file as the pool does, within a time limit. */
export async function storeInTime(
  bucket: FileBucket,
  job: Pick<PoolJob, "fileKey" | "format">,
  timeoutMs: number,
): Promise<RenderOutcome> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), timeoutMs));
  const stored = await Promise.race([storeText(bucket, job, job.fileKey), late]).catch(() => null);
  return stored ? { status: "rendered", ...stored } : { status: "crashed", reason: "the file could not be stored" };
}
