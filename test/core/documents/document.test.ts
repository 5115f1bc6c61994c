import { describe, expect, it } from "vitest";
import { metadataProblems } from "../../../src/core/documents/metadata.ts";
import {
  documentRecord,
  formatOfFileKey,
  newFileKey,
  type DocumentDraft,
} from "../../../src/core/documents/document.ts";
import { documentFormats } from "colophon-page/document-format";

const draft: DocumentDraft = {
  id: "d",
  accountId: "a",
  templateId: "t",
  templateVersion: 3,
  format: "png",
  width: 794,
  height: 1123,
  deviceScaleFactor: 2,
  imageQuality: null,
  fileKey: "token.png",
  month: "2026-11",
  expiresAt: null,
  filename: "Invoice 17.png",
  metadata: { order: "17" },
  batchId: null,
  createdAt: Date.parse("2026-11-21T09:30:00.000Z"),
};

describe("documentRecord", () => {
  it("shows a completed document with the URL of its file as `pdfUrl`, even if the file is a PNG", () => {
    const metadata = { completedAt: draft.createdAt + 16, pageCount: 2, fileSize: 9, sha256: "ab", warnings: ["w"] };
    const imageSize = { width: 1588, height: 4492 };

    const record = documentRecord(
      { ...draft, ...metadata, imageSize, height: 1123, status: "completed" },
      "https://cdn.test",
    );

    expect(record).toEqual({
      id: "d",
      templateId: "t",
      status: "completed",
      format: "png",
      pdfUrl: "https://cdn.test/token.png",
      fileUrl: "https://cdn.test/token.png",
      createdAt: "2026-11-21T09:30:00.000Z",
      completedAt: "2026-11-21T09:30:00.016Z",
      expiresAt: null,
      filename: "Invoice 17.png",
      metadata: { order: "17" },
      batchId: null,
      isTest: false,
      templateVersion: 3,
      width: 794,
      height: 1123,
      deviceScaleFactor: 2,
      imageQuality: null,
      pixelWidth: 1588,
      pixelHeight: 4492,
      pageCount: 2,
      fileSize: 9,
      sha256: "ab",
      warnings: ["w"],
      error: null,
    });
  });

  it("shows the expiry of a document as an ISO timestamp", () => {
    const error = { code: "RENDER_FAILED", message: "no" } as const;
    const expiresAt = Date.parse("2026-12-21T09:30:00.000Z");

    const record = documentRecord({ ...draft, expiresAt, status: "failed", error }, "https://cdn.test");

    expect(record.expiresAt).toBe("2026-12-21T09:30:00.000Z");
  });

  it("shows a failed document with its error and without a file", () => {
    const error = { code: "RENDER_FAILED", message: "no" } as const;

    const record = documentRecord({ ...draft, status: "failed", error }, "https://cdn.test");

    expect(record).toMatchObject({
      status: "failed",
      pdfUrl: null,
      fileUrl: null,
      completedAt: null,
      pixelWidth: null,
      pixelHeight: null,
      pageCount: null,
      sha256: null,
      error,
    });
  });
});

describe("formatOfFileKey", () => {
  it.each(documentFormats)("finds the format of a new key of a %s", (format) => {
    expect(formatOfFileKey(newFileKey(format))).toBe(format);
  });

  it.each([
    "",
    "x.pdf",
    `${"a".repeat(43)}.jpeg`,
    `${"a".repeat(43)}.gif`,
    `${"a".repeat(44)}.jpg`,
    `${"a".repeat(43)}`,
  ])("finds none in %j", (key) => {
    expect(formatOfFileKey(key)).toBeNull();
  });
});

describe("newFileKey", () => {
  it("returns 256 random bits and the extension", () => {
    const key = newFileKey("pdf");

    expect(key).toMatch(/^[A-Za-z0-9_-]{43}\.pdf$/);
  });

  it("returns a different key for every call", () => {
    const keys = Array.from({ length: 100 }, () => newFileKey("png"));

    expect(new Set(keys).size).toBe(100);
  });
});

it("a key of metadata that is too long is named by its first 60 characters", () => {
  const [problem] = metadataProblems({ ["k".repeat(1_000)]: "" });

  expect(problem).toMatchObject({ path: "k".repeat(60), message: expect.stringContaining(`\`${"k".repeat(60)}\``) });
});
