import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { callTimeoutMs } from "../app.ts";
import { laterServices, repairEverything, runPass } from "./passes.ts";

const documents = documentStore(d1Client(env.DB, callTimeoutMs));

async function putFile(key: string): Promise<void> {
  await env.FILES.put(key, "%PDF-1.7");
}

it("a pass finds files without documents among more files than one batch reads", async () => {
  await repairEverything();
  const stray = [newFileKey("pdf"), newFileKey("png")];
  await Promise.all(stray.map(putFile));
  const stored = Array.from({ length: 1_100 }, () => completedDocument({ fileKey: newFileKey("pdf") }));
  for (let from = 0; from < stored.length; from += 100) {
    await Promise.all(
      stored
        .slice(from, from + 100)
        .map((document) => Promise.all([documents.insert(document), putFile(document.fileKey)])),
    );
  }

  const { repairs } = await runPass(laterServices(), { isDryRun: true, from: { phase: "files", after: "" } });

  expect(repairs).toEqual(stray.toSorted().map((fileKey) => ({ kind: "file_without_document", fileKey })));
  await env.DB.prepare("DELETE FROM documents").run();
  for (let from = 0; from < stored.length; from += 100)
    await env.FILES.delete(stored.slice(from, from + 100).map(({ fileKey }) => fileKey));
});
