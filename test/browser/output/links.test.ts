// Tests which links a PDF keeps. `links.slow.test.ts` tries every way to add a link.
import { extractText, getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { pdfUrls } from "../fixtures/pdf-links.ts";
import { rendered } from "../fixtures/rendered.ts";

type Printed = { urls: string[]; destinations: unknown[]; text: string; warnings: string[] };

async function printed(page: string): Promise<Printed> {
  const { bytes, warnings } = await rendered({ page });
  const pdf = await getDocumentProxy(bytes.slice());
  const annotations = (await (await pdf.getPage(1)).getAnnotations()) as { dest?: unknown }[];
  return {
    urls: await pdfUrls(bytes),
    destinations: annotations.flatMap(({ dest }) => dest ?? []),
    text: (await extractText(pdf, { mergePages: true })).text,
    warnings,
  };
}

const link = (target: string) => `<p><a href="${target}">${target}</a></p>`;
const svgLink = (inner: string, href = "") =>
  `<svg width="200" height="20"><a ${href}>${inner}<text y="15">in the picture</text></a></svg>`;
const removed = (links: string) => `Removed ${links}: only http, https, mailto, tel and #fragment links are allowed.`;

it("links to web pages, mail addresses, telephone numbers and elements of the document are kept", async () => {
  const targets = ["https://example.com/a", "http://example.com/b", "mailto:a@example.com", "tel:+31201234567"];

  const page = `${[...targets, "#there"].map(link).join("")}<p id="there">there</p>`;
  const { urls, destinations, warnings } = await printed(page);

  expect(urls.toSorted()).toEqual(targets.toSorted());
  expect(destinations).toEqual(["there"]);
  expect(warnings).toEqual([]);
});

it("a warning states the number of relative and unsupported links that were removed", async () => {
  const targets = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "/relative",
    "data:text/html,x",
    " JavaScript:alert(1)",
  ];

  const { urls, warnings } = await printed(targets.map(link).join(""));

  expect(urls).toEqual([]);
  expect(warnings).toEqual([removed("5 links")]);
});

it("a link whose target an animation would change keeps its target", async () => {
  const animations = [
    svgLink('<set attributeName="href" to="javascript:1"/>'),
    svgLink('<animate attributeName="xlink:href" values="file:///etc" dur="9s"/>', 'href="https://example.com/"'),
  ];

  const { urls, text, warnings } = await printed(animations.join(""));

  expect(urls).toEqual(["https://example.com/"]);
  expect(text.match(/in the picture/g)).toHaveLength(2);
  expect(warnings).toEqual([removed("2 links")]);
});

it("a warning states the number of removed animations", async () => {
  const { urls, warnings } = await printed(
    svgLink('<animate attributeName="opacity" from="0" to="1" dur="9s"/>', 'href="https://example.com/"'),
  );

  expect(urls).toEqual(["https://example.com/"]);
  expect(warnings).toEqual([
    "Removed 1 SVG animation: documents are static, so elements keep the attributes from the markup.",
  ]);
});

it.each(["open", "closed"])("a declarative shadow root is left out with its links (%s)", async (mode) => {
  const root = `${link("javascript:1")}${link("https://example.com/")}<slot></slot>`;

  const { urls, text } = await printed(
    `<div><template shadowrootmode="${mode}" shadowrootclonable>${root}</template><b>beside</b></div>`,
  );

  expect(urls).toEqual([]);
  expect(text).toBe("beside");
});

it("a frame whose markup is in an attribute is left empty", async () => {
  const frame = `<iframe srcdoc="<a href='javascript:1'>in the frame</a>"></iframe>`;
  // Measuring text takes a moment, in which the frame could load.
  const { urls, text, warnings } = await printed(`<p>before</p>${frame}<p>𓀀</p>`);

  expect(urls).toEqual([]);
  expect(text).not.toContain("in the frame");
  expect(warnings).toContain("Left 1 frame empty: a document cannot contain frames.");
});
