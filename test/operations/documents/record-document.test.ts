import { describe, expect, it } from "vitest";
import { documentRecord } from "../../../src/core/documents/document.ts";
import { recordDocument } from "../../../src/operations/documents/record-document.ts";
import { completedDocument, failureOf } from "../../fixtures/documents.ts";
import { failing, fakeNow, fakeServices, hanging } from "../../fakes/services.ts";

const url = "https://hooks.receiver.dev/hook";
const withWebhook = { webhookUrl: url, cdnUrl: "https://files.test/files" };
const withoutWebhook = { ...withWebhook, webhookUrl: null };

const completed = completedDocument({ id: "0b9cfd9e-3c0f-4f43-9f3b-5a54e0b2b8a1", accountId: "a" });
const failed = failureOf(completed);
const eventId = "evt_0b9cfd9e3c0f4f439f3b5a54e0b2b8a1";

describe.each([completed, failed])("a $status document", (document) => {
  it("with a webhook is stored together with its event", async () => {
    const services = fakeServices();

    const outcome = await recordDocument(services, document, withWebhook);

    expect(outcome).toEqual({ status: "inserted" });
    expect(services.state.documents.get(document.id)).toEqual(document);
    const [event] = [...services.state.events.values()];
    expect(event).toMatchObject({ id: eventId, accountId: "a", documentId: document.id, url, createdAt: fakeNow });
    expect(JSON.parse(event?.payload ?? "")).toEqual({
      type: `document.${document.status}`,
      timestamp: new Date(fakeNow).toISOString(),
      data: documentRecord(document, "https://files.test/files"),
    });
  });

  it("with a webhook has its event queued", async () => {
    const services = fakeServices();

    await recordDocument(services, document, withWebhook);
    await services.idle();

    expect(services.state.queued).toEqual([{ accountId: "a", eventId }]);
  });

  it("without a webhook is stored without an event", async () => {
    const services = fakeServices();

    await recordDocument(services, document, withoutWebhook);
    await services.idle();

    expect([services.state.documents.size, services.state.events.size, services.state.queued]).toEqual([1, 0, []]);
  });

  it("is stored with its event in one insert", async () => {
    const inserts: unknown[][] = [];
    const services = fakeServices({
      documents: { insert: async (...args) => (inserts.push(args), { status: "inserted" }) },
    });

    await recordDocument(services, document, withWebhook);

    expect(inserts).toEqual([[document, expect.objectContaining({ id: eventId })]]);
  });
});

describe("no event is queued", () => {
  it("when another outcome was recorded first", async () => {
    const services = fakeServices();
    await recordDocument(services, failed, withoutWebhook);

    const outcome = await recordDocument(services, completed, withWebhook);

    expect(outcome).toEqual({ status: "existing", document: failed });
    expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
  });

  it("when the document has been deleted", async () => {
    const services = fakeServices();
    services.state.deletedDocuments.add(completed.id);

    const outcome = await recordDocument(services, completed, withWebhook);

    expect(outcome).toEqual({ status: "deleted" });
    expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
  });

  it("when D1 is down and the insert fails", async () => {
    const services = fakeServices({ documents: { insert: failing("D1 is down") } });

    await expect(recordDocument(services, completed, withWebhook)).rejects.toThrow("D1 is down");

    expect(services.state.queued).toEqual([]);
  });
});

describe("sending to the queue", () => {
  it("is logged when it fails after the document was recorded", async () => {
    const services = fakeServices({ webhookQueue: { send: failing("the queue is away") } });

    const outcome = await recordDocument(services, completed, withWebhook);
    await services.idle();

    expect(outcome).toEqual({ status: "inserted" });
    expect(services.state.events.size).toBe(1);
    expect(services.state.log).toContainEqual(
      expect.objectContaining({ event: "background.failed", cause: new Error("the queue is away") }),
    );
  });

  it("does not delay the request when it hangs", async () => {
    const services = fakeServices({ webhookQueue: { send: hanging() } });

    const outcome = await recordDocument(services, completed, withWebhook);

    expect(outcome).toEqual({ status: "inserted" });
  });

  it("happens after the insert", async () => {
    const steps: string[] = [];
    const services = fakeServices({
      documents: {
        insert: async () => {
          await Promise.resolve();
          steps.push("inserted");
          return { status: "inserted" };
        },
      },
      webhookQueue: { send: async () => void steps.push("queued") },
    });

    await recordDocument(services, completed, withWebhook);
    await services.idle();

    expect(steps).toEqual(["inserted", "queued"]);
  });
});
