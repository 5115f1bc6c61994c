import { describe, expect, it } from "vitest";
import { deleteDocument } from "../../../src/operations/documents/delete-document.ts";
import { settleDeletion, settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { failing, fakeAccount, type FakeServices } from "../../fakes/services.ts";
import { withCompleted, withFailed } from "./world.ts";

const notFound = { code: "DOCUMENT_NOT_FOUND" };
const stateOf = ({ state }: FakeServices, id: string) => state.holds.get(id)?.state;

/** Settles all holds and all unfinished deletes, like the account's alarm after all leases have expired. */
async function alarm(services: FakeServices): Promise<void> {
  for (const entry of services.state.holds.values()) {
    if (entry.state !== "held") continue;
    entry.state = (await settleHold(services, entry.hold)) === "completed" ? "committed" : "released";
  }
  for (const deletion of services.state.deletions) await settleDeletion(services, deletion.accountId, deletion);
}

describe("deleteDocument", () => {
  it("removes the row and the file", async () => {
    const { services, account, document } = await withCompleted();

    await deleteDocument(services, account, document.id);

    expect([services.state.documents.size, services.state.files.size]).toEqual([0, 0]);
  });

  it("commits the hold of a completed document, so that the render stays counted", async () => {
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

  it("leaves the file to the alarm if the request could not remove it", async () => {
    const { services, account, document } = await withCompleted();
    const { remove } = services.files;
    services.files.remove = failing("R2 is down");
    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("R2 is down");
    services.files.remove = remove;

    await alarm(services);

    expect([services.state.documents.size, services.state.files.size]).toEqual([0, 0]);
  });

  it("keeps the file when the row could not be removed", async () => {
    const { services, account, document } = await withCompleted();
    services.documents.remove = failing("D1 is down");
    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("D1 is down");

    await alarm(services);

    expect([services.state.documents.size, services.state.files.size]).toEqual([1, 1]);
  });

  it("can be repeated when the row could not be removed", async () => {
    const { services, account, document } = await withCompleted();
    const { remove } = services.documents;
    services.documents.remove = failing("D1 is down");
    await expect(deleteDocument(services, account, document.id)).rejects.toThrow("D1 is down");
    services.documents.remove = remove;

    await deleteDocument(services, account, document.id);

    expect(services.state.documents.size).toBe(0);
  });

  it("fails with DOCUMENT_NOT_FOUND the second time", async () => {
    const { services, account, document } = await withCompleted();
    await deleteDocument(services, account, document.id);

    const again = deleteDocument(services, account, document.id);

    await expect(again).rejects.toMatchObject(notFound);
  });

  it("succeeds for only one of two simultaneous calls", async () => {
    const { services, account, document } = await withCompleted();
    const twice = [deleteDocument(services, account, document.id), deleteDocument(services, account, document.id)];

    const results = await Promise.allSettled(twice);

    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("does not delete another account's document", async () => {
    const { services, document } = await withCompleted();
    const { account: other } = await fakeAccount(services);

    await expect(deleteDocument(services, other, document.id)).rejects.toMatchObject(notFound);

    expect([services.state.documents.size, services.state.files.size]).toEqual([1, 1]);
  });

  it("removes a failed document without counting a render", async () => {
    const { services, account, id } = await withFailed({ released: true });

    await deleteDocument(services, account, id);

    expect(services.state.documents.size).toBe(0);
    expect(stateOf(services, id)).toBe("released");
  });

  it("removes a failed document permanently, even if its hold was not yet released", async () => {
    const { services, account, id } = await withFailed({ released: false });

    await deleteDocument(services, account, id);
    await alarm(services);

    expect([...services.state.documents.keys()]).toEqual([]);
    expect(stateOf(services, id)).toBe("released");
  });
});
