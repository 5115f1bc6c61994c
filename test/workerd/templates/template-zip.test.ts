// The zip of a template in the Workers runtime, whose `node:zlib` differs from Node's.
import { expect, it } from "vitest";
import { readTemplateZip, templateZip } from "colophon-template-model/template-zip";
import { validateTemplate } from "colophon-template-model/validate-template";
import { bytesOf, validFiles } from "colophon-test-kit/template-files";

const files = Object.entries(validFiles)
  .map(([path, text]) => ({ path, bytes: bytesOf(text ?? "") }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

it("a zip is written, read and validated", () => {
  const read = readTemplateZip(templateZip(files));

  expect(read).toEqual({ files, problems: [] });
  expect(validateTemplate(read)).toMatchObject({ status: "valid", content: { sampleData: { name: "Ada" } } });
});

it("a zip is refused if a file decompresses to more than its declared size", () => {
  const style = { path: "style.css", bytes: new Uint8Array(1_900_000) };
  const zip = templateZip([style]);
  const view = new DataView(zip.buffer);
  view.setUint32(22, 1_000, true);
  view.setUint32(zip.length - 22 - 46 - style.path.length + 24, 1_000, true);

  const reason = "its content does not have the size and the checksum that the zip declares";
  expect(readTemplateZip(zip)).toEqual({ files: [], problems: [{ file: "style.css", line: 1, reason }] });
});

it.each([1, 65_535, 65_536, 65_537, 131_072, 1_000_000])("a file of %i bytes is read from a zip", (size) => {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * at) % 251);
  const file = { path: "assets/photo.bin", bytes };

  expect(readTemplateZip(templateZip([file]))).toEqual({ files: [file], problems: [] });
});
