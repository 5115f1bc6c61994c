// Marks the elements about which the page knows more than the tags that Chromium writes, for a PDF that conforms to a standard for tags.
import { maxProblems } from "colophon-pdf-conformance/problem";
import { generatedParts, markedLanguage, type MarkedElement, type MarkKind } from "colophon-pdf-conformance/tag-marks";
import { destinationMarker } from "./describe-document.ts";
import {
  attributeOf,
  bodyElement,
  boxOf,
  checkVisibility,
  childrenOf,
  displayOf,
  findAll,
  isLaidOut,
  outermostForeign,
  parentOf,
  removeAttribute,
  setAttribute,
  setStyle,
  textOf,
} from "./dom.ts";
import { generatedContent, generatingElements } from "./generated-content.ts";
import { findFlattenedText } from "./hints/flattened-text.ts";
import { isVector } from "./images/decode-images.ts";
import { transparentPixel } from "./images/prepare-images.ts";
import { markTexts } from "./mark-texts.ts";
import { fullNameOf, holdsText } from "./overflow/hidden-content.ts";
import { usedAttributes } from "./references/page-numbers.ts";
import { documentRules, styledElements, styleRules } from "./style-rules.ts";

const maxBeginningChars = 40;

/**
 * By kind, the elements that have it. Programs that read aloud skip hidden elements and pictures with an empty description, so these have
 * no mark.
 */
const selectors: [MarkKind, string][] = [
  ["link", "a[*|href]"],
  ["figure", 'img:not([alt=""]), svg, [role="img"], canvas, math, input[type="image"]'],
  ["heading", 'h1, h2, h3, h4, h5, h6, [role="heading"]'],
  ["field", "select"],
  [
    "control",
    'progress, meter, input:is([type="range" i], [type="color" i], [type="file" i], [type="checkbox" i], [type="radio" i])',
  ],
  ["caption", "caption, figcaption"],
  ["list", "ol, ul, menu"],
  ["terms", "dl"],
  ["term", "dt"],
  ["definition", "dd"],
];

/** Returns the marked elements. The index of each is in the language of its element, so the elements must have their final languages. */
export function markElements(): MarkedElement[] {
  for (const drawing of findAll(bodyElement(), '[role="img"] svg')) describeDrawing(drawing);
  changeRoles();
  // The text of a placeholder is not tagged, but the label of its field is.
  for (const field of findAll(bodyElement(), ":placeholder-shown:not([aria-label])"))
    setAttribute(field, "aria-label", attributeOf(field, "placeholder") ?? "");
  const found = new Map<Element, MarkedElement>();
  const body = bodyElement();
  const add = (element: Element, mark: Partial<MarkedElement>) =>
    found.set(element, { kind: "other", name: "", text: "", isRepeated: false, ...found.get(element), ...mark });
  for (const [kind, selector] of selectors) {
    for (const element of findAll(body, selector)) {
      if (!isRead(element) || (kind === "figure" && isInsideFigure(element))) continue;
      const isNamed = /^(?:figure|heading|field|control)$/.test(kind);
      const name = isNamed ? `${fullNameOf(element)}${kind === "heading" ? beginning(element) : ""}` : "";
      add(element, { kind, name, text: markTexts[kind]?.(element) ?? "" });
    }
  }
  for (const [element, before, after] of generatedTexts()) {
    if (!before && !after) continue;
    add(element, { before, after });
    // Chromium tags a division or a part of a line only if it has an id.
    if (attributeOf(element, "id") === null) setAttribute(element, "id", `colophon-generated-${found.size}`);
  }
  for (const cell of findAll(body, '[rowspan="0"]')) writeSpan(cell);
  for (const row of findAll(body, "tr")) markCells(row, add);
  for (const header of findAll(body, 'th[scope="rowgroup" i]')) {
    const [row = header, ...after] = rowsFrom(header);
    if (isRead(row)) add(header, { rowsAfter: after.filter(hasText).length });
  }
  for (const part of findAll(body, "thead, tfoot").filter(isLaidOut)) {
    const kind = { "table-header-group": "head", "table-footer-group": "foot" }[displayOf(part)];
    if (kind) for (const row of childrenOf(part)) add(row, { kind: kind as MarkKind, isRepeated: true });
  }
  for (const element of findAll(body, "*"))
    if (getComputedStyle(element).position === "fixed") add(element, { isRepeated: true });
  for (const element of combinedTexts())
    add(element, { kind: "flattened", name: fullNameOf(element), text: "`text-combine-upright`" });
  for (const { element, effect } of findFlattenedText(styledElements()))
    if (isRead(element) && !closest(element, 'svg, math, [role="img"]'))
      add(element, { kind: "flattened", name: fullNameOf(element), text: effect });
  const drawings = [...found].filter(
    ([element, { kind, text }]) => kind === "figure" && text !== "" && isDrawing(element),
  );
  for (const [drawing] of drawings) setStyle(drawing, pixelBackground);
  const languages = Array.from(found.keys(), languageOf);
  for (const [index, element] of [...found.keys()].entries())
    setAttribute(element, "lang", markedLanguage(languages[index] ?? "", index));
  const untaggable = [...found].filter(
    ([, { kind, text }]) => /^(?:field|flattened|control)$/.test(kind) || (kind === "figure" && text === ""),
  );
  const destination = destinationMarker("colophon-untagged");
  for (const [element, mark] of untaggable.slice(0, maxProblems)) mark.place = destination(outermostForeign(element));
  return [...found.values()];
}

const combines = (style: CSSStyleDeclaration) => style.getPropertyValue("text-combine-upright") !== "";

/** Returns the elements with text that is set upright in a vertical line, and is not read, because Chromium does not tag it. */
function combinedTexts(): Element[] {
  if (styledElements()(combines, /text-combine/i).length === 0) return [];
  return findAll(bodyElement(), "*").filter((element) => {
    const { textCombineUpright, writingMode } = getComputedStyle(element);
    return textCombineUpright === "all" && writingMode.startsWith("vertical") && holdsText(element) && isRead(element);
  });
}

/** Chromium tags a link as a link only without a different role, and reads the description of a formula only if it is a picture. */
function changeRoles(): void {
  if (styleRules(documentRules()).some(({ selector }) => selector.includes("[role"))) return;
  const links = findAll(bodyElement(), "a[*|href][role]:not([role=presentation i], [role=none i])");
  for (const link of links) removeAttribute(link, "role");
  const formulas = findAll(bodyElement(), '[role="math" i][aria-label]:not(math, [aria-label=""])');
  for (const formula of formulas) setAttribute(formula, "role", "img");
}

/** Returns the first words of a heading, because several headings may have the same name. */
function beginning(heading: Element): string {
  const text = (textOf(heading) ?? "").replace(/[\s\u00ad]+/g, " ").trim();
  const words = text.length > maxBeginningChars ? `${text.slice(0, maxBeginningChars)}…` : text;
  return text === "" ? "" : ` (“${words.toWellFormed()}”)`;
}

/** Writes the number of rows that a cell spans to the end of its group, because Chromium writes no span for 0. */
function writeSpan(cell: Element): void {
  setAttribute(cell, "rowspan", String(rowsFrom(cell).length));
}

/** Returns the row of a cell and the rows that follow in its group. */
function rowsFrom(cell: Element): Element[] {
  const row = parentOf(cell);
  const rows = row ? childrenOf(parentOf(row) ?? row) : [];
  return row ? rows.slice(rows.indexOf(row)) : [];
}

/** Returns elements with the texts before and after them. Page numbers and leaders are known only after a print. */
function generatedTexts(): (readonly [element: Element, before: string, after: string])[] {
  const { pages, leaders } = usedAttributes();
  const replaced = [
    ...pages.map(({ name }) => ({ name, part: generatedParts.number })),
    ...leaders.map(({ name }) => ({ name, part: generatedParts.leader })),
  ].flatMap(({ name, part }) =>
    findAll(bodyElement(), `[${name}]`).map((element) => ({ element, name, part, value: attributeOf(element, name) })),
  );
  for (const { element, name, part } of replaced) setAttribute(element, name, part);
  const elements = generatingElements().filter(isRead);
  const textOf = generatedContent(elements, generatedParts.quote);
  const texts = elements.map((element) => [element, textOf(element, "::before"), textOf(element, "::after")] as const);
  for (const { element, name, value } of replaced) setAttribute(element, name, value ?? "");
  return texts;
}

/** Marks each cell that follows a cell without text. */
function markCells(row: Element, add: (cell: Element, mark: Partial<MarkedElement>) => void): void {
  if (childrenOf(row).every(hasText)) return;
  const cells = childrenOf(row).filter(
    (cell): cell is HTMLTableCellElement => cell instanceof HTMLTableCellElement && isLaidOut(cell),
  );
  const spans = cells.map((cell) => ({ columns: cell.colSpan, rows: cell.rowSpan }));
  let isEmptyBefore = false;
  for (const [index, cell] of cells.entries()) {
    if (isEmptyBefore && hasText(cell)) add(cell, { kind: "cell", cellsBefore: spans.slice(0, index) });
    isEmptyBefore = !hasText(cell);
  }
}

function hasText(element: Element): boolean {
  return textOf(element).trim() !== "";
}

/** Chromium tags a drawing only if it has the description itself, such as a barcode in a `div` that has it. */
function describeDrawing(drawing: Element): void {
  const outer = closest(drawing, ':not(svg)[role="img"]');
  const label = outer && attributeOf(outer, "aria-label");
  if (!outer || !label || findAll(outer, "*").some((inner) => parentOf(inner) === outer && inner !== drawing)) return;
  setAttribute(outer, "role", "none");
  setAttribute(drawing, "role", "img");
  setAttribute(drawing, "aria-label", label);
}

/**
 * Chromium 127 tags texts and images, but no lines and areas, and later versions say that an image is only where its texts are. So a drawing
 * gets an invisible image, which is as large as the drawing.
 */
const pixelBackground = {
  "background-image": `url(${transparentPixel})`,
  "background-origin": "border-box",
  "background-position": "0 0",
  "background-repeat": "no-repeat",
  "background-size": "100% 100%",
};

function isDrawing(figure: Element): boolean {
  const isPhoto = figure instanceof HTMLImageElement && !isVector(figure.currentSrc);
  return !isPhoto && getComputedStyle(figure).backgroundImage === "none";
}

function isRead(element: Element): boolean {
  const { width, height } = boxOf(element);
  const isPresentation = /^(?:presentation|none)$/.test(attributeOf(element, "role") ?? "");
  const isVisible = width * height > 0 && checkVisibility(element, { visibilityProperty: true });
  return isVisible && !isPresentation && !closest(element, '[aria-hidden="true"]');
}

function isInsideFigure(element: Element): boolean {
  const parent = parentOf(element);
  return parent !== null && closest(parent, 'svg, math, [role="img"]') !== null;
}

function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

function languageOf(element: Element): string {
  const owner = closest(element, "[lang]");
  return owner ? (attributeOf(owner, "lang") ?? "") : "";
}
