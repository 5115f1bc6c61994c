import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf, referenceIn } from "colophon-test-kit/pdf-reader";
import { PdfError } from "../src/syntax/pdf-error.ts";
import { assembled, chromiumPdf, metadata, stream } from "./inputs.ts";

async function read(bytes: Uint8Array) {
  const document = await getDocumentProxy(bytes.slice());
  return { document, info: (await document.getMetadata()).info as Record<string, unknown> };
}

/** Returns all objects except streams, joined. */
function sources(bytes: Uint8Array): string {
  const { objects, streams } = readPdf(bytes);
  return [...objects]
    .filter(([number]) => !streams.has(number))
    .map(([, source]) => source)
    .join("\n");
}

it("the metadata contains the document's creation date instead of the date of printing", () => {
  const [first, second] = ["D:20261121112956+00'00'", "D:20271231235959+00'00'"].map((date) =>
    assembled(chromiumPdf({ date })),
  );

  expect(sources(first?.bytes ?? new Uint8Array())).toContain("/CreationDate (D:20260102030405+00'00')");
  expect(second).toEqual(first);
});

it("the metadata is added without modifying the given bytes", () => {
  const bytes = chromiumPdf({ more: ["<</ID (node00000007)>>"] });
  const before = latin1(bytes);

  assembled(bytes);

  expect(latin1(bytes)).toBe(before);
});

it("the metadata contains title, author, subject and keywords in any script", async () => {
  const author = "Zoë) >> endobj";
  const texts = { title: "Title (1) >> endobj", author, subject: "漢字 \u{1f5ce}", keywords: "a, b" };
  const bytes = chromiumPdf({ title: "Another title", catalog: "/Lang (\\376\\377\\000e\\000n)" });

  const result = await read(assembled(bytes, { metadata: { ...metadata, ...texts } }).bytes);

  expect(result.info).toMatchObject({
    Title: texts.title,
    Author: texts.author,
    Subject: texts.subject,
    Keywords: texts.keywords,
    Creator: "Chromium",
    Producer: "Skia/PDF m153",
    CreationDate: "D:20260102030405+00'00'",
    ModDate: "D:20260102030405+00'00'",
    Language: "en",
  });
  expect(result.document.numPages).toBe(1);
});
it("the metadata is repeated in an XMP packet that is not compressed", async () => {
  const texts = { title: "Aü", author: "Zoë <&> \u0001\ud800", subject: "漢字]]>", keywords: "a, b" };

  const { bytes } = assembled(chromiumPdf(), { metadata: { ...metadata, ...texts } });

  const packet = new TextDecoder().decode(bytes).match(/<\?xpacket begin[^]*<\?xpacket end="r"\?>/)?.[0];
  expect(packet).toContain('<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Aü</rdf:li></rdf:Alt></dc:title>');
  expect(packet).toContain("<dc:creator><rdf:Seq><rdf:li>Zoë &lt;&amp;&gt; \ufffd\ufffd</rdf:li></rdf:Seq>");
  expect(packet).toContain("漢字]]&gt;");
  expect(packet).toContain("<dc:language><rdf:Bag><rdf:li>pt-BR</rdf:li></rdf:Bag></dc:language>");
  expect(packet).toContain("<pdf:Keywords>a, b</pdf:Keywords>");
  expect(packet).toContain("<pdf:Producer>Skia/PDF m153</pdf:Producer>");
  expect(packet).toContain("<xmp:CreatorTool>Chromium</xmp:CreatorTool>");
  expect(packet).toContain("<xmp:CreateDate>2026-01-02T03:04:05Z</xmp:CreateDate>");
  const { document } = await read(bytes);
  expect((await document.getMetadata()).metadata.get("dc:title")).toBe("Aü");
});

it("the metadata makes readers show the title in their window", async () => {
  const { document } = await read(assembled(chromiumPdf()).bytes);

  expect(await document.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true });
});

it("the metadata tells readers how to print the file", async () => {
  const viewer = { displayTitle: false, printScaling: "none", duplex: "flipLongEdge" } as const;
  const { document } = await read(assembled(chromiumPdf(), { metadata: { ...metadata, viewer } }).bytes);

  const preferences = { DisplayDocTitle: false, PrintScaling: "None", Duplex: "DuplexFlipLongEdge" };
  expect(await document.getViewerPreferences()).toMatchObject(preferences);
});

const dests =
  "<</a [3 0 R /XYZ 0 9 0]\n/b [3 0 R /XYZ 0 8 0]\n/c [3 0 R /XYZ 0 7 0]\n/d [3 0 R /XYZ 0 6 0]\n/#25C3#25BC#23 [3 0 R /XYZ 0 5 0]>>";
const levels = { a: 2, b: 4, c: 3, d: 1, "%C3%BC#": 1 };
const headings = Object.entries(levels).map(([name, level]) => ({ name, level, text: `Ü ${name}` }));

it("the outline is nested by the level of the headings", async () => {
  const body = chromiumPdf({ catalog: "/Dests 6 0 R", more: [dests] });

  const { document } = await read(assembled(body, { headings }).bytes);

  const items = await document.getOutline();
  expect(items.map(({ title, items: inner }) => [title, inner.map((child: { title: string }) => child.title)])).toEqual(
    [
      ["Ü a", ["Ü b", "Ü c"]],
      ["Ü d", []],
      ["Ü %C3%BC#", []],
    ],
  );
  expect(items[1]?.dest).toBe("d");
  expect(await document.getDestination("%C3%BC#")).toMatchObject([{ num: 3 }, { name: "XYZ" }, 0, 5, 0]);
});

it("each item of the outline links to the next and the previous item", () => {
  const body = chromiumPdf({ catalog: "/Dests 6 0 R", more: [dests] });

  const { objects } = readPdf(assembled(body, { headings }).bytes);

  const links = (key: string) =>
    [...objects].flatMap(([from, source]) => {
      const to = new RegExp(`/${key} (\\d+) 0 R`).exec(source)?.[1];
      return to === undefined ? [] : [[from, Number(to)]];
    });
  expect(links("Next")).toHaveLength(3);
  expect(links("Prev").map(([from, to]) => [to, from])).toEqual(expect.arrayContaining(links("Next")));
});

it("the outline leaves out headings without a destination", async () => {
  const body = chromiumPdf({ catalog: "/Dests 6 0 R", more: ["<</d [3 0 R /XYZ 0 6 0]>>"] });

  const { document } = await read(assembled(body, { headings }).bytes);

  expect((await document.getOutline()).map(({ title }) => title)).toEqual(["Ü d"]);
});

it("the names of nodes are renumbered from 1 in the order in which the file mentions them, whatever number the browser started with", () => {
  const cells = (from: number) => {
    const id = (offset: number) => `(node${String(from + offset).padStart(8, "0")})`;
    const table = `/Names [${id(2)} 3 0 R ${id(7)} 3 0 R]`;
    return `<< /ID ${id(7)} /Headers [${id(2)} ${id(7)}] ${table} /Alt (\\(node00000002\\) node00000002) >>`;
  };

  const [first, second] = [14, 98_000].map((from) => assembled(chromiumPdf({ more: [cells(from)] })));

  expect(sources(first?.bytes ?? new Uint8Array())).toContain(
    "/ID (node00000001) /Headers [(node00000002) (node00000001)] /Names [(node00000002) 3 0 R (node00000001) 3 0 R]",
  );
  expect(first).toEqual(second);
});

it("the names of nodes are numbered in their order in the file", () => {
  const tagged = (numbers: number[]) => {
    const ids = numbers.map((number) => `(node${String(number).padStart(8, "0")})`);
    const elements = ids.map((id) => `<</Type /StructElem\n/ID ${id}>>`);
    const rows = ids.map((id, index) => `${id} ${6 + index} 0 R`).sort();
    const leaves = [rows.slice(0, 2), rows.slice(2)].map(
      (own) => `<</Limits [${own[0]?.slice(0, 14)} ${own.at(-1)?.slice(0, 14)}]\n/Names [${own.join(" ")}]>>`,
    );
    const tables = [...leaves, "<</Kids [9 0 R 10 0 R]>>", "<</Type /StructTreeRoot\n/IDTree 11 0 R>>"];
    return assembled(chromiumPdf({ catalog: "/StructTreeRoot 12 0 R\n", more: [...elements, ...tables] })).bytes;
  };

  const bytes = tagged([12, 30, 7]);

  expect(bytes).toEqual(tagged([1, 2, 3]));
  expect(sources(bytes)).toContain("<</Names[(node00000001)6 0 R(node00000002)7 0 R(node00000003)8 0 R]>>");
});

it.each(["<<>>", "<</Kids [6 0 R]>>"])("the names of nodes are refused if their table is %s", (table) => {
  const more = [table, "<</Type /StructTreeRoot/IDTree 6 0 R>>"];

  expect(() => assembled(chromiumPdf({ catalog: "/StructTreeRoot 7 0 R", more }))).toThrow(PdfError);
});

it("an alternative text that looks like the name of a node is not renumbered", () => {
  const figure = "<< /ID (node00000020) /Alt (node00000021) >>";

  const { bytes } = assembled(chromiumPdf({ more: [figure] }));

  expect(sources(bytes)).toContain("/ID (node00000001) /Alt (node00000021)");
});

it("the file has object streams and a compressed cross-reference table", () => {
  const objects = Array.from({ length: 1_000 }, (_, index) => `<</Type /StructElem\n/P ${index + 5} 0 R>>`);

  const body = chromiumPdf({ more: objects });

  const { bytes } = assembled(body);

  expect(readPdf(bytes).objects.get(700)).toBe("<</Type /StructElem\n/P 699 0 R>>");
  expect(latin1(bytes)).not.toContain("\nxref\n");
  expect(bytes.length).toBeLessThan(body.length / 7);
});

it("the file keeps streams unchanged, even if they look like PDF syntax", () => {
  const text = "endobj\n7 0 obj\n<</Type /Page>>\nendobj\nendstream xref\n0 1\ntrailer";

  const { streams } = readPdf(assembled(chromiumPdf({ more: [stream(text)] })).bytes);

  expect(latin1(streams.get(6) ?? new Uint8Array())).toBe(text);
});

it("the file keeps only catalog entries that trigger nothing when the file is opened", () => {
  const catalog =
    "/OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>> /AA <</WC 6 0 R>> /Names <</JavaScript 6 0 R>> /AcroForm 6 0 R /URI <</Base (x)>> /MarkInfo <</Marked true>>";

  const { bytes } = assembled(chromiumPdf({ catalog, more: ["<<>>"] }));

  const { trailer, objects } = readPdf(bytes);
  const keys = (objects.get(referenceIn(trailer, "Root")) ?? "").match(/\/[A-Z]\w*/g);
  expect(keys).toEqual(expect.arrayContaining(["/MarkInfo", "/Metadata", "/Lang"]));
  expect(sources(bytes)).not.toMatch(/OpenAction|JavaScript|\/AA|AcroForm|\/URI/);
});
