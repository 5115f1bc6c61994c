// The CSS of other print engines, with what a template writes instead. A push names these words, and the documentation lists them.
import { quoted } from "colophon-base/text";

/** The kind of a name: a property, one of `@page`, a `property: value`, a function, a selector, an at-rule, or a class in HTML. */
export type ForeignKind = "property" | "page" | "value" | "function" | "selector" | "at-rule" | "class";

/**
 * A name may end in `*` for any end. `instead` completes the sentence "Chromium does not support …;". Null stands for the property
 * without its prefix if Chromium supports that, and otherwise for nothing.
 */
export type ForeignCss = { kind: ForeignKind; engines: string; names: string[]; instead: string | null };

const footnotes = "for footnotes, see the recipe `Footnotes` in docs/cookbook.md";
const titles =
  "put running titles into header.liquid or footer.liquid, where `page.section` is the latest `h1`, and `page.values` others";
const margins = "put its content into header.liquid or footer.liquid";
const pageValues = "headers and footers read `page.values.NAME.first`, `.last` and `.start`";
const number = 'write `<span class="pageNumber"></span>` or `{{ page.number }}`';
const total = 'write `<span class="totalPages"></span>` or `{{ page.total }}`';
const numbers =
  "headers and footers print the class `pageNumber` and `{{ page.number }}`, " +
  "or `{{ page.partNumber }}`, which counts from an element with `data-part`";
const headings = "headings automatically become bookmarks";
const noMarks = "there are no printer's marks";
const noBleed = "there is no bleed; make the `size` of the page larger";
const onlySides = "a box floats to the left or the right of its lines";
const noInside = "there are no inner and outer sides; `@page :left` and `@page :right` can have different margins";
const metadata = "the PDF has the `<title>` and the language of the document, and requests can add `metadata`";
const part = "write the attribute `data-part`";
const fit = "write `data-fit`, which makes text smaller until it fits";
const rgb = "documents have RGB colors; write `rgb()`";
const onlyPage =
  "the only counter is `page`, or `part-page` within a part; write other numbers and titles in Liquid, as the text of the link";
const inStyles = "and only in `content` in style.css";

const printEngines = "Prince, Antenna House, PDFreactor, WeasyPrint, paged.js";
const bigEngines = "Prince, Antenna House, PDFreactor";

type Row = [kind: ForeignKind, engines: string, names: string, instead: string | null];

/** An earlier row overrides a later one. */
const rows: Row[] = [
  ["property", printEngines, "string-set, prince-string-set", titles],
  ["property", printEngines, "bookmark-*, prince-bookmark-*, -weasy-bookmark-*, -ro-bookmark*", headings],
  ["property", bigEngines, "-ro-pdf-bookmark*, -ah-bookmark-*, -ah-outline-*, -pdf-outline*", headings],
  ["property", printEngines, "footnote-*, prince-footnote-*, -ah-footnote-*, -ro-footnote-*", footnotes],
  ["property", printEngines, "page-policy", pageValues],
  ["property", printEngines, "flow, prince-flow", titles],
  ["property", printEngines, "link, prince-link, -ah-link, -ro-link, -weasy-link", "write `<a href>`"],
  ["property", printEngines, "anchor, prince-anchor, -ro-anchor, -weasy-anchor", "write the attribute `id`"],
  ["property", bigEngines, "float-reference, float-offset, float-defer, prince-float-*, -ah-float-*", onlySides],
  ["property", bigEngines, "margin-inside, margin-outside, padding-inside, padding-outside", noInside],
  ["property", bigEngines, "hyphenate-before, hyphenate-after", "write `hyphenate-limit-chars`"],
  ["property", bigEngines, "prince-alt-text, -ro-alt-text, -ah-alttext", "write the attribute `alt`"],
  ["property", bigEngines, "prince-pdf-tag-type, -ro-pdf-tag-type, -ah-pdftag*", "write the HTML element"],
  ["property", bigEngines, "prince-lang, -ro-lang, -ah-lang, -weasy-lang", "write the attribute `lang`"],
  ["property", bigEngines, "prince-shrink-to-fit, -ro-scale-content, -ah-overflow-condense*", fit],
  ["property", bigEngines, "prince-pdf-page-label, prince-page-group, -ro-page-group, -ah-page-group", part],
  ["property", bigEngines, "marks, prince-mark*, prince-trim, -ro-marks, -ah-printer-marks*, -ah-crop*", noMarks],
  ["property", bigEngines, "bleed, prince-bleed*, -ro-bleed*, -ah-bleed*, -ro-crop-size", noBleed],
  ["property", bigEngines, "-ro-author, -ro-title, -ro-subject, -ro-keywords, prince-pdf-xmp", metadata],
  ["property", bigEngines, "-ro-barcode-*, -ro-qrcode-*, -ah-barcode-*", "write the filters `qr_code` and `barcode`"],
  ["property", "Prince", "prince-rotate-body", "write `page-orientation` in `@page`"],
  ["property", "mPDF", "sheet-size", "write `size`"],
  ["property", "mPDF", "header, odd-header-name, even-header-name, footer, odd-footer-name, even-footer-name", margins],
  ["property", "mPDF", "margin-header, margin-footer", "write a `padding` for `.page-header` and `.page-footer`"],
  ["property", "mPDF", "resetpagenum, pagenumstyle", part],
  ["property", "mPDF", "background-image-resize, background-image-resolution", "write `background-size`"],
  ["property", "paged.js", "--pagedjs-*", "paged.js does not run; write `@page` and template.json"],
  ["property", "Antenna House", "-ah-*", null],
  ["property", "PDFreactor", "-ro-*", null],
  ["property", "Prince", "prince-*, -prince-*", null],
  ["property", "WeasyPrint", "-weasy-*", null],
  ["property", "Flying Saucer", "-fs-*", null],
  ["property", "xhtml2pdf", "-pdf-*, pdf-*, -xhtml2pdf-*", null],
  ["property", "dompdf", "-dompdf-*", null],
  ["property", "Microsoft Office", "mso-*, -mso-*", null],
  ["page", printEngines, "counter-increment, counter-reset, counter-set", numbers],
  ["value", printEngines, "float: *footnote", footnotes],
  ["value", bigEngines, "float: inside, float: outside", noInside],
  ["value", bigEngines, "float: top, float: bottom, float: page, float: column, float: snap", onlySides],
  ["value", bigEngines, "column-span: *", "a box spans `all` columns or `none`"],
  ["function", printEngines, "running, element, string, flow", titles],
  ["function", printEngines, "target-text, target-content, target-counters", onlyPage],
  ["function", printEngines, "target-counter", `write \`target-counter(attr(href), page)\`, ${inStyles}`],
  ["function", printEngines, "counter(page)", number],
  ["function", printEngines, "counter(pages)", total],
  ["function", printEngines, "leader", `write \`leader(dotted)\` or another single pattern, ${inStyles}`],
  ["function", printEngines, "device-cmyk, cmyk, prince-color, -ro-spot, -ro-separation, -ah-color", rgb],
  ["function", "Prince, PDFreactor", "prince-script, -ro-script", "scripts do not run; calculate in Liquid"],
  ["function", "PDFreactor", "-ro-counter-offset", "write `{{ page.number | plus: 1 }}` in header.liquid"],
  ["selector", printEngines, "::footnote-call, ::footnote-marker, ::footnote-area", footnotes],
  ["selector", "paged.js", ".pagedjs_*", "paged.js does not run; write `.page`, `.page-header` and `.page-footer`"],
  ["at-rule", printEngines, "footnote, footnotes, footnote-area", footnotes],
  ["at-rule", "Prince, PDFreactor", "prince-pdf, -ro-preferences", "write `viewer` into template.json"],
  ["class", "wkhtmltopdf", "page, sitepage", number],
  ["class", "wkhtmltopdf", "topage, sitepages", total],
  ["class", "wkhtmltopdf", "frompage", "write `1`"],
  ["class", "wkhtmltopdf", "section, subsection", "write `{{ page.section }}`, which is the latest `h1`"],
  ["class", "wkhtmltopdf, Chromium", "date, isodate, time", 'write a field, such as `{{ issued | date: "long" }}`'],
  ["class", "wkhtmltopdf, Chromium", "title, doctitle, url, webpage", "write the text itself, or a field"],
];

export const foreignCss: readonly ForeignCss[] = rows.map(([kind, engines, names, instead]) => {
  return { kind, engines, names: names.split(", "), instead };
});

const patterns = Map.groupBy(
  foreignCss.map((row) => {
    const names = row.names.map((name) => name.replace(/[.()]/g, "\\$&").replaceAll("*", ".*"));
    return { row, pattern: new RegExp(`^(?:${names.join("|")})$`) };
  }),
  ({ row }) => row.kind,
);

/** Returns the first row with the name, which must be in lower case. */
export function findForeign(kind: ForeignKind, name: string): ForeignCss | undefined {
  return patterns.get(kind)?.find(({ pattern }) => pattern.test(name))?.row;
}

/** Returns a message about the name; null if no row has it. `shown` is its form in the message. */
export function foreignMessage(kind: ForeignKind, name: string, shown = quoted(name)): string | null {
  const foreign = findForeign(kind, name);
  return foreign ? `Chromium does not support ${shown}; ${foreign.instead}` : null;
}
