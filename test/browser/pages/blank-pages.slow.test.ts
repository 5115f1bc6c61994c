// Tests generated documents with breaks to left and right pages against a model, which knows only the order of the blocks and the breaks
// between them. Each block fills a page.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { readPages } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

const documents = 200;
const perTest = 20;

type Random = (below: number) => number;

/** Returns the same numbers for the same seed. */
function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const values = ["auto", "auto", "page", "left", "right", "recto", "verso", "right", "right"] as const;
type Value = (typeof values)[number];
type Chapter = { before: Value; inner: Value; after: Value; isOld: boolean; isPart: boolean; blocks: number };
type Generated = { isRightToLeft: boolean; isMirrored: boolean; hasContents: boolean; chapters: Chapter[] };

function generated(random: Random): Generated {
  const value = () => values[random(values.length)] ?? "auto";
  const chapters = Array.from({ length: 1 + random(6) }, () => {
    const [inner, after] = [random(3) === 0 ? value() : "auto", random(3) === 0 ? value() : "auto"] as const;
    return { before: value(), inner, after, isOld: random(4) === 0, isPart: random(3) === 0, blocks: 1 + random(3) };
  });
  return { isRightToLeft: random(4) === 0, isMirrored: random(3) === 0, hasContents: random(2) === 0, chapters };
}

const block = (text: string) => `<p style="height:600px;margin:0;break-inside:avoid">${text}</p>`;

function markupOf({ hasContents, chapters }: Generated): string {
  const property = ({ isOld }: Chapter, edge: string, value: Value) =>
    isOld && /^(auto|left|right)$/.test(value) ? `page-break-${edge}:${value};` : `break-${edge}:${value};`;
  const markup = chapters.map((chapter, index) => {
    const style = property(chapter, "before", chapter.before) + property(chapter, "after", chapter.after);
    const heading = `<h2 id="c${index}" style="${property(chapter, "before", chapter.inner)}margin:0">C${index}</h2>`;
    const blocks = Array.from({ length: chapter.blocks }, (_, at) => block(`c${index}b${at}`)).join("");
    const part = chapter.isPart ? "data-part" : "";
    return `<section ${part} style="${style}"><div>${heading}${blocks}</div></section>`;
  });
  const entries = chapters.map((_, index) => `<a href="#c${index}">see </a>`).join(" ");
  return (hasContents ? block(entries) : "") + markup.join("");
}

/** A page of the model. `chapter` is null for the contents. */
type ModelPage = { kind: "blank" } | { kind: "block"; chapter: number | null; text: string };

function modelOf({ isRightToLeft, hasContents, chapters }: Generated): ModelPage[] {
  const pages: ModelPage[] = hasContents ? [{ kind: "block", chapter: null, text: "" }] : [];
  const oddValues = isRightToLeft ? ["left", "recto"] : ["right", "recto"];
  for (const [index, chapter] of chapters.entries()) {
    const met = [chapters[index - 1]?.after, chapter.before, chapter.inner];
    const side = met.findLast((value) => value !== undefined && !["auto", "page"].includes(value));
    const isOddNext = pages.length % 2 === 0;
    if (side !== undefined && oddValues.includes(side) !== isOddNext) pages.push({ kind: "blank" });
    for (let at = 0; at < chapter.blocks; at++)
      pages.push({ kind: "block", chapter: index, text: `${at === 0 ? `C${index} ` : ""}c${index}b${at}` });
  }
  return pages;
}

/** The first block of a chapter starts on this page, counted from 1. */
const pageOf = (model: ModelPage[], index: number) =>
  1 + model.findIndex((page) => page.kind === "block" && page.chapter === index);

function labelsOf(model: ModelPage[], chapters: Chapter[]): string[] | null {
  if (chapters.every(({ isPart }) => !isPart)) return null;
  const starts = chapters.flatMap(({ isPart }, index) => (isPart ? [pageOf(model, index)] : []));
  return model.map((_, index) => String(index + 2 - (starts.findLast((start) => start <= index + 1) ?? 1)));
}

const footer =
  '<b class="odd-page">odd</b><b class="even-page">even</b> <span class="pageNumber"></span>/<span class="totalPages"></span>' +
  '<p class="blank-page">blank <span class="pageNumber"></span></p>';

async function printed(document: Generated) {
  const direction = document.isRightToLeft ? "html{direction:rtl}.page{direction:ltr}" : "";
  const sides = document.isMirrored ? "@page:left{margin-left:80px}@page:right{margin-right:80px}" : "";
  const css = `${direction}${sides}a::after{content:target-counter(attr(href),page)}`;
  const { bytes, record, warnings } = await rendered({ page: markupOf(document), content: { css, footer } });
  const pdf = await getDocumentProxy(bytes.slice());
  const outline = (await pdf.getOutline()) ?? [];
  const targets = outline.map(async ({ dest }) => {
    const [target] = (await pdf.getDestination(String(dest))) ?? [];
    return 1 + (await pdf.getPageIndex(target));
  });
  const pages = await readPages(bytes);
  const texts = pages.map(({ text }) => text.replace(/\s+/g, " ").trim());
  const blocks = pages.map(({ words }) => words.find(({ text }) => /^c\d|^see/.test(text)));
  return {
    lefts: blocks.map((word) => (word ? Math.round(word.left / 0.75) : null)),
    texts: texts.map((text) => text.split(" ").toSorted().join(" ")),
    ...{ warnings, pageCount: record.pageCount, bookmarks: await Promise.all(targets) },
    labels: await pdf.getPageLabels(),
  };
}

function expected(document: Generated) {
  const model = modelOf(document);
  const starts = document.chapters.map((_, index) => pageOf(model, index));
  const texts = model.map((page, index) => {
    if (page.kind === "blank") return `blank ${index + 1}`;
    const text = page.chapter === null ? starts.map((start) => `see ${start}`).join(" ") : page.text;
    return `${text} ${index % 2 === 0 ? "odd" : "even"} ${index + 1}/${model.length}`;
  });
  const leftAt = (index: number) => (document.isMirrored && (index % 2 === 0) === document.isRightToLeft ? 80 : 48);
  return {
    lefts: model.map(({ kind }, index) => (kind === "blank" ? null : leftAt(index))),
    texts: texts.map((text) => text.split(" ").toSorted().join(" ")),
    ...{ warnings: [], pageCount: model.length, bookmarks: starts },
    labels: labelsOf(model, document.chapters),
  };
}

it.each(Array.from({ length: documents / perTest }, (_, index) => index * perTest))(
  "generated documents have the pages, numbers, bookmarks and labels of the model, from seed %i on",
  async (firstSeed) => {
    for (let seed = firstSeed; seed < firstSeed + perTest; seed++) {
      const document = generated(randomOf(seed + 1));

      expect(await printed(document), `seed ${seed}: ${JSON.stringify(document)}`).toEqual(expected(document));
    }
  },
  120_000,
);

it("the generated documents have blank pages in many places", () => {
  const models = Array.from({ length: documents }, (_, seed) => modelOf(generated(randomOf(seed + 1))));

  const blanks = models.map((pages) => pages.filter(({ kind }) => kind === "blank").length);
  expect(blanks.filter((count) => count > 0).length).toBeGreaterThan(documents / 2);
  expect(models.filter(([first]) => first?.kind === "blank").length).toBeGreaterThan(5);
});
