import { expect, it } from "vitest";
import { documentFormats } from "colophon-page/document-format";
import { accessOf, documentRecord, formatOfFileKey, newFileKey } from "../../../src/core/documents/document.ts";
import { metadataProblems } from "../../../src/core/documents/metadata.ts";
import { completedDocument, failedDocument } from "../../fixtures/documents.ts";

it("documentRecord returns the URL of a completed document's file as `pdfUrl`, even if the file is a PNG", () => {
  const createdAt = Date.parse("2026-11-21T09:30:00.000Z");
  const document = completedDocument({
    ...{
      format: "png",
      fileKey: "token.png",
      createdAt,
      completedAt: createdAt + 16,
      expiresAt: createdAt + 86_400_000,
    },
    imageSize: { width: 1588, height: 4492 },
  });

  expect(documentRecord(document, "https://cdn.test")).toMatchObject({
    id: document.id,
    status: "completed",
    pdfUrl: "https://cdn.test/token.png",
    fileUrl: "https://cdn.test/token.png",
    createdAt: "2026-11-21T09:30:00.000Z",
    completedAt: "2026-11-21T09:30:00.016Z",
    expiresAt: "2026-11-22T09:30:00.000Z",
    isTest: false,
    pixelWidth: 1588,
    pixelHeight: 4492,
    error: null,
  });
});

it("documentRecord returns the error of a failed document, and no file", () => {
  const document = failedDocument();

  const { error, ...record } = documentRecord(document, "https://cdn.test");

  expect(error).toEqual(document.error);
  const { pdfUrl, fileUrl, completedAt, pixelWidth, pixelHeight, pageCount, sha256 } = record;
  expect([pdfUrl, fileUrl, completedAt, pixelWidth, pixelHeight, pageCount, sha256]).toEqual(Array(7).fill(null));
});

it.each(documentFormats)("formatOfFileKey returns the format of a new key of a %s", (format) => {
  expect(formatOfFileKey(newFileKey(format))).toBe(format);
});

const bits = "a".repeat(43);
it.each([
  "",
  "x.pdf",
  `private/${bits}`,
  `other/${bits}.pdf`,
  `private/private/${bits}.pdf`,
  `${bits}.jpeg`,
  `${bits}.gif`,
  `${bits}a.jpg`,
  bits,
])("formatOfFileKey refuses %j", (key) => {
  expect(formatOfFileKey(key)).toBeNull();
});

it("a new file key consists of 256 random bits and the extension", () => {
  const keys = Array.from({ length: 100 }, () => newFileKey("png"));

  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}\.png$/);
});

it("the key of a private file says so, and has the same format", () => {
  const keys = [newFileKey("png"), newFileKey("png", "public"), newFileKey("png", "private")];

  expect(keys.map(accessOf)).toEqual(["public", "public", "private"]);
  expect(keys.map(formatOfFileKey)).toEqual(["png", "png", "png"]);
  expect(keys[2]).toMatch(/^private\/[A-Za-z0-9_-]{43}\.png$/);
});

it("an error names a long key of metadata by its first 60 characters", () => {
  const [problem] = metadataProblems({ ["k".repeat(1_000)]: "" });

  expect(problem).toMatchObject({ path: "k".repeat(60), message: expect.stringContaining(`\`${"k".repeat(60)}\``) });
});
