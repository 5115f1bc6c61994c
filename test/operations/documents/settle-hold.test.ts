import { describe, expect, it } from "vitest";
import type { CompletedDocument, DocumentDraft } from "../../../src/core/documents/document.ts";
import { settleDeletion, settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { putFile } from "../../fakes/renderer.ts";
import { failing, fakeServices, type Overrides } from "../../fakes/services.ts";

const draft: DocumentDraft = {
  id: "d",
  accountId: "a",
  templateId: "t",
  templateVersion: 1,
  format: "pdf",
  width: 794,
  height: 1123,
  deviceScaleFactor: 2,
  fileKey: "token.pdf",
  month: "2026-11",
  createdAt: 0,
};
const hold = { draft, leaseMs: 90_000, webhookUrl: null };

/** A hold past its lease, whose maker had put the file before it went away. */
async function abandoned(overrides: Overrides = {}) {
  const services = fakeServices(overrides);
  const metadata = await putFile(services.state, { ...draft, html: "<p>" });
  const completed: CompletedDocument = { ...draft, ...metadata, status: "completed", completedAt: 1 };
  return { services, completed };
}

it("settles as failed where there is no document, and leaves one that says so", async () => {
  const { services } = await abandoned();

  const verdict = await settleHold(services, hold);

  expect(verdict).toBe("failed");
  expect(services.state.documents.get("d")).toEqual({
    ...draft,
    status: "failed",
    error: { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." },
  });
});

it("removes the file of a document that has failed", async () => {
  const { services } = await abandoned();

  await settleHold(services, hold);

  expect(services.state.files.size).toBe(0);
});

it("settles as completed where the document is there, and touches nothing", async () => {
  const { services, completed } = await abandoned();
  services.state.documents.set("d", completed);

  const verdict = await settleHold(services, hold);

  expect(verdict).toBe("completed");
  expect(services.state.documents.get("d")).toEqual(completed);
  expect(services.state.files.has("token.pdf")).toBe(true);
});

it("settles as failed where the document has failed already, and keeps its reason", async () => {
  const { services } = await abandoned();
  const failed = { ...draft, status: "failed", error: { code: "RENDER_FAILED", message: "501 pages." } } as const;
  services.state.documents.set("d", failed);

  const verdict = await settleHold(services, hold);

  expect(verdict).toBe("failed");
  expect(services.state.documents.get("d")).toEqual(failed);
});

it("says nothing while D1 does not answer, so that the alarm asks again", async () => {
  const { services } = await abandoned({ documents: { insert: failing("D1 is down") } });

  await expect(settleHold(services, hold)).rejects.toThrow("D1 is down");

  expect(services.state.files.size).toBe(1);
});

it("can be done again after the file could not be removed", async () => {
  const { services } = await abandoned();
  const { remove } = services.files;
  services.files.remove = failing("R2 is down");
  await expect(settleHold(services, hold)).rejects.toThrow("R2 is down");
  services.files.remove = remove;

  const verdict = await settleHold(services, hold);

  expect(verdict).toBe("failed");
  expect(services.state.files.size).toBe(0);
});

describe("a hold that asked for a webhook", () => {
  const calling = { ...hold, webhookUrl: "https://hooks.receiver.dev/hook" };

  it("leaves one event of the failure, which is queued", async () => {
    const { services } = await abandoned();

    await settleHold(services, calling);
    await services.idle();

    const [event, ...others] = [...services.state.events.values()];
    expect(others).toEqual([]);
    expect(event).toMatchObject({ accountId: "a", documentId: "d", url: calling.webhookUrl });
    expect(JSON.parse(event?.payload ?? "")).toMatchObject({
      type: "document.failed",
      data: { id: "d", status: "failed", pdfUrl: null, error: { code: "RENDER_FAILED" } },
    });
    expect(services.state.queued).toEqual([{ accountId: "a", eventId: event?.id }]);
  });

  it("leaves no second event when it is settled again", async () => {
    const { services } = await abandoned();
    await settleHold(services, calling);

    await settleHold(services, calling);
    await services.idle();

    expect([services.state.events.size, services.state.queued.length]).toEqual([1, 1]);
  });

  it("leaves none where the document is there already: its maker wrote it", async () => {
    const { services, completed } = await abandoned();
    services.state.documents.set("d", completed);

    await settleHold(services, calling);
    await services.idle();

    expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
  });

  it("leaves none of a document that has been deleted", async () => {
    const { services } = await abandoned();
    services.state.deletedDocuments.add("d");

    await settleHold(services, calling);
    await services.idle();

    expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
  });

  it("is settled when its event cannot be queued", async () => {
    const { services } = await abandoned({ webhookQueue: { send: failing("the queue is away") } });

    const verdict = await settleHold(services, calling);
    await services.idle();

    expect([verdict, services.state.events.size]).toEqual(["failed", 1]);
  });

  it("leaves an event when the file cannot be removed: the failure is told once", async () => {
    const { services } = await abandoned({ files: { remove: failing("R2 is down") } });

    await expect(settleHold(services, calling)).rejects.toThrow("R2 is down");

    expect(services.state.events.size).toBe(1);
  });
});

it("leaves no event of a hold that asked for none", async () => {
  const { services } = await abandoned();

  await settleHold(services, hold);
  await services.idle();

  expect([services.state.events.size, services.state.queued]).toEqual([0, []]);
});

describe("a delete that broke off", () => {
  const deletion = { documentId: "d", fileKey: "token.pdf" };

  it("is ended where the row is gone: the file goes too", async () => {
    const { services } = await abandoned();

    await settleDeletion(services, "a", deletion);

    expect(services.state.files.size).toBe(0);
  });

  it("is ended for a failed document: its file goes", async () => {
    const { services } = await abandoned();
    const error = { code: "RENDER_FAILED", message: "501 pages." } as const;
    services.state.documents.set("d", { ...draft, status: "failed", error });

    await settleDeletion(services, "a", deletion);

    expect(services.state.files.size).toBe(0);
  });

  it("leaves a completed document that is still there its file", async () => {
    const { services, completed } = await abandoned();
    services.state.documents.set("d", completed);

    await settleDeletion(services, "a", deletion);

    expect(services.state.files.size).toBe(1);
  });

  it("removes nothing while D1 does not answer", async () => {
    const { services } = await abandoned({ documents: { find: failing("D1 is down") } });

    await expect(settleDeletion(services, "a", deletion)).rejects.toThrow("D1 is down");

    expect(services.state.files.size).toBe(1);
  });
});
