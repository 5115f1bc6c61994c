import { expect, it } from "vitest";
import { repairFiles } from "../../../src/operations/maintenance/repair-files.ts";
import type { DocumentFile } from "../../../src/ports/maintenance.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { completedDocument } from "../../fixtures/documents.ts";

const options = { isDryRun: true, isForced: false };

it("looks for the files of hundreds of suspects six at a time", async () => {
  const { services, atOnce } = slowBucket(Array.from({ length: 999 }, () => completedDocument()));

  const { repairs, refused } = await repairFiles(services, "", options);

  expect([repairs.length, refused?.length, atOnce()]).toEqual([0, 999, 6]);
});

it("takes no document whose file is found by the second look for one that has lost it", async () => {
  const documents = [completedDocument(), completedDocument()];
  const { services } = slowBucket(documents, documents[0]?.fileKey);

  const { repairs } = await repairFiles(services, "", options);

  const { id, accountId } = documents[1] ?? completedDocument();
  expect(repairs).toEqual([{ kind: "document_without_file", accountId, documentId: id }]);
});

/** Returns a bucket that lists no files, and that takes a moment to find the one with this key. */
function slowBucket(documents: DocumentFile[], storedKey?: string) {
  let [now, most] = [0, 0];
  const files = {
    list: async () => ({ files: [], isLast: true }),
    async exists(key: string) {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return key === storedKey;
    },
  };
  const services = {
    files,
    documents: { byFileKey: async () => documents },
    settings: { leaseMs: 90_000 },
    now: () => Date.UTC(2027, 0, 1),
  };
  return { services: services as unknown as MaintenanceServices, atOnce: () => most };
}
