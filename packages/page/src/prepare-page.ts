// Inserts the content of a document, and leaves the page ready for printing or capturing, with fonts loaded and images
// decoded.
import { isRightToLeft } from "colophon-base/text-direction";
import { makeAutoPages } from "./auto-height/auto-pages.ts";
import { takeInStrayNodes, tidyPageFiles, trimPageEnds } from "./auto-height/page-files.ts";
import { pageStyles } from "./blank-boxes.ts";
import { fillPages } from "./boxes/fill-pages.ts";
import { markBodyPage, pageBoxes } from "./boxes/page-boxes.ts";
import { pageHeights } from "./boxes/page-heights.ts";
import { parseContent, type ParsedContent } from "./content/parse-content.ts";
import { keepDocumentFiles, takeFiles } from "./content/received-files.ts";
import type { InlinedFile } from "./content/resolve-files.ts";
import { checkCaptureCost } from "./cost/capture-cost.ts";
import { checkMarkupCost } from "./cost/markup-cost.ts";
import { checkNestedEffects, checkPrintCost } from "./cost/print-cost.ts";
import { orImpossible } from "./cost/too-expensive.ts";
import { describeDocument } from "./describe-document.ts";
import {
  bodyElement,
  documentFonts,
  findAll,
  findInDocument,
  headElement,
  setStyle,
  attributeOf,
  rootElement,
} from "./dom.ts";
import { fitTexts } from "./fit/fit-texts.ts";
import { findMissingGlyphs } from "./fonts/find-missing-glyphs.ts";
import { forgetFamilies, keepRootFamily, mapFamilies } from "./fonts/map-families.ts";
import { deadMarginLinks, findDeadLinks } from "./hints/dead-links.ts";
import { dividedGroups } from "./hints/divided-groups.ts";
import { findHints, maxOfKind } from "./hints/find-hints.ts";
import { hyphenate } from "./hyphenation/hyphenate.ts";
import { removeIdleHyphens } from "./hyphenation/remove-idle-hyphens.ts";
import { prepareImages } from "./images/prepare-images.ts";
import { resolveUpright } from "./images/upright-webps.ts";
import { attachMargins, innerFragments, resolvedMargins, type MarginHost } from "./margins/margin-hosts.ts";
import { currentMargins, measureMargins } from "./margins/reserve-margins.ts";
import { markElements } from "./mark-elements.ts";
import { clippingBoxes, findOverflow } from "./overflow/find-overflow.ts";
import { type FoundOverflow, markedOverflows } from "./overflow/mark-overflows.ts";
import { findTallBoxes } from "./overflow/tall-boxes.ts";
import type { PagePreparation, PrepareInput, PreparedPage } from "./prepared-page.ts";
import { collectReferences } from "./references/collect-references.ts";
import { usedAttributes } from "./references/page-numbers.ts";
import { atPrintWidth, narrowAreas, unnamedWidths } from "./references/print-width.ts";
import { removeUnsafeLinks } from "./remove-unsafe-links.ts";
import { findSideBreaks, markSideBreaks } from "./side-breaks.ts";
import { documentRules, styledElements } from "./style-rules.ts";

export function preparePage(input: PrepareInput): Promise<PagePreparation> {
  return orImpossible(async () => ({ status: "prepared", prepared: await prepare(input) }));
}

async function prepare(input: PrepareInput): Promise<PreparedPage> {
  const files = await loadFiles(input);
  const content = await insertContent(input, files);
  forgetFamilies();
  mapFamilies([document]);
  const rules = documentRules();
  const { boxes, sections, removeHyphens, ...laidOut } = await atPrintWidth(input, rules, (width) =>
    layOut(input, { files, content, rules, width }),
  );
  const autoPages = input.format === "pdf" && input.autoHeight ? makeAutoPages(sections, rules, input) : null;
  const { targets, warnings } = collectReferences(input, rules);
  if (removeHyphens) await atPrintWidth(input, rules, async () => removeHyphens());
  const isPdf = input.format === "pdf";
  const deadLinks = isPdf ? findDeadLinks(usedAttributes().pages.map(({ name }) => name)) : [];
  const hints = [...laidOut.hints, ...markedOverflows(deadLinks.slice(0, maxOfKind), [], "colophon-dead-link")];
  const [title] = findAll(headElement(), "title");
  if (title) title.textContent = input.preparedTitle;
  const styles = laidOut.sideBreaks.length > 0 ? pageStyles(rules, currentMargins()) : null;
  const boxHeights = boxes.map((box) => box.getBoundingClientRect().height);
  // Nothing is measured afterwards, because the marks are languages.
  const elements = input.isAccessible ? markElements() : null;
  return {
    ...laidOut,
    pageStyles: styles,
    autoPages,
    boxHeights,
    ...(elements && { elements }),
    targets,
    hints,
    warnings: [...laidOut.warnings, ...warnings],
  };
}

type LayoutInput = { files: InlinedFile[]; content: ParsedContent; rules: CSSRule[]; width: number };

/**
 * Adds the headers and footers, waits for fonts and images, and measures the document. `boxes` are an image's pages, and
 * `sections` the pages of a document with automatic height.
 */
async function layOut(input: PrepareInput, { files, content, rules, width }: LayoutInput) {
  const isPdf = input.format === "pdf";
  if (input.autoHeight) takeInStrayNodes();
  if (isPdf || input.autoHeight) trimPageEnds();
  const metadata = describeDocument(input.limits.maxTaggedElements, input.valueNames);
  const hyphenated = hyphenate(input.hyphenation);
  // From here on, headers and footers are treated like the rest of the document.
  const margins = attachMargins(await resolvedMargins(input.marginContents, files));
  if (margins.hosts.length > 0) mapFamilies(margins.hosts.map(({ host }) => host));
  const linkWarnings = removeUnsafeLinks([document], content.animatedLinks + margins.animatedLinks);
  const marginLinks = margins.hosts.flatMap(({ host }) => innerFragments(host));
  keepRootFamily();
  const loaded = await loadFontsAndImages(input, rules, margins.hosts);
  const sections = input.autoHeight ? tidyPageFiles() : [];
  const hasMargins = isPdf && (await measureMargins(margins.hosts, input, rules));
  const hasPages = isPdf && !input.autoHeight;
  const filled = fillPages(hasPages ? () => pageHeights(input, rules) : null);
  const boxes = isPdf ? [] : pageBoxes();
  const areas = isPdf ? { width, narrow: input.autoHeight ? [] : narrowAreas(input, rules) } : null;
  const fitted = fitTexts(areas?.narrow ?? []);
  // All are found before the first is marked, because after a mark the browser lays out the document again.
  const styled = styledElements();
  const clipping = clippingBoxes(styled, boxes);
  const isNew = ({ element }: FoundOverflow) => fitted.tooSmall.every((each) => each.element !== element);
  const foundOverflows = [...fitted.tooSmall, ...findOverflow(areas, clipping, styled).filter(isNew)];
  foundOverflows.push(...filled.leaving);
  const heightOf = hasPages ? pageHeights(input, rules, styled) : null;
  if (heightOf) foundOverflows.push(...findTallBoxes({ styled, clipping }, heightOf));
  const foundBreaks = heightOf ? findSideBreaks(styled) : [];
  const print = areas && heightOf && { rules, areas, heightOf, found: foundOverflows };
  const foundHints = [...filled.hints, ...findHints(input, { clipping, styled, print })].filter(isNew);
  const removeHyphens = () => removeIdleHyphens(hyphenated.texts, areas?.narrow ?? []);
  // Page numbers change the lines, so their estimates are inserted first.
  const hasNumbers = usedAttributes().pages.length > 0;
  // Nothing is measured afterwards, so a document without marks is laid out only once more, for the print.
  if (isPdf && !hasNumbers) removeHyphens();
  const overflows = markedOverflows(foundOverflows.slice(0, maxOverflows), boxes);
  const sideBreaks = markSideBreaks(foundBreaks);
  const groups = heightOf ? dividedGroups(styled, heightOf, unnamedWidths(input, rules)) : [];
  const hints = [...markedOverflows(foundHints, boxes, "colophon-hint"), ...groups];
  filled.finish();
  linkWarnings.push(...deadMarginLinks(marginLinks), ...fitted.warnings);
  const untagged = metadata.untagged === null ? [] : [metadata.untagged];
  const warnings = [untagged, loaded, hyphenated, linkWarnings, content, margins].flatMap(warningsIn);
  return {
    ...loaded,
    metadata,
    hasMargins,
    sideBreaks,
    overflows,
    hints,
    warnings,
    boxes,
    sections,
    removeHyphens: isPdf && hasNumbers ? removeHyphens : null,
  };
}

/** Checks the document's cost before waiting, because the browser may paint or print while this function waits. */
async function loadFontsAndImages(input: PrepareInput, rules: CSSRule[], hosts: readonly MarginHost[]) {
  const isPdf = input.format === "pdf";
  const body = bodyElement();
  const effectMegapixels = isPdf ? 0 : checkCaptureCost(rules);
  const checkCost = () => {
    checkNestedEffects();
    if (isPdf) checkPrintCost(input, rules);
  };
  void body.offsetHeight;
  checkCost();
  if (await loadFonts(body)) checkCost();
  const glyphWarnings = await findMissingGlyphs([body, ...hosts.map(({ host }) => host)], documentFonts());
  const imageWarnings = await prepareImages([document], rules, input);
  return { effectMegapixels, warnings: [...glyphWarnings, ...imageWarnings] };
}

const maxOverflows = 5;

function warningsIn(part: string[] | { warnings: string[] }): string[] {
  return "warnings" in part ? part.warnings : part;
}

/** Returns the document's files. Loads the template's styles with their files, unless they are already loaded. */
async function loadFiles({ css, files, styleFiles, commonHeadElements }: PrepareInput): Promise<InlinedFile[]> {
  const received = takeFiles([...files, ...styleFiles]);
  const documentFiles = received.slice(0, files.length);
  keepDocumentFiles(documentFiles);
  const style = headElement().children[commonHeadElements - 1];
  if (css && style) style.textContent = await resolveUpright(css, received.slice(files.length));
  return documentFiles;
}

/**
 * Replaces everything except the head elements that the document shares with the previous one, so that the browser need not parse their
 * styles and decode their fonts again. Nothing else of the previous document remains.
 */
async function insertContent(
  { content, commonHeadElements }: PrepareInput,
  files: InlinedFile[],
): Promise<ParsedContent> {
  const [root, head] = [rootElement(), headElement()];
  const parsedContent = parseContent(`<!doctype html><html><head>${await resolveUpright(content, files)}`);
  const { parsed } = parsedContent;
  checkMarkupCost(parsed);
  for (const element of [...head.children].slice(commonHeadElements)) element.remove();
  head.append(...parsed.head.childNodes);
  replaceAttributes(root, parsed.documentElement);
  while (head.nextSibling) head.nextSibling.remove();
  markBodyPage(parsed.body);
  root.append(parsed.body);
  return parsedContent;
}

/**
 * Waits for the fonts that the layout needs. Returns whether there were any. Chromium keeps the old baseline of a `select`, so its
 * box is recreated.
 */
async function loadFonts(body: HTMLElement): Promise<boolean> {
  if (documentFonts().status !== "loading") return false;
  // If a font lacks a glyph, the browser loads the next one.
  do await documentFonts().ready;
  while (documentFonts().status === "loading");
  const restores = findInDocument("select").map((select) => setStyle(select, { display: "none" }));
  if (restores.length > 0) void body.offsetHeight;
  for (const restore of restores) restore();
  return true;
}

/** The direction of the last language. Determining it takes longer than parsing a short document. */
let known = { language: "und", isRightToLeft: false };

/**
 * The `lang` attribute was loaded together with the head and stays. The previous content set all other attributes, except `dir`
 * if it follows from the language, which is set again unless the content sets it.
 */
function replaceAttributes(root: Element, parsed: Element): void {
  const language = attributeOf(root, "lang") ?? "und";
  for (const { name } of Array.from(root.attributes)) if (name !== "lang") root.removeAttribute(name);
  if (known.language !== language) known = { language, isRightToLeft: isRightToLeft(language) };
  if (known.isRightToLeft) root.setAttribute("dir", "rtl");
  for (const { name, value } of parsed.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
}
