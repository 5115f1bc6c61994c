import { inflateSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf, referenceIn } from "colophon-test-kit/pdf-reader";
import { startAssembly } from "../src/assemble-pdf.ts";
import { openPdf } from "../src/file/open-pdf.ts";
import { pdfMerger } from "../src/merge-pdfs.ts";
import { srgbProfile } from "../src/parts/output-intent.ts";
import { chromiumPdf, metadata } from "./inputs.ts";

const conformance = ["pdf/a-3u"] as const;

function conforming(body = chromiumPdf(), texts: Partial<typeof metadata> = {}): Uint8Array {
  const assembly = startAssembly({ body: openPdf(body), conformance });
  return assembly.finish({ sheets: null, headings: [], metadata: { ...metadata, ...texts } }).bytes;
}

const identifier = (bytes: Uint8Array) => /\/ID ?\[(<[0-9a-f]{32}>) ?\1\]/.exec(latin1(bytes))?.[1];

it("a conforming file names its standard, and describes its colours with the profile of sRGB", () => {
  const bytes = conforming();
  const { objects, streams } = readPdf(bytes);
  const catalog = [...objects.values()].find((source) => source.includes("/OutputIntents"));
  const profile = streams.get(referenceIn(catalog ?? "", "DestOutputProfile"));

  expect(latin1(bytes)).toContain("<pdfaid:part>3</pdfaid:part>\n<pdfaid:conformance>U</pdfaid:conformance>");
  expect(inflateSync(profile ?? new Uint8Array())).toEqual(srgbProfile());
});

it("the identifier of a conforming file follows from its content", () => {
  const [first, again, other] = [chromiumPdf(), chromiumPdf(), chromiumPdf({ page: "/Tabs /S" })].map((body) =>
    conforming(body),
  );

  expect(identifier(first ?? new Uint8Array())).toBeDefined();
  expect(again).toEqual(first);
  expect(identifier(other ?? new Uint8Array())).not.toBe(identifier(first ?? new Uint8Array()));
});

it("both copies of a conforming file's metadata have the same texts, also if XML does not allow their characters", async () => {
  const document = await getDocumentProxy(
    conforming(undefined, { title: "a\u0001b\rc\n&d", author: "\uffff" }).slice(),
  );
  const { info, metadata: xmp } = await document.getMetadata();

  expect(info).toMatchObject({ Title: "a\ufffdb c\n&d", Author: "\ufffd" });
  expect(xmp?.get("dc:title")).toBe("a\ufffdb c\n&d");
  expect(xmp?.get("dc:creator")).toEqual(["\ufffd"]);
});

it("a merged file of conforming parts conforms too, and contains one profile", () => {
  const merger = pdfMerger({ title: "M", language: "en", createdAt: 0, conformance });
  const parts = [merger.add(conforming(), "a").bytes, merger.add(conforming(), "b").bytes, merger.finish()];
  const merged = Buffer.concat(parts);
  const { objects, streams } = readPdf(merged);
  const catalog = [...objects.values()].find((source) => source.includes("/OutputIntents"));

  expect(identifier(merged)).toBeDefined();
  expect(latin1(merged)).toContain("<pdfaid:part>3</pdfaid:part>");
  expect(streams.has(referenceIn(catalog ?? "", "DestOutputProfile"))).toBe(true);
  expect([...objects.values()].filter((source) => source.includes("/N 3"))).toHaveLength(1);
});

it("the profile of sRGB has the size that its header names, and tags inside of it", () => {
  const profile = Buffer.from(srgbProfile());
  const tags = Array.from({ length: profile.readUInt32BE(128) }, (_, index) => 132 + 12 * index);

  expect(profile.readUInt32BE(0)).toBe(profile.length);
  for (const at of tags) {
    const [offset, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    expect(offset % 4).toBe(0);
    expect(offset + length).toBeLessThanOrEqual(profile.length);
  }
});
