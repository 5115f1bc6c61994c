import { expect, it } from "vitest";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { repairFiles } from "../../../src/operations/maintenance/repair-files.ts";
import { fakeMaintenance, leaseMs, storeDocument } from "../../fakes/maintenance.ts";
import { fakeNow } from "../../fakes/services.ts";
import { documentDraft, failedDocument } from "../../fixtures/documents.ts";

const repair = { isForced: false };
/** Only older objects are repaired. */
const oldest = fakeNow - 2 * leaseMs - 60_000;

/** Returns services with this many files without a document, and this many documents without a file. */
function damaged(files: number, documents: number) {
  const services = fakeMaintenance();
  for (let i = 0; i < files; i++) services.state.files.set(newFileKey("pdf"), oldest - 1);
  for (let i = 0; i < documents; i++) storeDocument(services, { hasFile: false, completedAt: oldest - 1 });
  return services;
}

it("the file of a failed document is removed, and the file of a document that is processing is not", async () => {
  const services = fakeMaintenance();
  const [failed, processing] = [failedDocument(), { ...documentDraft(), status: "processing" } as const];
  services.state.documents.push(failed, processing);
  for (const { fileKey } of [failed, processing]) services.state.files.set(fileKey, 0);

  await repairFiles(services, "", repair);

  expect([...services.state.files.keys()]).toEqual([processing.fileKey]);
});

it.for([
  { name: "while a create of its age could still be running", key: newFileKey("pdf"), storedAt: oldest },
  { name: "when its name is not that of a rendered file", key: "robots.txt", storedAt: 0 },
])("a file without a document is not removed $name", async ({ key, storedAt }) => {
  const services = fakeMaintenance();
  services.state.files.set(key, storedAt);

  expect((await repairFiles(services, "", repair)).repairs).toEqual([]);
});

it.for([
  { name: "is young", rest: { completedAt: oldest }, repairs: 0 },
  { name: "has expired", rest: { expiresAt: fakeNow }, repairs: 0 },
  { name: "expires later", rest: { expiresAt: fakeNow + 1 }, repairs: 1 },
])("a completed document whose file $name needs $repairs repairs", async ({ rest, repairs }) => {
  const services = fakeMaintenance();
  storeDocument(services, { hasFile: false, ...rest });

  expect((await repairFiles(services, "", repair)).repairs).toHaveLength(repairs);
});

it("a document whose file is found at the second check is not marked as having lost it", async () => {
  const services = fakeMaintenance();
  storeDocument(services);
  services.files.list = async () => ({ files: [], isLast: true });

  expect((await repairFiles(services, "", repair)).repairs).toEqual([]);
});

it("the files of hundreds of suspected documents are checked six at a time", async () => {
  const services = damaged(0, 999);
  let [now, most] = [0, 0];
  services.files.exists = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    return false;
  };

  await repairFiles(services, "", repair);

  expect(most).toBe(6);
});

it.for([
  { files: 51, documents: 50, left: 51 },
  { files: 50, documents: 51, left: 0 },
])("more than fifty repairs of a kind are refused ($files and $documents)", async ({ files, documents, left }) => {
  const services = damaged(files, documents);

  const { repairs, refused } = await repairFiles(services, "", repair);

  expect([repairs.length, refused?.length, services.state.files.size]).toEqual([50, 51, left]);
  expect(services.state.calls).toHaveLength(left === 0 ? 1 : 50);
});

it("more than fifty repairs of one kind in a batch are made when they are forced", async () => {
  const services = damaged(51, 51);

  const { repairs, refused } = await repairFiles(services, "", { isForced: true });

  expect([repairs.length, refused, services.state.files.size]).toEqual([102, [], 0]);
});

it("batches that end with the shorter of both lists find all files without a document", async () => {
  const services = damaged(2, 0);
  const stray = [...services.state.files.keys()].toSorted();
  for (let i = 0; i < 1_100; i++) storeDocument(services);
  const batches: Awaited<ReturnType<typeof repairFiles>>[] = [];

  for (let after: string | null = ""; after !== null; after = batches.at(-1)?.after ?? null)
    batches.push(await repairFiles(services, after, repair));

  const found = batches.flatMap(({ repairs }) => repairs);
  expect(found).toEqual(stray.map((fileKey) => ({ kind: "file_without_document", fileKey })));
  expect(batches).toHaveLength(3);
});

it("the pass ends if a bucket lists no files although it reports that there are more", async () => {
  const services = fakeMaintenance();
  services.files.list = async () => ({ files: [], isLast: false });

  await expect(repairFiles(services, "k", repair)).rejects.toThrow("listed no files");
});
