// Sends generated requests to the service, and fails if a response is not in the description of the API.
import * as fc from "fast-check";
import { env } from "cloudflare:workers";
import { baseUrl, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { operationOf } from "../../fixtures/openapi/description.ts";
import { tally, testService, type Failure, type TestService } from "../app.ts";
import { generatedRequest, knownTemplate, type GeneratedRequest } from "./arbitraries.ts";

type Run = { service: TestService; tenant: Tenant; other: Tenant; documentIds: string[] };

/**
 * Sends the requests one after the other. Returns how many responses there were with each status. `describedApp` checks
 * the responses that belong to an operation; the others have to be refusals in the envelope.
 */
export async function sendGenerated(options: { numRuns: number; seed?: number }): Promise<Record<string, number>> {
  const run: Run = {
    service: testService(),
    tenant: await newTenant(env, { plan: "enterprise" }),
    other: await newTenant(env),
    documentIds: ["00000000-0000-4000-8000-000000000000"],
  };
  const statuses: number[] = [];
  const property = fc.asyncProperty(generatedRequest, async (generated) => {
    statuses.push(await send(run, generated));
  });
  await fc.assert(property, { ...options, endOnFailure: true });
  return tally(statuses);
}

async function send(run: Run, generated: GeneratedRequest): Promise<number> {
  const { method, headers, body, query } = generated;
  const url = `${baseUrl}${pathOf(run, generated)}${query ? `?${query}` : ""}`;
  const mayHaveBody = method !== "GET" && method !== "HEAD";
  const response = await run.service.fetch(url, {
    method,
    headers: { ...headers, ...authorization(run, generated) },
    ...(body !== null && mayHaveBody ? { body: body.replaceAll(knownTemplate, run.tenant.templateId) } : {}),
  });
  const isDescribed = operationOf(method, new URL(url).pathname) !== null;
  if (!isDescribed) await checkRefusal(method, response);
  else if (response.status === 201) await remember(run, response);
  else await response.body?.cancel();
  return response.status;
}

function pathOf({ documentIds, tenant }: Run, { path, id }: GeneratedRequest): string {
  const known = "known" in id ? (documentIds[id.known % documentIds.length] ?? "") : id.text;
  const isTemplate = path.startsWith("/templates") && "known" in id;
  return path.replaceAll("{id}", isTemplate ? tenant.templateId : known);
}

function authorization({ tenant, other }: Run, { key }: GeneratedRequest): Record<string, string> {
  if (key === "absent") return {};
  const keys = { valid: tenant.key, "of another account": other.key, wrong: "colophon_wrong" };
  return { Authorization: `Bearer ${keys[key]}` };
}

/** Remembers the last documents, so that later requests read, download and delete them. */
async function remember({ documentIds }: Run, response: Response): Promise<void> {
  documentIds.push(response.headers.get("Location")?.split("/").at(-1) ?? "");
  if (documentIds.length > 50) documentIds.shift();
  await response.body?.cancel();
}

async function checkRefusal(method: string, response: Response): Promise<void> {
  const isRefusal = [401, 403, 404, 405].includes(response.status);
  const isEnvelope = method === "HEAD" || (await response.json<Failure>()).success === false;
  if (!isRefusal || !isEnvelope) throw new Error(`a request without an operation got ${response.status}`);
}
