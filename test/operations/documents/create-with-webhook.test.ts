import { describe, expect, it } from "vitest";
import { documentRecord } from "../../../src/core/documents/document.ts";
import type { CreateDocumentInput } from "../../../src/operations/documents/create-document.ts";
import { settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { failing } from "../../fakes/services.ts";
import { field } from "../../fixtures/tenant.ts";
import {
  expectNothingLeft,
  failedDocument,
  failures,
  noCapacity,
  refusalOf,
  timedOut,
  world,
  type World,
  type WorldOptions,
} from "./world.ts";

const eventsOf = ({ services }: World) => [...services.state.events.values()];

describe("a create with a webhook URL", () => {
  const webhookUrl = "https://Hooks.receiver.dev:443/hook#part";
  const url = "https://hooks.receiver.dev/hook";

  it("stores one event for its completion, with the normalised URL", async () => {
    const all = await world();

    const { document } = await all.create({ webhookUrl });

    const [event, ...others] = eventsOf(all);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ accountId: all.account.id, documentId: document.id, url });
    expect(JSON.parse(event?.payload ?? "")).toEqual({
      type: "document.completed",
      timestamp: new Date(all.services.now()).toISOString(),
      data: documentRecord(document, all.services.settings.cdnUrl),
    });
  });

  it("stores the URL in its hold, where the alarm can read it", async () => {
    const all = await world();

    await all.create({ webhookUrl });

    expect([...all.services.state.holds.values()].map(({ hold }) => hold.webhookUrl)).toEqual([url]);
  });

  it.each(failures)("stores one event when it fails because of $what", async ({ outcomes, options }) => {
    const all = await world({}, options);
    all.services.state.outcomes.push(...outcomes);

    await refusalOf(all.create({ webhookUrl }));
    await all.services.idle();

    const [event, ...others] = eventsOf(all);
    expect(others).toEqual([]);
    expect(JSON.parse(event?.payload ?? "")).toMatchObject({
      type: "document.failed",
      data: documentRecord(failedDocument(all), all.services.settings.cdnUrl),
    });
    expect(all.services.state.queued).toHaveLength(1);
  });

  it("stores no event when there is no capacity, because there is no document", async () => {
    const all = await world();
    all.services.state.outcomes.push(noCapacity);

    await refusalOf(all.create({ webhookUrl }));
    await all.services.idle();

    expect([eventsOf(all), all.services.state.queued]).toEqual([[], []]);
    expectNothingLeft(all);
  });

  it.each<[string, { options?: WorldOptions; input?: Partial<CreateDocumentInput> }, string]>([
    ["an unknown template", { input: { templateId: crypto.randomUUID() } }, "TEMPLATE_NOT_FOUND"],
    ["a missing field", { options: { fields: [field("name", "string", { required: true })] } }, "MISSING_FIELD"],
    ["a mistyped field", { input: { data: { name: 7 } } }, "VALIDATION_ERROR"],
    ["a page that is too small", { input: { width: 16, height: 16 } }, "VALIDATION_ERROR"],
    ["a used-up allowance", { options: { monthlyRenders: 0 } }, "RENDER_LIMIT_EXCEEDED"],
  ])("stores no event when it is refused for %s", async (_what, { options, input }, code) => {
    const all = await world({}, options);

    const error = await refusalOf(all.create({ webhookUrl, ...input }));
    await all.services.idle();

    expect(error.code).toBe(code);
    expect([eventsOf(all), all.services.state.queued]).toEqual([[], []]);
    expectNothingLeft(all);
  });

  it("neither stores nor queues a second event when it is repeated", async () => {
    const all = await world();
    const idempotency = { key: "order-17", bodyHash: "body" };
    await all.create({ webhookUrl, idempotency });
    await all.services.idle();

    const { isReplay } = await all.create({ webhookUrl, idempotency });
    await all.services.idle();

    expect(isReplay).toBe(true);
    expect([eventsOf(all).length, all.services.state.queued.length]).toEqual([1, 1]);
  });

  it("stores an event for each render when it is repeated after a failed render", async () => {
    const all = await world();
    const idempotency = { key: "order-17", bodyHash: "body" };
    all.services.state.outcomes.push(timedOut);
    await refusalOf(all.create({ webhookUrl, idempotency }));

    await all.create({ webhookUrl, idempotency });

    const types = eventsOf(all).map(({ payload }) => JSON.parse(payload).type);
    expect(types).toEqual(["document.failed", "document.completed"]);
  });

  it("lets the alarm store the event when the document cannot be recorded", async () => {
    const all = await world();
    const { insert } = all.services.documents;
    all.services.documents.insert = failing("D1 is down");
    await refusalOf(all.create({ webhookUrl }));
    const before = eventsOf(all);
    all.services.documents.insert = insert;

    for (const { hold } of all.services.state.holds.values()) await settleHold(all.services, hold);

    expect(before).toEqual([]);
    expect(eventsOf(all).map(({ url }) => url)).toEqual([url]);
  });

  it.each([
    ["http://hooks.receiver.dev/", "must be an absolute https URL"],
    ["https://127.1/", "must not name an IP address"],
    ["https://files.test/x", "must name a public host"],
    ["", "must be an absolute https URL"],
  ])("is refused for the URL %j with a reason, and persists nothing", async (refused, reason) => {
    const all = await world();

    const error = await refusalOf(all.create({ webhookUrl: refused }));

    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.details).toEqual([{ path: "webhookUrl", message: expect.stringContaining(reason) }]);
    expect([...all.services.state.holds.keys(), ...eventsOf(all)]).toEqual([]);
    expectNothingLeft(all);
  });

  it("is refused because of a bad URL before the template is looked up", async () => {
    const { create } = await world();

    const error = await refusalOf(create({ webhookUrl: "https://localhost/", templateId: crypto.randomUUID() }));

    expect(error.code).toBe("VALIDATION_ERROR");
  });
});

it("stores and queues no event for a create without a webhook URL", async () => {
  const all = await world();

  await all.create();
  await all.services.idle();

  expect([eventsOf(all), all.services.state.queued]).toEqual([[], []]);
});
