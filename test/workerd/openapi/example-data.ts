// The template and the data of the examples in the description of the API.
import { env } from "cloudflare:workers";
import { sha256Hex } from "colophon-base/encoding";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import type { Field } from "colophon-template-model/template";
import { field, templateContent } from "colophon-test-kit/template-content";
import { putFileOnce } from "../../../src/platform/documents/file-store.ts";
import { filesOf } from "../../../src/services/shared-services.ts";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";

const fields: Field[] = [
  field("invoiceNumber", "string", { label: "Invoice number", required: true }),
  field("dueDate", "date", { label: "Due date", description: "Printed in the language of the template." }),
  field("items", "list", {
    label: "Items",
    required: true,
    fields: [
      field("description", "string", { label: "Description", required: true }),
      field("price", "number", { label: "Price", required: true }),
    ],
  }),
];

const data = {
  invoiceNumber: "PQ-2026-0417",
  dueDate: "2026-12-15",
  items: [{ description: "Letterpress, 200 cards", price: 340 }],
};

/** Returns a new account with a template. */
export function exampleTenant(): Promise<Tenant> {
  const { manifest } = templateContent({ fields });
  const content = {
    manifest: { ...manifest, title: "Short invoice", description: "An invoice with few fields, for these examples." },
    sampleData: data,
  };
  return newTenant(env, { content, page: "<h1>Invoice {{ invoiceNumber }}</h1>" });
}

export function exampleBody(templateId: string): { templateId: string; data: Record<string, unknown> } {
  return { templateId, data };
}

export const exampleLink = { expiresIn: 3_600, disposition: "attachment", filename: "Invoice PQ-2026-0417" };

/** The body of a batch with two of these documents. */
export function exampleBatch(templateId: string): { templateId: string; items: object[] } {
  const item = (number: string) => ({ customId: number, data: { ...data, invoiceNumber: number } });
  return { templateId, items: [item("PQ-2026-0417"), item("PQ-2026-0418")] };
}

/** Stores a file with the page's size. The file is not a PDF. */
export async function renderExample(job: RenderJob): Promise<RenderOutcome> {
  const bytes = new Uint8Array(21_804);
  crypto.getRandomValues(bytes);
  const metadata = { fileSize: bytes.length, sha256: await sha256Hex(bytes), pageCount: 1, warnings: [] };
  const size = { width: 794, height: 1123 };
  return {
    status: "rendered",
    ...(await putFileOnce(filesOf(env), job.fileKey, job.format, bytes, { ...metadata, ...size, imageSize: null })),
  };
}
