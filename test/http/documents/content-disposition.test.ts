// Parses the header with two parsers that know nothing of each other, and of the library that makes it.
import { ContentDisposition } from "@remix-run/headers";
import { parse } from "@tinyhttp/content-disposition";
import { describe, expect, it } from "vitest";
import { filenameProblem, withExtension } from "../../../src/core/documents/filename.ts";
import { contentDisposition } from "../../../src/http/documents/file-response.ts";
import { acceptedFilenames, refusedFilenames } from "../../fixtures/odd-filenames.ts";

const id = "9c009b16-54fb-4998-b6b1-dcbe21f51998";
const headerOf = (filename: string | null) => contentDisposition({ id, format: "pdf", filename });

/** Returns the name as two parsers read it, and the name for a client that knows only `filename`. */
function parsed(header: string) {
  const remix = ContentDisposition.from(header);
  const tiny = parse(header);
  return {
    types: [remix.type, tiny.type],
    names: [remix.preferredFilename, tiny.parameters["filename"]],
    simple: remix.filename,
  };
}

describe("the header of a document with a file name", () => {
  it("is tested with more than 200 names that are accepted, and more than 200 that are refused", () => {
    expect([acceptedFilenames.length > 200, refusedFilenames.length > 200]).toEqual([true, true]);
  });

  it.each(acceptedFilenames)("gives two parsers the name back: %j", (given) => {
    const name = withExtension(given, "pdf");

    const { types, names } = parsed(headerOf(name));

    expect(types).toEqual(["attachment", "attachment"]);
    expect(names).toEqual([name, name]);
  });

  it.each(acceptedFilenames)("is visible ASCII, and its simple name is an accepted name: %j", (given) => {
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
  ])("is, for %s, %s", (name, header) => {
    expect(headerOf(name)).toBe(header);
  });
});

it("a document without a file name is named after its id", () => {
  expect(headerOf(null)).toBe(`attachment; filename="document-${id}.pdf"`);
});
