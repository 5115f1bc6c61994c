import { expect, it } from "vitest";
import type { DocumentFormat } from "colophon-page/document-format";
import type { HttpContext } from "../../../src/http/context.ts";
import { wantsFile } from "../../../src/http/documents/created-response.ts";

const pdf = "application/pdf";
const png = "image/png";

function wanted(accept: string, format: DocumentFormat = "pdf"): boolean {
  return wantsFile({ req: { header: () => accept } } as unknown as HttpContext, format);
}

it.each([
  ...[pdf, "Application/PDF", "application/pdf;q=0.1", "application/pdf; version=1.7", "application/pdf, image/png"],
  ...["image/png;q=0.9, application/pdf;q=0.1", "application/pdf, text/html, application/problem+json"],
  ...["application/pdf, application/json;q=0", "application/pdf, */*;q=0", "application/pdf;q=1, application/*;q=0"],
  ...["application/pdf;q=0.5,application/pdf;q=0", " ,, application/pdf ,"],
])("a create with the Accept header %j gets the file", (accept) => {
  expect(wanted(accept)).toBe(true);
});

it("a create of an image with the Accept header image/* gets the file, whatever the image's format", () => {
  expect((["png", "jpeg", "webp"] as const).map((format) => wanted("image/*", format))).toEqual([true, true, true]);
});

it.each([
  ...["", "*/*", "*", "application/json", "application/*", "text/html", "image/gif, image/avif", "pdf", "application"],
  ...["application/pdf, application/json", "application/pdf, application/json;q=0.001", "application/pdf, */*;q=0.1"],
  ...["application/pdf, *;q=0.1", "application/pdf, application/*;q=0.1", "image/png, */*", "application/pdf;q=0"],
  ...["application/json;q=0", "*/*;q=0", "application/pdfx", 'text/plain; a="application/pdf, image/png"'],
])("a create with the Accept header %j gets JSON", (accept) => {
  expect(wanted(accept)).toBe(false);
});

it.each<[accept: string, format: DocumentFormat, asked: string]>([
  [png, "pdf", png],
  ["image/*", "pdf", "image/png or image/jpeg or image/webp"],
  ["image/webp, image/jpeg", "pdf", "image/jpeg or image/webp"],
  ["image/jpeg", "png", "image/jpeg"],
  ["image/png, application/pdf;q=0", "pdf", png],
  [pdf, "png", pdf],
])("the Accept header %j is refused for a %s", (accept, format, asked) => {
  const message = `\`Accept\` asks for ${asked}, but \`format\` is "${format}", which is ${format === "pdf" ? pdf : png}.`;

  expect(() => wanted(accept, format)).toThrow(expect.objectContaining({ details: [{ path: "Accept", message }] }));
});
