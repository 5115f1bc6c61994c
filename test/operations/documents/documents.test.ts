import { describe, expect, it } from "vitest";
import { createDocument } from "../../../src/operations/documents/create-document.ts";
import { deleteDocument } from "../../../src/operations/documents/delete-document.ts";
import { getDocument, getDownload } from "../../../src/operations/documents/read-documents.ts";
import { settleDeletion, settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { failing, fakeAccount, fakeServices, fakeTemplate, type FakeServices } from "../../fakes/services.ts";
import { templateContent } from "../../fixtures/tenant.ts";

async function world() {
  const services = fakeServices();
  const { account } = await fakeAccount(services);
  const template = fakeTemplate(services, account, templateContent({}));
  const create = () => {
    const arrivedAt = services.now();
    return createDocument(services, account, {
      templateId: template.id,
      data: {},
      format: "pdf",
      deviceScaleFactor: 2,
      idempotency: null,
      arrivedAt,
    });
  };
  return { services, account, create };
}

/** A failed document; `released` tells whether its place went back. */
async function withFailed({ released }: { released: boolean }) {
  const { services, account, create } = await world();
  const { release } = services.quota;
  if (!released) services.quota.release = failing("the object is away");
  services.state.outcomes.push({ status: "timed_out" });
  await create().catch(() => {});
  services.quota.release = release;
  await services.idle();
  const [id] = [...services.state.documents.keys()];
  if (id === undefined) throw new Error("there is no document");
  return { services, account, id };
}

/** A completed document whose commit is still to come. */
async function withCompleted() {
  const { services, account, create } = await world();
  const { commit } = services.quota;
  services.quota.commit = failing("the object is away");
  const { document } = await create();
  await services.idle();
  services.quota.commit = commit;
  return { services, account, document };
}

const notFound = { status: 404, code: "DOCUMENT_NOT_FOUND" };
const stateOf = ({ state }: FakeServices, id: string) => state.holds.get(id)?.state;

/** What the account's object does once every lease is over. */
async function alarm(services: FakeServices): Promise<void> {
  for (const entry of services.state.holds.values()) {
    if (entry.state !== "held") continue;
    entry.state = (await settleHold(services, entry.hold)) === "completed" ? "committed" : "released";
  }
  for (const deletion of services.state.deletions) await settleDeletion(services, deletion.accountId, deletion);
}

describe("getDocument and getDownload", () => {
  it("find the account's document", async () => {
    const { services, account, document } = await withCompleted();

    expect(await getDocument(services, account, document.id)).toEqual(document);
    expect(await getDownload(services, account, document.id)).toEqual(document);
  });

  it("do not find another account's document, in the same words as one that never was", async () => {
    const { services, document } = await withCompleted();
    const { account: other } = await fakeAccount(services);
    const messageOf = (id: string) => getDocument(services, other, id).catch(({ message }: Error) => message);

    const [foreign, unknown] = [await messageOf(document.id), await messageOf("nope")];

    expect(foreign).toBe(unknown);
  });

  it("say why a failed document has no download", async () => {
    const { services, account, id } = await withFailed({ released: true });

    const download = getDownload(services, account, id);

    await expect(download).rejects.toMatchObject({ ...notFound, message: expect.stringContaining("failed") });
  });
});

describe("deleteDocument", () => {
  it("removes the row and the file", async () => {
    const { services, account, document } = await withCompleted();

    await deleteDocument(services, account, document.id);

    expect([services.state.documents.size, services.state.files.size]).toEqual([0, 0]);
  });

  it("commits the hold first: the render stays counted", async () => {
    const { services, account, document } = await withCompleted();

    await deleteDocument(services, account, document.id);
    await alarm(services);

    expect(stateOf(services, document.id)).toBe("committed");
  });

  it("removes nothing when the hold cannot be settled", async () => {
    const { services, account, document } = await withCompleted();
    services.quota.beginDelete = failing("the object is away");

    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("the object is away");

    expect([services.state.documents.size, services.state.files.size]).toEqual([1, 1]);
  });

  it("leaves a file that cannot be removed to the alarm", async () => {
    const { services, account, document } = await withCompleted();
    const { remove } = services.files;
    services.files.remove = failing("R2 is down");
    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("R2 is down");
    services.files.remove = remove;

    await alarm(services);

    expect([services.state.documents.size, services.state.files.size]).toEqual([0, 0]);
  });

  it("leaves a document whose row could not be removed its file", async () => {
    const { services, account, document } = await withCompleted();
    services.documents.remove = failing("D1 is down");
    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("D1 is down");

    await alarm(services);

    expect([services.state.documents.size, services.state.files.size]).toEqual([1, 1]);
  });

  it("can be made again when the row could not be removed", async () => {
    const { services, account, document } = await withCompleted();
    const { remove } = services.documents;
    services.documents.remove = failing("D1 is down");
    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("D1 is down");
    services.documents.remove = remove;

    await deleteDocument(services, account, document.id);

    expect(services.state.documents.size).toBe(0);
  });

  it("does not find the document a second time", async () => {
    const { services, account, document } = await withCompleted();
    await deleteDocument(services, account, document.id);

    const again = deleteDocument(services, account, document.id);

    await expect(again).rejects.toMatchObject(notFound);
  });

  it("succeeds for one of two at the same time", async () => {
    const { services, account, document } = await withCompleted();
    const twice = [deleteDocument(services, account, document.id), deleteDocument(services, account, document.id)];

    const results = await Promise.allSettled(twice);

    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("leaves another account's document alone", async () => {
    const { services, document } = await withCompleted();
    const { account: other } = await fakeAccount(services);

    await expect(deleteDocument(services, other, document.id)).rejects.toMatchObject(notFound);

    expect([services.state.documents.size, services.state.files.size]).toEqual([1, 1]);
  });

  it("removes a failed document, and counts nothing", async () => {
    const { services, account, id } = await withFailed({ released: true });

    await deleteDocument(services, account, id);

    expect(services.state.documents.size).toBe(0);
    expect(stateOf(services, id)).toBe("released");
  });

  it("removes a failed document for good, although its place was still to be given back", async () => {
    const { services, account, id } = await withFailed({ released: false });

    await deleteDocument(services, account, id);
    await alarm(services);

    expect([...services.state.documents.keys()]).toEqual([]);
    expect(stateOf(services, id)).toBe("released");
  });
});
