import { expect, it } from "vitest";
import { openPdf } from "colophon-pdf/open-pdf";
import { readPages } from "colophon-pdf/page-tree";
import { sourceOf } from "colophon-pdf/values";
import { latin1 } from "colophon-test-kit/pdf";
import { chromiumPdf, stream } from "../../../pdf/test/inputs.ts";
import { placesOf } from "../../src/tags/decoded-content.ts";
import { fontReader } from "../../src/tags/font-texts.ts";
import { tagGeneratedTexts } from "../../src/tags/generated-texts.ts";
import { newTag, type Tag, type TagKid } from "../../src/tags/structure-tree.ts";
import { generatedParts, type MarkedElement } from "../../src/tags/tag-marks.ts";

/** Its codes are the characters of ASCII. */
const font = ["<</Type /Font /Subtype /Type3 /ToUnicode 8 0 R>>", stream("1 beginbfrange <20> <7E> <0020> endbfrange")];
const shown = (text: string) => `BT /F 9 Tf (${text}) Tj ET `;
const marked = (mcid: number, text: string) => `/P <</MCID ${mcid}>> BDC ${shown(text)}EMC `;

/** Returns the kids of a tag that has the content 0, after its texts were tagged. */
function kidsWith(content: string, about: Partial<MarkedElement>, type = "P", tagged = [0]): string {
  const page = "/Resources <</Font <</F 7 0 R>>>>";
  const source = latin1(chromiumPdf({ page, more: [stream(content), ...font] }));
  const file = openPdf(Buffer.from(source.replace("/Contents 5 0 R", "/Contents 6 0 R"), "latin1"));
  const tag = newTag(type, [{ page: 3, stream: null, mcid: 0 }]);
  const element: MarkedElement = { kind: "other", name: "", text: "", isRepeated: false, ...about };
  const [places, fontsOf] = [placesOf(readPages(file), new Map()), fontReader(file)];
  const contents = new Map([[3, new Map(tagged.map((mcid) => [mcid, tag]))]]);
  tagGeneratedTexts({ marks: new Map([[tag, element]]), file, places, contents, fontsOf });
  const print = (kid: TagKid): string => {
    if ("mcid" in kid) return String(kid.mcid);
    return "kids" in kid ? `${kid.type}${sourceOf((kid as Tag).entries)}(${kid.kids.map(print).join(" ")})` : "";
  };
  return tag.kids.map(print).join(" ");
}

it.each([
  ["before", shown("No. ") + shown("1") + marked(0, "x"), { before: "No. 1" }, "1 2 0"],
  ["after", marked(0, "x") + shown(" EUR"), { after: " eur" }, "0 1"],
  ["after a different one", marked(0, "x") + shown("a") + marked(1, "y") + shown("b"), { after: "b" }, "0 2"],
])("a text %s the content of a tag becomes content of the tag", (_, content, about, kids) => {
  expect(kidsWith(content, about)).toBe(kids);
});

it.each([
  ["is not the expected one", shown("No. 2") + marked(0, "x"), { before: "No. 1" }],
  ["is longer than the expected one", shown("No. 1x") + marked(0, "x"), { before: "No. 1" }],
  ["is in marked content", `/Artifact BMC ${shown("a")}EMC ${marked(0, "x")}`, { before: "a" }],
  ["is repeated on every page", shown("a") + marked(0, "x"), { before: "a", isRepeated: true }],
])("a text that %s keeps no tag", (_, content, about) => {
  expect(kidsWith(content, about)).toBe("0");
});

it("a text gets a number that no content in the tag tree has, even if that content is not painted", () => {
  expect(kidsWith(shown("a") + marked(0, "x"), { before: "a" }, "P", [0, 1])).toBe("2 0");
});

it("a number behind a leader is read without the leader", () => {
  const after = `${generatedParts.leader}${generatedParts.number}`;

  expect(kidsWith(marked(0, "x") + shown("......12"), { after })).toBe("0 Span<</ActualText ( 12)>>(1)");
});
