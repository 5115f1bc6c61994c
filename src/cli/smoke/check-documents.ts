// The part of the smoke test that needs an API key: renders the sample invoice, checks the text of its header and footer
// in the PDF, repeats the request, checks the limits, and deletes what it made.
import { createHash, randomUUID } from "node:crypto";
import { extractText, getDocumentProxy } from "unpdf";
import { imageInfo } from "../../core/images/image-info.ts";
import { isObject } from "../untrusted-json.ts";
import { check, type Report } from "./report.ts";
import { download, type ApiRequest, type ApiResponse, type ServiceClient } from "./service-client.ts";

type Context = { service: ServiceClient; key: string; report: Report };
type Api = (path: string, request?: ApiRequest) => Promise<ApiResponse>;
type DocumentRecord = { id: string; fileUrl: string; sha256: string; pageCount: number };
type InvoiceRequest = { templateId: string; data: Record<string, unknown> };

export async function checkDocuments({ service, key, report }: Context): Promise<void> {
  const api: Api = (path, request) => service.api(path, { bearer: key, ...request });
  const created = new Set<string>();
  await report("the key is valid", () => describeUsage(api));
  await report("limits are enforced", () => checkLimits(api));
  const invoiceNumber = `SMOKE-${randomUUID().slice(0, 8)}`;
  try {
    await renderInvoices({ service, key, report, api, invoiceNumber, created });
  } finally {
    await report("the documents are deleted", () => deleteDocuments(api, created));
  }
}

async function describeUsage(api: Api): Promise<string> {
  const { status, data, errorMessage } = await api("/usage");
  check(status === 200, `status ${status}: ${errorMessage}`);
  return `plan ${data["plan"]}, ${data["used"]} of ${data["limit"]} renders used`;
}

async function checkLimits(api: Api): Promise<string> {
  const large = await api("/documents", { method: "POST", body: JSON.stringify({ padding: "x".repeat(1024 * 1024) }) });
  check(large.status === 413, `a body over 1 MiB has status ${large.status}`);
  const page = await api("/documents?limit=101");
  check(page.status === 400 && page.errorCode === "VALIDATION_ERROR", `limit=101 has status ${page.status}`);
  return "413 over 1 MiB, 400 above 100 items";
}

type Invoices = Context & { api: Api; invoiceNumber: string; created: Set<string> };

async function renderInvoices({ key, report, service, api, invoiceNumber, created }: Invoices): Promise<void> {
  const body = await invoiceRequest(api, invoiceNumber);
  const headers = { "Idempotency-Key": `smoke-${randomUUID()}` };
  const create = async () => {
    const record = await createDocument(api, { body, headers });
    created.add(record.id);
    return record;
  };
  const record = await report("a first PDF is rendered", create, ({ pageCount }) => `${pageCount} pages`);
  await report("the public file has the header and footer", () => checkFile(record, invoiceNumber));
  await report("the same Idempotency-Key gives the same document", async () => {
    check((await create()).id === record.id, "another document was created");
  });
  await report("a second PDF is rendered on the open browser", async () => {
    created.add((await createDocument(api, { body })).id);
  });
  await report("an image is rendered", async () => {
    const image = await createDocument(api, { body: { ...body, format: "png", deviceScaleFactor: 1 } });
    created.add(image.id);
    return checkImage(image);
  });
  await report("the document can be read and downloaded", async () => {
    const { status } = await api(`/documents/${record.id}`);
    check(status === 200, `status ${status}`);
    const { bytes } = await download(`${service.origin}/api/v1/documents/${record.id}/download`, key);
    check(sha256(bytes) === record.sha256, "the download is not the file that was rendered");
    return `${bytes.length} bytes`;
  });
}

/** Returns a request for the sample invoice with this number. Throws if the account does not have the template. */
async function invoiceRequest(api: Api, invoiceNumber: string): Promise<InvoiceRequest> {
  const { data } = await api("/templates?limit=100");
  const templates = Array.isArray(data["templates"]) ? data["templates"].filter(isObject) : [];
  const id = templates.find(({ title }) => title === "Invoice")?.["id"];
  if (typeof id !== "string")
    throw new Error("the account has no template called Invoice; push templates/invoice with `template push`");
  const { sampleData } = (await api(`/templates/${id}`)).data;
  return { templateId: id, data: { ...(isObject(sampleData) ? sampleData : {}), invoiceNumber } };
}

async function createDocument(api: Api, request: ApiRequest): Promise<DocumentRecord> {
  const { status, data, errorCode, errorMessage } = await api("/documents", { method: "POST", ...request });
  check(status === 201, `status ${status}, ${errorCode}: ${errorMessage}`);
  const { id, fileUrl, sha256: digest, pageCount } = data;
  if (typeof id !== "string" || typeof fileUrl !== "string" || typeof digest !== "string")
    throw new Error(`the document has no file; its status is ${String(data["status"])}`);
  return { id, fileUrl, sha256: digest, pageCount: Number(pageCount) };
}

async function checkFile(
  { fileUrl, sha256: digest, pageCount }: DocumentRecord,
  invoiceNumber: string,
): Promise<string> {
  const { type, bytes } = await download(fileUrl);
  check(type === "application/pdf", `the content type is ${type}`);
  check(sha256(bytes) === digest, "the file is not the one that was rendered");
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: false });
  check(text.length === pageCount, `the file has ${text.length} pages, the document ${pageCount}`);
  const problem = missingText(text, invoiceNumber);
  if (problem !== null) throw new Error(problem);
  return `"Invoice ${invoiceNumber}", "Page 1 of ${pageCount}"`;
}

async function checkImage({ fileUrl, sha256: digest }: DocumentRecord): Promise<string> {
  const { type, bytes } = await download(fileUrl);
  check(type === "image/png", `the content type is ${type}`);
  check(sha256(bytes) === digest, "the file is not the one that was rendered");
  const info = imageInfo(bytes);
  if (info?.type !== "png") throw new Error("the file is not a PNG");
  return `${info.width} x ${info.height} pixels`;
}

/**
 * Returns what the texts of the sample invoice's pages lack, or null if they are complete: the number of the invoice in the header of
 * every page after the first, and the number of the page in every footer.
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

async function deleteDocuments(api: Api, ids: Set<string>): Promise<string> {
  for (const id of ids) {
    const { status } = await api(`/documents/${id}`, { method: "DELETE" });
    check(status === 200, `deleting ${id} has status ${status}`);
    const { status: after } = await api(`/documents/${id}`);
    check(after === 404, `a deleted document has status ${after}`);
  }
  return String(ids.size);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function withoutSpaces(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, "");
}
