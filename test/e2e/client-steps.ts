// A customer's program that uses the client. The function uses nothing else from this file, so that its source text also runs
// elsewhere: in Node, a Worker and a page.
import type * as Colophon from "../../packages/client/src/client.ts";

export type StepsInput = {
  baseUrl: string;
  apiKey: string;
  templateId: string;
  /** A webhook as it was received, and the account's secrets. */
  webhook: { body: string; headers: Record<string, string>; secrets: string[] };
};

/** Uses everything that the package offers, and returns the results. */
export async function useClient(colophon: typeof Colophon, { baseUrl, apiKey, templateId, webhook }: StepsInput) {
  const { documents, batches, templates, webhooks } = colophon.createClient({ baseUrl, apiKey });
  const thrown = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  const line = (value: unknown) => `${JSON.stringify(value)}\n`;

  const { sampleData } = await templates.get(templateId);
  const document = await documents.create({ templateId, data: sampleData });
  const created = await documents.createFile({
    templateId,
    data: sampleData,
    filename: "Grüße",
    metadata: { original: document.id },
  });
  const createdSize = (await created.bytes()).length;

  const { stream, size } = await documents.download(document.id);
  const parts: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  (await documents.download(document.id)).stream.cancel();

  let isListed = false;
  for await (const { id } of documents.list({ limit: 1 })) {
    isListed = id === document.id;
    if (isListed) break;
  }
  const tagged = await documents.listPage({ metadata: { original: document.id } });
  const { url } = await documents.createLink(document.id, { expiresIn: 60 });
  const linked = [(await fetch(url)).status];
  await documents.endLinks(document.id);
  linked.push((await fetch(url)).status);
  const downloads: string[] = [];
  for await (const { via } of documents.downloads(document.id)) downloads.push(via);
  const { deleted } = await documents.delete(document.id);

  const missing = await thrown(documents.get(document.id));
  const unreachable = await thrown(
    colophon.createClient({ baseUrl: "http://127.0.0.1:9/api/v1", apiKey, maxRetries: 0 }).usage.get(),
  );
  const lost = new ReadableStream({ pull: (controller) => controller.error(new Error("lost")) });
  const cutOff = await colophon
    .createClient({
      baseUrl,
      apiKey,
      fetch: async () => new Response(lost, { headers: { "Content-Type": "image/png" } }),
    })
    .documents.download(document.id);
  const cutOffError = await thrown(cutOff.bytes());
  const accepted = await documents.createAsync({ templateId, data: sampleData });
  const later = await documents.wait(accepted.id);
  const items = [1, 2, 3].map((number) => ({ customId: `Grüße ${number}`, data: sampleData }));
  const batch = await batches.create({ templateId }, new Blob(items.map(line)).stream());
  const ended = await batches.wait(batch.id);
  const customIds: (string | null)[] = [];
  for await (const { customId, fileUrl } of batches.results(batch.id)) customIds.push(fileUrl && customId);
  const ofBatch = await documents.listPage({ batchId: batch.id });
  const event = await webhooks.verify(webhook.body, webhook.headers, webhook.secrets);
  const forged = await thrown(webhooks.verify(`${webhook.body} `, new Headers(webhook.headers), webhook.secrets));
  return {
    status: document.status,
    file: {
      start: new TextDecoder().decode(parts[0]?.subarray(0, 5)),
      isComplete: parts.reduce((sum, part) => sum + part.length, 0) === document.fileSize && size === document.fileSize,
    },
    created: { name: created.fileName, type: created.contentType, isComplete: createdSize === created.size },
    isListed,
    linked,
    downloads,
    isTagged: tagged.documents[0]?.id === created.documentId,
    deleted,
    missing: missing instanceof colophon.ColophonError && {
      code: missing.code,
      status: missing.status,
      hasRequestId: /^[0-9a-f-]{36}$/.test(missing.requestId ?? ""),
    },
    unreachable: unreachable instanceof colophon.ColophonError && unreachable.code,
    cutOff: cutOffError instanceof colophon.ColophonError && cutOffError.code,
    later: later.id === accepted.id && later.status,
    batch: { completed: ended.counts.completed, customIds, documents: ofBatch.documents.length },
    event: event.type,
    forged: forged instanceof colophon.WebhookVerificationError && forged.code,
  };
}

/** The result of `useClient` if everything is right. */
export const expectedSteps: Awaited<ReturnType<typeof useClient>> = {
  status: "completed",
  file: { start: "%PDF-", isComplete: true },
  created: { name: "Grüße.pdf", type: "application/pdf", isComplete: true },
  isListed: true,
  linked: [200, 404],
  downloads: [],
  isTagged: true,
  deleted: true,
  missing: { code: "DOCUMENT_NOT_FOUND", status: 404, hasRequestId: true },
  unreachable: "CONNECTION_FAILED",
  cutOff: "CONNECTION_FAILED",
  later: "completed",
  batch: { completed: 3, customIds: ["Grüße 1", "Grüße 2", "Grüße 3"], documents: 3 },
  event: "document.completed",
  forged: "INVALID_SIGNATURE",
};
