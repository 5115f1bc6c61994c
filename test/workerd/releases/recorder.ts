// Records the messages between the parts of the service during some creates and a delete: calls of objects with their
// results, messages of the queue, and what objects and buckets have stored. Parts of two releases exchange these while a
// release is rolled out.
import {
  createExecutionContext,
  createMessageBatch,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { PageFacts } from "../../../src/core/rendering/margins/page-facts.ts";
import type { RenderOutcome } from "../../../src/core/rendering/render-job.ts";
import { describedApp } from "../../fixtures/described-app.ts";
import { consumeWebhookMessages } from "../../../src/jobs/webhook-messages.ts";
import type { PoolJob } from "../../../src/platform/rendering/job-content.ts";
import type { RenderMargins } from "../../../src/ports/rendering.ts";
import { dispatchServices, requestServices } from "../../../src/services.ts";
import { dataUri, png } from "../../fixtures/images.ts";
import { field, get, newTenant, post, type Service, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, renderFile, unknownId } from "../app.ts";
import { jobOf, recordedJob, type RecordedJob } from "./recorded-job.ts";

/** A call of an object. `[function]` stands for a function among the arguments, and a `RecordedJob` for a job. */
export type RecordedCall = { to: string; args: unknown[]; result: unknown };

export type Recording = {
  /** Oldest first. */
  calls: RecordedCall[];
  /** Messages of the queue. */
  queued: unknown[];
  /** Rows of the objects' tables, contents of templates and metadata of files, by the place where they are stored. */
  stored: Record<string, unknown[]>;
};

const webhookUrl = "https://hooks.example.com/hook";
const pages: PageFacts[] = [
  { number: 1, total: 2, section: "Terms", sectionNumber: 1, sectionTotal: 2 },
  { number: 2, total: 2, section: "Terms", sectionNumber: 2, sectionTotal: 2 },
];

/** Uses the service, and returns everything that it has sent and stored. */
export async function record(): Promise<Recording> {
  const recording: Recording = { calls: [], queued: [], stored: {} };
  const bindings = recordingEnv(recording);
  const tenant = await newTenant(env, {
    fields: [field("name", "string"), field("face", "image")],
    page: '<p>Hello {{ name }}</p><img src="{{ face }}">',
    content: { header: "{{ page.number }} {{ name }}" },
  });
  await useService(serviceOn(bindings), tenant);
  const messages = recording.queued.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  await consumeWebhookMessages(dispatchServices(bindings), createMessageBatch("colophon-webhooks", messages));
  await recordStored(recording, tenant);
  return JSON.parse(JSON.stringify(recording)) as Recording;
}

async function useService(service: Service, tenant: Tenant): Promise<void> {
  const body = { templateId: tenant.templateId, data: { name: "Ada", face: dataUri("png", png(6, 6)) }, webhookUrl };
  const key = { "Idempotency-Key": "order-1" };
  const { id } = await dataOf(await post(service, tenant, body, key));
  await post(service, tenant, body, key);
  await post(service, tenant, { ...body, templateId: unknownId }, key);
  await post(service, tenant, { ...body, data: { name: "impossible" } });
  await post(service, tenant, { templateId: tenant.templateId, data: {}, format: "png", height: "auto" });
  await get(service, tenant, "/usage");
  await get(service, tenant, `/documents/${id}`, { method: "DELETE" });
}

/** Returns the API on these bindings. */
export function serviceOn(bindings: Env): Service {
  const app = describedApp({ servicesOf: requestServices, log: () => {} });
  return {
    async fetch(url, init) {
      const context = createExecutionContext();
      const response = await app.fetch(new Request(url, init), bindings, context);
      await waitOnExecutionContext(context);
      return response;
    },
  };
}

function recordingEnv({ calls, queued }: Recording): Env {
  const recorded = (to: string, object: object) =>
    new Proxy(object, {
      get:
        (_, method) =>
        async (...args: unknown[]) => {
          const shown = await Promise.all(args.map(shownArgument));
          const sent = args.map((arg, index) => (isJob(arg) ? jobOf(shown[index] as RecordedJob) : arg));
          const result = await (object as Record<string | symbol, (...args: unknown[]) => unknown>)[method]?.(...sent);
          calls.push({ to: `${to}.${String(method)}`, args: shown, result: result ?? null });
          return result;
        },
    });
  const objects = <N extends DurableObjectNamespace>(
    to: string,
    namespace: N,
    get = (id: DurableObjectId) => namespace.get(id) as object,
  ) =>
    ({
      idFromName: (name: string) => namespace.idFromName(name),
      get: (id: DurableObjectId) => recorded(to, get(id)),
    }) as unknown as N;
  const send = async (message: unknown) => void queued.push(message);
  return {
    ...env,
    ACCOUNT_QUOTA: objects("AccountQuota", env.ACCOUNT_QUOTA),
    WEBHOOK_SENDER: objects("WebhookSender", env.WEBHOOK_SENDER),
    BROWSER_POOL: objects("BrowserPool", env.BROWSER_POOL, () => poolWith(calls)),
    WEBHOOKS: { send } as unknown as Env["WEBHOOKS"],
  };
}

/** Returns what can be stored as JSON. */
async function shownArgument(arg: unknown): Promise<unknown> {
  if (typeof arg === "function") return "[function]";
  return isJob(arg) ? recordedJob(arg) : arg;
}

/** A pool without a browser. It asks for headers and footers, as the real one does, and records that call too. */
function poolWith(calls: RecordedCall[]) {
  return {
    async render(job: PoolJob, _mayWait: boolean, renderMargins: RenderMargins | null): Promise<RenderOutcome> {
      if (renderMargins) {
        calls.push({ to: "renderMargins", args: [pages], result: await renderMargins(pages) });
      }
      if (new TextDecoder().decode(job.content as Uint8Array).includes("impossible"))
        return { status: "impossible", message: "The table is too long." };
      return renderFile(job, ["A warning."]);
    },
  };
}

async function recordStored({ stored, calls }: Recording, { accountId, templateId }: Tenant): Promise<void> {
  const quota = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(accountId));
  const sender = env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(accountId));
  const rows = (stub: DurableObjectStub, table: string) =>
    runInDurableObject(stub, (_, { storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray());
  for (const table of ["holds", "months", "idempotency_keys", "deletions"]) {
    stored[`AccountQuota ${table}`] = await rows(quota, table);
  }
  // The attempts fail, because no DNS server can be reached.
  const deliveries = await vi.waitUntil(async () => {
    const found = await rows(sender, "deliveries");
    return found.length > 0 && found.every(({ delivery }) => /"attempts":1/.test(String(delivery))) && found;
  });
  stored["WebhookSender deliveries"] = deliveries;
  stored["WebhookSender failing_endpoints"] = await rows(sender, "failing_endpoints");
  const { objects } = await env.TEMPLATES.list({ prefix: `${accountId}/${templateId}/` });
  stored["TEMPLATES content"] = await Promise.all(
    objects.map(async ({ key }) => (await env.TEMPLATES.get(key))?.json()),
  );
  const png = calls.flatMap(({ args: [job] }) => (isJob(job) && job.format === "png" ? [job.fileKey] : []));
  stored["FILES metadata"] = await Promise.all(png.map(async (key) => (await env.FILES.head(key))?.customMetadata));
}

function isJob(value: unknown): value is PoolJob {
  return typeof value === "object" && value !== null && "fileKey" in value;
}

/**
 * Returns one line for each property, e.g. `AccountQuota.commit args.0: string`. A property that has values of several types
 * has several lines. JSON in a text counts like the value that it stands for.
 */
export function shapeOf({ calls, queued, stored }: Recording): string[] {
  const lines = new Set<string>();
  for (const { to, args, result } of calls) {
    args.forEach((arg, index) => addShape(lines, `${to} argument ${index + 1}`, arg));
    addShape(lines, `${to} result`, result);
  }
  for (const message of queued) addShape(lines, "queue", message);
  for (const [place, values] of Object.entries(stored)) {
    for (const value of values) addShape(lines, `stored ${place}`, value);
  }
  return [...lines].toSorted();
}

function addShape(lines: Set<string>, path: string, value: unknown): void {
  const json = typeof value === "string" && /^[[{]/.test(value) ? parsedOrNull(value) : null;
  if (json !== null) addShape(lines, `${path} JSON`, json);
  else if (Array.isArray(value)) {
    lines.add(`${path}: array`);
    for (const item of value) addShape(lines, `${path}[]`, item);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, property] of Object.entries(value)) addShape(lines, `${path}.${name}`, property);
  } else lines.add(`${path}: ${value === null ? "null" : typeof value}`);
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
