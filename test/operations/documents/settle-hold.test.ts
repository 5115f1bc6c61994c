import { describe, expect, it } from "vitest";
import { settleDeletion, settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { putFile } from "../../fakes/renderer.ts";
import { completedDocument, documentDraft } from "../../fixtures/documents.ts";
import { failing, fakeServices, type Overrides } from "../../fakes/services.ts";

const draft = documentDraft({ id: "d", accountId: "a", fileKey: "token.pdf" });
const hold = { draft, leaseMs: 90_000, webhookUrl: null, cdnUrl: "https://files.test/files" };

/**
 * Returns services in which only the file of `draft` is stored, because the request died before it recorded the document.
 * `completed` is the document that the request did not record.
 */
async function abandoned(overrides: Overrides = {}) {
  const services = fakeServices(overrides);
  const metadata = await putFile(services.state, { ...draft, html: "<p>" });
  return { services, completed: completedDocument({ ...draft, ...metadata }) };
}

it("records the document as failed when D1 has no record of it", async () => {
  const { services } = await abandoned();

  const status = await settleHold(services, hold);

  expect(status).toBe("failed");
  expect(services.state.documents.get("d")).toEqual({
    ...draft,
    status: "failed",
    error: { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." },
  });
});

it("removes the file of the document that it records as failed", async () => {
  const { services } = await abandoned();

  await settleHold(services, hold);

  expect(services.state.files.size).toBe(0);
});

it("returns `completed` and changes nothing when the document is completed", async () => {
  const { services, completed } = await abandoned();
  services.state.documents.set("d", completed);

  const status = await settleHold(services, hold);

  expect(status).toBe("completed");
  expect(services.state.documents.get("d")).toEqual(completed);
  expect(services.state.files.has("token.pdf")).toBe(true);
});

it("returns `failed` and keeps the reason when the document has already failed", async () => {
  const { services } = await abandoned();
  const failed = { ...draft, status: "failed", error: { code: "RENDER_FAILED", message: "501 pages." } } as const;
  services.state.documents.set("d", failed);

  const status = await settleHold(services, hold);

  expect(status).toBe("failed");
  expect(services.state.documents.get("d")).toEqual(failed);
});

it("rejects while D1 is down, so that the alarm tries again", async () => {
  const { services } = await abandoned({ documents: { insert: failing("D1 is down") } });

  await expect(settleHold(services, hold)).rejects.toThrow("D1 is down");

  expect(services.state.files.size).toBe(1);
});

it("rejects and keeps the file while the database is full, so that the alarm tries again", async () => {
  const { services } = await abandoned({ documents: { insert: async () => ({ status: "full" }) } });

  await expect(settleHold(services, hold)).rejects.toThrow("the database is full");

  expect(services.state.files.size).toBe(1);
});

it("can be repeated after the file could not be removed", async () => {
  const { services } = await abandoned();
  const { remove } = services.files;
  services.files.remove = failing("R2 is down");
  await expect(settleHold(services, hold)).rejects.toThrow("R2 is down");
  services.files.remove = remove;

  const status = await settleHold(services, hold);

  expect(status).toBe("failed");
  expect(services.state.files.size).toBe(0);
});

describe("settling a hold with a webhook", () => {
  const holdWithWebhook = { ...hold, webhookUrl: "https://hooks.receiver.dev/hook" };

  it("stores and queues one event for the failure", async () => {
    const { services } = await abandoned();

    await settleHold(services, holdWithWebhook);
    await services.idle();

    const [event, ...others] = [...services.state.events.values()];
    expect(others).toEqual([]);
    expect(event).toMatchObject({ accountId: "a", documentId: "d", url: holdWithWebhook.webhookUrl });
    expect(JSON.parse(event?.payload ?? "")).toMatchObject({
      type: "document.failed",
      data: { id: "d", status: "failed", pdfUrl: null, error: { code: "RENDER_FAILED" } },
    });
    expect(services.state.queued).toEqual([{ accountId: "a", eventId: event?.id }]);
  });

  it("stores no second event when it is repeated", async () => {
    const { services } = await abandoned();
    await settleHold(services, holdWithWebhook);

    await settleHold(services, holdWithWebhook);
    await services.idle();

    // Both settlements send a message for the event, because the store cannot tell the second settlement from a retry of the
    // first.
    const { events, queued } = services.state;
    const [eventId] = [...events.keys()];
    const message = { accountId: "a", eventId };
    expect(events.size).toBe(1);
    expect(queued).toEqual([message, message]);
  });

  it("stores no event when the document already exists", async () => {
    const { services, completed } = await abandoned();
    services.state.documents.set("d", completed);

    await settleHold(services, holdWithWebhook);
    await services.idle();

    expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
  });

  it("stores no event for a document that has been deleted", async () => {
    const { services } = await abandoned();
    services.state.deletedDocuments.add("d");

    await settleHold(services, holdWithWebhook);
    await services.idle();

    expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
  });

  it("stores one event even if the file cannot be removed", async () => {
    const { services } = await abandoned({ files: { remove: failing("R2 is down") } });

    await expect(settleHold(services, holdWithWebhook)).rejects.toThrow("R2 is down");

    expect(services.state.events.size).toBe(1);
  });
});

it("stores no event for a hold without a webhook", async () => {
  const { services } = await abandoned();

  await settleHold(services, hold);
  await services.idle();

  expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
});

describe("an interrupted delete", () => {
  const deletion = { documentId: "d", fileKey: "token.pdf" };

  it("is finished by removing the file when the row is gone", async () => {
    const { services } = await abandoned();

    await settleDeletion(services, "a", deletion);

    expect(services.state.files.size).toBe(0);
  });

  it("is finished by removing the file when the document had failed", async () => {
    const { services } = await abandoned();
    const error = { code: "RENDER_FAILED", message: "501 pages." } as const;
    services.state.documents.set("d", { ...draft, status: "failed", error });

    await settleDeletion(services, "a", deletion);

    expect(services.state.files.size).toBe(0);
  });

  it("keeps the file of a completed document whose row still exists", async () => {
    const { services, completed } = await abandoned();
    services.state.documents.set("d", completed);

    await settleDeletion(services, "a", deletion);

    expect(services.state.files.size).toBe(1);
  });

  it("does not remove the file while D1 is down", async () => {
    const { services } = await abandoned({ documents: { find: failing("D1 is down") } });

    await expect(settleDeletion(services, "a", deletion)).rejects.toThrow("D1 is down");

    expect(services.state.files.size).toBe(1);
  });
});
