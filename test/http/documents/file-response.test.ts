import { ContentDisposition } from "@remix-run/headers";
import { parse } from "@tinyhttp/content-disposition";
import { expect, it } from "vitest";
import { filenameProblem, withExtension } from "../../../src/core/documents/filename.ts";
import { contentDisposition, parseRange } from "../../../src/http/documents/file-response.ts";
import { acceptedFilenames } from "../../fixtures/odd-filenames.ts";

const id = "9c009b16-54fb-4998-b6b1-dcbe21f51998";
const headerOf = (filename: string | null) => contentDisposition({ id, format: "pdf", filename });

/**
 * Returns the name as read by two parsers that are independent of each other and of the library that writes the header, and the
 * name for a client that supports only `filename`.
 */
function parsed(header: string) {
  const remix = ContentDisposition.from(header);
  const tiny = parse(header);
  return {
    types: [remix.type, tiny.type],
    names: [remix.preferredFilename, tiny.parameters["filename"]],
    simple: remix.filename,
  };
}

it.each(acceptedFilenames)("the header of a document with a file name gives two parsers the name back: %j", (given) => {
  const name = withExtension(given, "pdf");

  const { types, names } = parsed(headerOf(name));

  expect(types).toEqual(["attachment", "attachment"]);
  expect(names).toEqual([name, name]);
});

it.each(acceptedFilenames)("the header of a document with a file name has an accepted simple name: %j", (given) => {
  const header = headerOf(withExtension(given, "pdf"));

  const { simple } = parsed(header);

  expect(header).toMatch(/^[ -~]+$/);
  expect(simple).toMatch(/^[A-Za-z0-9 ._()+,=@&'!#~-]+\.pdf$/i);
  expect(filenameProblem((simple ?? "").slice(-200))).toBeNull();
});

it.each([
  ["Invoice 17.pdf", 'attachment; filename="Invoice 17.pdf"'],
  ["Größe 100%.pdf", "attachment; filename=\"Gr__e 100_.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25.pdf"],
  ["請求書.pdf", `attachment; filename=document-${id}.pdf; filename*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf`],
  ["📄.pdf", `attachment; filename=document-${id}.pdf; filename*=UTF-8''%F0%9F%93%84.pdf`],
])("the Content-Disposition header for the file name %s is %s", (name, header) => {
  expect(headerOf(name)).toBe(header);
});

it("the file of a document without a file name is named after the document's id", () => {
  expect(headerOf(null)).toBe(`attachment; filename="document-${id}.pdf"`);
});

it.each([
  ["the first bytes", "bytes=0-9", { offset: 0, length: 10 }],
  ["one byte", "bytes=99-99", { offset: 99, length: 1 }],
  ["the bytes from an offset to the end", "bytes=90-", { offset: 90, length: 10 }],
  ["the bytes up to the end if the range extends beyond it", "bytes=90-1000", { offset: 90, length: 10 }],
  ["the last bytes", "bytes=-10", { offset: 90, length: 10 }],
  ["the whole file if the range asks for more last bytes than the file has", "bytes=-1000", { offset: 0, length: 100 }],
  ["a range with spaces around it", " bytes= 0-9 ", { offset: 0, length: 10 }],
  ["a range whose unit is in upper case", "BYTES=0-9", { offset: 0, length: 10 }],
  ["the whole file if the range ends at a huge number", `bytes=0-${"9".repeat(30)}`, { offset: 0, length: 100 }],
])("a range selects %s", (_what, header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});

it.each([
  ["a range after the end", "bytes=100-", 100],
  ["a range far after the end", `bytes=${"9".repeat(30)}-`, 100],
  ["the last 0 bytes", "bytes=-0", 100],
  ["any range of an empty file", "bytes=0-0", 0],
  ["the last bytes of an empty file", "bytes=-5", 0],
])("the range for %s is unsatisfiable", (_what, header, size) => {
  expect(parseRange(header, size)).toBe("unsatisfiable");
});

it.each([
  ["a missing header", undefined],
  ["an empty header", ""],
  ["a range in another unit", "pages=1-2"],
  ["a space before the equals sign", "bytes =0-9"],
  ["spaces inside a range", "bytes=0 - 9"],
  ["several ranges", "bytes=0-1,5-6"],
  ["a backwards range", "bytes=9-5"],
  ["a range without numbers", "bytes=-"],
  ["letters instead of numbers", "bytes=a-b"],
  ["numbers with signs", "bytes=+1-5"],
  ["hexadecimal numbers", "bytes=0x1-0x5"],
])("a Range header with %s is ignored", (_what, header) => {
  expect(parseRange(header, 100)).toBeNull();
});
