// The steps of the smoke test, and the part that needs an API key: renders the sample invoice, checks the text of its header and footer in
// the PDF, repeats the request, checks the limits and a link, and deletes the documents.
import { createHash, randomUUID } from "node:crypto";
import { extractText, getDocumentProxy } from "unpdf";
import { messageOf } from "colophon-base/message-of";
import { ColophonError, type Client, type CompletedDocument } from "colophon-client";
import { imageInfo } from "colophon-images/image-info";

export async function checkDocuments(client: Client): Promise<void> {
  const created = new Set<string>();
  await step(
    "the key is valid",
    client.usage.get,
    ({ plan, used, limit }) => `plan ${plan}, ${used} of ${limit} renders used`,
  );
  await step("limits are enforced", () => checkLimits(client));
  try {
    await renderInvoices(client, created);
  } finally {
    await step("the documents are deleted", () => deleteDocuments(client, created), String);
  }
}

async function checkLimits({ documents }: Client): Promise<void> {
  await checkRefused(documents.create({ templateId: "", data: { padding: "x".repeat(1024 * 1024) } }), 413);
  await checkRefused(documents.listPage({ limit: 101 }), 400);
}

async function renderInvoices(client: Client, created: Set<string>): Promise<void> {
  const { documents } = client;
  const invoiceNumber = `SMOKE-${randomUUID().slice(0, 8)}`;
  const request = await invoiceRequest(client, invoiceNumber);
  const create = async (idempotencyKey: string = randomUUID()) => {
    const document = await documents.create(request, { idempotencyKey });
    created.add(document.id);
    return document;
  };
  const idempotencyKey = `smoke-${randomUUID()}`;
  const document = await step(
    "a first PDF is rendered",
    () => create(idempotencyKey),
    ({ pageCount }) => `${pageCount} pages`,
  );
  await step("the public file has the header and footer", () => checkFile(document, invoiceNumber), String);
  await step("the same Idempotency-Key gives the same document", async () =>
    check((await create(idempotencyKey)).id === document.id, "a second document was created"),
  );
  await step("a second PDF is rendered in the open browser", () => create());
  await step(
    "an image is rendered",
    async () => {
      const image = await documents.createFile({ ...request, format: "png", deviceScaleFactor: 1 });
      created.add(image.documentId);
      const info = imageInfo(await image.bytes());
      if (info?.type !== "png") throw new Error("the file is not a PNG");
      return `${info.width} x ${info.height} pixels`;
    },
    String,
  );
  await step("the document can be read and downloaded", async () => {
    const [{ sha256 }, file] = await Promise.all([documents.get(document.id), documents.download(document.id)]);
    check(sha256Of(await file.bytes()) === sha256, "the download is not the file that was rendered");
  });
  await step("a private file opens by its link until its links are ended", async () => {
    const { id, fileUrl } = await documents.create({ ...request, access: "private" });
    created.add(id);
    check(new URL(fileUrl).pathname.startsWith("/links/"), "the file has a public URL");
    check((await fileAt(fileUrl)).status === 200, "the link does not open the file");
    await documents.endLinks(id);
    check((await fileAt(fileUrl)).status === 404, "the link opens the file after it was ended");
  });
}

/** Returns a request for the sample invoice with this number. Throws if the account does not have the template. */
async function invoiceRequest({ templates }: Client, invoiceNumber: string) {
  for await (const { id, title } of templates.list()) {
    if (title !== "Invoice") continue;
    const { sampleData } = await templates.get(id);
    return { templateId: id, data: { ...sampleData, invoiceNumber } };
  }
  throw new Error("the account has no template called Invoice; push templates/invoice with `template push`");
}

async function checkFile({ fileUrl, sha256, pageCount }: CompletedDocument, invoiceNumber: string): Promise<string> {
  const response = await fileAt(fileUrl);
  check(response.headers.get("Content-Type") === "application/pdf", `${fileUrl} is not served as a PDF`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  check(sha256Of(bytes) === sha256, "the file is not the one that was rendered");
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: false });
  check(text.length === pageCount, `the file has ${text.length} pages, the document ${pageCount}`);
  const problem = missingText(text, invoiceNumber);
  if (problem !== null) throw new Error(problem);
  return `"Invoice ${invoiceNumber}", "Page 1 of ${pageCount}"`;
}

/**
 * Returns the text that the sample invoice's pages lack, or null if they are complete: the invoice number in the header of every page
 * after the first, and the page number in every footer.
 */
export function missingText(pages: string[], invoiceNumber: string): string | null {
  if (pages.length < 2) return "the invoice has only one page, so its header is not shown";
  for (const [index, page] of pages.entries()) {
    const header = index === 0 ? [] : [`Invoice ${invoiceNumber}`];
    for (const expected of [...header, `Page ${index + 1} of ${pages.length}`])
      if (!withoutSpaces(page).includes(withoutSpaces(expected))) return `page ${index + 1} lacks "${expected}"`;
  }
  return null;
}

function fileAt(url: string): Promise<Response> {
  return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(45_000) });
}

async function deleteDocuments({ documents }: Client, ids: Set<string>): Promise<number> {
  for (const id of ids) {
    await documents.delete(id);
    await checkRefused(documents.get(id), 404);
  }
  return ids.size;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function withoutSpaces(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, "");
}

/** Prints a line: whether the step succeeded, how long it took, and its result. Rejects if it failed. */
export async function step<T>(
  title: string,
  work: () => Promise<T>,
  seen: (result: T) => string = () => "",
): Promise<T> {
  const startedAt = performance.now();
  const print = (outcome: string, text: string) =>
    console.log(`${outcome.padEnd(7)} ${(performance.now() - startedAt).toFixed(0).padStart(6)} ms  ${text}`);
  try {
    const result = await work();
    print("ok", [title, seen(result)].filter(Boolean).join(": "));
    return result;
  } catch (cause) {
    print("FAILED", title);
    const status = cause instanceof ColophonError && cause.status ? `status ${cause.status}, ${cause.code}: ` : "";
    const reason = messageOf(cause);
    throw new Error(`The smoke test failed: ${title}: ${status}${reason}`, { cause });
  }
}

/** Throws an error with this problem unless the condition holds. */
export function check(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

/** Throws unless the service refuses the request with this status. */
export async function checkRefused(request: Promise<unknown>, expected: number): Promise<void> {
  const error: unknown = await request.then(() => null).catch((thrown: unknown) => thrown);
  if (!(error instanceof ColophonError))
    throw error ?? new Error(`a request was accepted, not refused with ${expected}`);
  if (error.status !== expected) throw error;
}
