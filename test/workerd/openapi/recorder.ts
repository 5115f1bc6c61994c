// Records the examples in the description of the API: real responses, in which the values that differ from run to run are replaced.
import { env } from "cloudflare:workers";
import { errorCases, type ErrorName } from "../../../src/http/openapi/error-cases.ts";
import type { Examples } from "../../../src/http/openapi/examples.ts";
import { apiOperations } from "../../../src/http/openapi/openapi-document.ts";
import { inAllShards } from "../../fixtures/databases.ts";
import { dataOf, renderNothing } from "../app.ts";
import { exampleBatch, exampleBody, exampleLink, renderExample } from "./example-data.ts";
import { endOf, newExample, provoke, request, type Example } from "./provoked-errors.ts";

export async function recordExamples(): Promise<Examples> {
  const example = await newExample();
  const recorded: Examples = {
    bodies: {
      createDocument: exampleBody(example.tenant.templateId),
      createBatch: exampleBatch(example.tenant.templateId),
      createLink: exampleLink,
    },
    responses: await recordResponses(example),
    errors: await recordErrors(),
    webhooks: await recordWebhooks(example),
  };
  return settled(recorded);
}

/** Deletes come last, because the other operations need the document. */
async function recordResponses(example: Example): Promise<Record<string, unknown>> {
  const withJson = apiOperations.filter(({ data }) => data !== undefined);
  const recorded: Record<string, unknown> = {};
  for (const operation of withJson.toSorted((a, b) => Number(a.method === "delete") - Number(b.method === "delete"))) {
    const own = operation.method === "post" ? await newExample() : example;
    recorded[operation.operationId] = await (await request(own, operation)).json();
  }
  return recorded;
}

async function recordErrors(): Promise<Record<string, unknown>> {
  const recorded: Record<string, unknown> = {};
  for (const name of Object.keys(errorCases) as ErrorName[]) {
    const operation = apiOperations.find(({ errors }) => errors.includes(name));
    if (operation) recorded[name] = await (await provoke(name, operation)).json();
  }
  return recorded;
}

async function recordWebhooks(example: Example): Promise<Examples["webhooks"]> {
  const create = { method: "post", path: "/documents" };
  const body = { ...exampleBody(example.tenant.templateId), webhookUrl: "https://hooks.example.com/colophon" };
  const { id } = await dataOf(await request(example, create, { body }));
  const completed = await payloadOf("document_id = ?", id);
  example.service.render = renderNothing;
  await request(example, create, { body });
  const failed = await payloadOf("payload LIKE '%document.failed%' AND account_id = ?", example.tenant.accountId);
  example.service.render = renderExample;
  const batchBody = { ...exampleBatch(example.tenant.templateId), webhookUrl: body.webhookUrl };
  const batch = await dataOf(await request(example, { method: "post", path: "/batches" }, { body: batchBody }));
  await endOf(example, batch.id);
  const batchCompleted = await payloadOf("document_id = ?", batch.id);
  return { completed, failed, batchCompleted };
}

async function payloadOf(condition: string, value: string): Promise<unknown> {
  const select = `SELECT payload FROM webhook_events WHERE ${condition}`;
  const [row] = await inAllShards<{ payload: string }>(env, select, value);
  return JSON.parse(row?.payload ?? "null");
}

/** Replaces ids, times, digests and file keys with constants. Equal ids are replaced with the same constant. */
function settled(recorded: Examples): Examples {
  const ids = new Map<string, string>();
  const constantId = (id: string) => {
    const known = ids.get(id) ?? `9c009b16-54fb-4998-b6b1-${String(ids.size + 1).padStart(12, "0")}`;
    ids.set(id, known);
    return known;
  };
  const text = JSON.stringify(recorded)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, constantId)
    .replace(/("resetsAt":)"[^"]*"/g, '$1"2026-12-01T00:00:00.000Z"')
    .replace(/("period":)"[^"]*"/g, '$1"2026-11"')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?<!2026-12-01T00:00:00\.000Z)/g, "2026-11-21T20:40:14.527Z")
    .replace(/[\w-]{43}(?=\.(?:pdf|png)")/g, "dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs")
    .replace(/(?<=\/links\/)[\w-]{100,}/g, `vPbQ${"dYPbUqr0-YrIjQvNS6LzP_J8V2SLhO1W7XaGBpbwpMs".repeat(4)}`)
    .replace(/"[0-9a-f]{64}"/g, '"98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4"');
  return JSON.parse(text) as Examples;
}
