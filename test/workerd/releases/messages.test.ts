// While a release is rolled out, Workers and objects of this release and of the one before call each other, and for days
// they read what it has queued and stored. These tests give the recorded messages of each release to the present code.
// CONTRIBUTING.md says what to do when a message changes.
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Hold, ReserveRequest } from "../../../src/core/accounts/quota.ts";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { compileTemplate } from "../../../src/core/templates/compile-template.ts";
import type { TemplateContent } from "../../../src/core/templates/template.ts";
import { consumeWebhookMessages } from "../../../src/jobs/webhook-messages.ts";
import { createAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices, requestServices } from "../../../src/services.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { fakeDispatch } from "../../fakes/webhooks.ts";
import { newTenant, post } from "../../fixtures/tenant.ts";
import { refusalOf } from "../app.ts";
import { record, serviceOn, shapeOf, type RecordedCall, type Recording } from "./recorder.ts";
import release1 from "./release-1.json";

/** The recordings of all releases whose messages may still be on their way or stored, the newest last. */
const releases = [{ name: "release 1", recording: release1 as unknown as Recording }];
const newest = { file: "./release-1.json", recording: release1 as unknown as Recording };

const whatToDo =
  "A message between Workers and objects has changed. If the recorded release has been deployed, readers have to accept " +
  'both shapes: see "A message between Workers and objects" in CONTRIBUTING.md.';

it("the messages of the newest recorded release have the shapes that the present code sends and stores", async () => {
  expect(await record().then(shapeOf), whatToDo).toEqual(shapeOf(newest.recording));
});

it.runIf(env.RECORD_MESSAGES)("the messages of the present code are recorded", async () => {
  await expect(`${JSON.stringify(await record(), null, 2)}\n`).toMatchFileSnapshot(newest.file);
});

describe.each(releases)("of the messages of $name,", ({ recording: { calls, queued, stored } }) => {
  const callsOf = (to: string) => calls.filter((call) => call.to.startsWith(to));

  it("those to an account's quota object have the same results", async () => {
    const object = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(crypto.randomUUID()));
    const recorded = callsOf("AccountQuota");

    const results = [];
    for (const { to, args } of recorded) results.push((await callMethod(object, to, args)) ?? null);

    expect(results).toEqual(recorded.map(({ result }) => result));
  });

  it("the results from objects are understood by the Worker", async () => {
    const tenant = await newTenant(env);

    const response = await post(serviceOn(answeringEnv(calls)), tenant, { templateId: tenant.templateId, data: {} });

    expect(response.status).toBe(201);
  });

  it("those of the queue are dispatched", async () => {
    const services = fakeDispatch([]);
    const batch = batchOf(queued);

    await consumeWebhookMessages(services, batch);

    const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
    expect([explicitAcks.length, retryMessages]).toEqual([queued.length, []]);
    expect(services.state.accepted.flatMap(({ eventIds }) => eventIds)).toHaveLength(queued.length);
  });

  it("those to a webhook sender are stored as deliveries", async () => {
    const sender = newSender();
    const [accountId, eventIds] = argsOf<[string, string[]]>(callsOf("WebhookSender.accept"));
    for (const id of eventIds) await insertEvent(accountId, id);

    await sender.accept(accountId, eventIds);

    const delivered = (await rowsOf(sender, "deliveries")).map((row) => row["event_id"]);
    expect(delivered.toSorted()).toEqual(eventIds.toSorted());
  });

  it("a stored hold whose request died is settled as a failed document", async () => {
    const object = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(crypto.randomUUID()));
    const [hold] = stored["AccountQuota holds"] as Row[];
    const { draft } = JSON.parse(String(hold?.["hold"])) as Hold;
    await object.usage(draft.month); // The first call creates the tables.
    await insertRows(object, "holds", [{ ...hold, state: "held", lease_end: 1 }]);

    await runDurableObjectAlarm(object);

    const document = await requestServices(env, () => {}).documents.find(draft.accountId, draft.id);
    expect(document).toMatchObject({ ...draft, status: "failed" });
  });

  it("a stored idempotency key and the stored usage are still known", async () => {
    const object = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(crypto.randomUUID()));
    const now = Date.now();
    await object.usage("2026-11"); // The first call creates the tables.
    for (const table of ["holds", "months", "idempotency_keys"]) {
      const rows = (stored[`AccountQuota ${table}`] as Row[]).map((row) =>
        "created_at" in row ? { ...row, created_at: now } : row,
      );
      await insertRows(object, table, rows);
    }
    const [key] = stored["AccountQuota idempotency_keys"] as Row[];
    const [month] = stored["AccountQuota months"] as Row[];

    const known = await object.lookUpKey({ key: String(key?.["key"]), bodyHash: String(key?.["body_hash"]) });

    expect(known).toEqual({ status: "done", documentId: key?.["document_id"] });
    expect(await object.usage(String(month?.["month"]))).toEqual({ used: month?.["committed"], reserved: 0 });
  });

  it("stored deliveries are attempted again", async () => {
    const sender = newSender();
    const recorded = stored["WebhookSender deliveries"] as Row[];
    const rows = recorded.map((row) => ({ ...row, state: "waiting", due: 1 }));
    // An attempt needs the account's secret.
    const accountId = String(recorded[0]?.["account_id"]);
    await createAccount({ ...operatorServices(env), newId: () => accountId }, "Recorded", "pro");
    await sender.accept(accountId, []); // The first call creates the tables.
    await insertRows(sender, "deliveries", rows);

    await runDurableObjectAlarm(sender);

    const attempts = async () => (await rowsOf(sender, "deliveries")).map(({ delivery }) => String(delivery));
    const areAttempted = async () => (await attempts()).every((delivery) => delivery.includes('"attempts":2'));
    await vi.waitUntil(areAttempted, { timeout: 10_000 });
  });

  it("the stored contents of templates compile", () => {
    for (const content of stored["TEMPLATES content"] ?? []) {
      expect(compileTemplate(content as TemplateContent).status).toBe("compiled");
    }
  });

  it("the metadata of stored files is read", async () => {
    for (const customMetadata of stored["FILES metadata"] ?? []) {
      const key = newFileKey("png");
      await env.FILES.put(key, "x", { customMetadata: customMetadata as Record<string, string> });

      const metadata = await requestServices(env, () => {}).files.metadata(key);

      expect(metadata).toMatchObject({ pageCount: 3, warnings: ["A warning."], sha256: expect.any(String) });
    }
  });
});

describe("of the messages of the next release,", () => {
  it("a reservation with properties that are not known yet is reserved", async () => {
    const object = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(crypto.randomUUID()));
    const [text] = argsOf<[string]>(newest.recording.calls.filter(({ to }) => to === "AccountQuota.reserve"));
    const request = JSON.parse(text) as ReserveRequest;
    const { hold } = request;
    const newer = { ...request, priority: 1, hold: { ...hold, color: "red", draft: { ...hold.draft, expiresAt: 1 } } };

    expect(await object.reserve(JSON.stringify(newer))).toEqual({ status: "reserved", used: 1 });
  });

  it("a queue message of a newer version is retried, so that a consumer of that release can take it", async () => {
    const services = fakeDispatch([]);
    const batch = batchOf([{ version: 2, account: "a", events: ["evt_1"] }]);

    await consumeWebhookMessages(services, batch);

    const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
    expect([explicitAcks, retryMessages.length]).toEqual([[], 1]);
    expect(services.state.log).toEqual([{ level: "warn", event: "webhook.message_newer", messageId: "m0" }]);
  });

  it("a queue message of a newer version on the dead-letter queue is left to the outbox", async () => {
    const batch = batchOf([{ version: 2, account: "a", events: ["evt_1"] }], "colophon-webhooks-dead");

    await consumeWebhookMessages(fakeDispatch([]), batch);

    expect((await getQueueResult(batch, createExecutionContext())).explicitAcks).toEqual(["m0"]);
  });

  it.each([
    ["reservation", 503, { reserve: { status: "deferred" } }],
    ["outcome of a render", 502, { render: { status: "postponed" } }],
  ])("an unknown %s fails the create with status %i", async (_what, status, results) => {
    const tenant = await newTenant(env);
    const bindings = answeringEnv(newest.recording.calls, results);
    const service = serviceOn(bindings);

    const response = await post(service, tenant, { templateId: tenant.templateId, data: {} });

    expect(await refusalOf(response)).toMatchObject({ status, code: "RENDER_FAILED" });
  });
});

type Row = Record<string, SqlStorageValue>;

/** Returns the arguments of the first of these calls. */
function argsOf<Args extends unknown[]>([call]: RecordedCall[]): Args {
  if (!call) throw new Error("no such call was recorded");
  return call.args as Args;
}

function newSender() {
  return env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(crypto.randomUUID()));
}

/** Calls the method that a recorded call names, e.g. `AccountQuota.commit`. */
function callMethod(object: object, to: string, args: unknown[]): Promise<unknown> {
  const method = to.split(".").at(-1) ?? "";
  return (object as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(...args) ?? Promise.reject();
}

/** Returns bindings whose objects return what they returned when the calls were recorded, except for the given results. */
function answeringEnv(calls: RecordedCall[], results: Record<string, unknown> = {}): Env {
  const resultOf = (method: string) => {
    const recorded = calls.find(({ to }) => to.endsWith(`.${method}`));
    return results[method] ?? recorded?.result;
  };
  const namespace = {
    idFromName: (name: string) => name,
    get: () => new Proxy({}, { get: (_, method) => async () => resultOf(String(method)) }),
  };
  return { ...env, ACCOUNT_QUOTA: namespace, BROWSER_POOL: namespace } as unknown as Env;
}

function batchOf(bodies: unknown[], queue = "colophon-webhooks"): MessageBatch {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body }));
  return createMessageBatch(queue, messages);
}

async function insertEvent(accountId: string, id: string): Promise<void> {
  const document = completedDocument({ accountId });
  const event = {
    id,
    accountId,
    documentId: document.id,
    url: "https://hooks.example.com/hook",
    payload: "{}",
    createdAt: 1,
  };
  await requestServices(env, () => {}).documents.insert(document, event);
}

function rowsOf(stub: DurableObjectStub, table: string): Promise<Row[]> {
  return runInDurableObject(stub, (_, { storage }) => storage.sql.exec<Row>(`SELECT * FROM ${table}`).toArray());
}

async function insertRows(stub: DurableObjectStub, table: string, rows: Row[]): Promise<void> {
  await runInDurableObject(stub, async (_, { storage }) => {
    for (const row of rows) {
      const marks = Object.keys(row).map(() => "?");
      storage.sql.exec(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${marks.join(", ")})`,
        ...Object.values(row),
      );
    }
    await storage.setAlarm(Date.now() + 60_000);
  });
}
