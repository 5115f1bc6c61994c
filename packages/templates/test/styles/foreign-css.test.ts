import { expect, it } from "vitest";
import { find, properties, selectors, supportProblem } from "../../src/styles/browser-support.ts";
import { findForeign, foreignCss } from "../../src/styles/foreign-css.ts";
import { styleWarnings } from "../../src/styles/style-warnings.ts";

function messagesOf(css: string) {
  const found = styleWarnings({ sheets: [{ file: "style.css", css }], pages: [], header: null, footer: null });
  return found.map(({ message }) => message);
}

const plain = foreignCss.flatMap(({ kind, names }) => {
  return names.filter((name) => !name.includes("*")).map((name) => ({ kind, name }));
});

it("the table of foreign CSS has no property or selector that every Chromium supports", () => {
  const features = { property: properties, selector: selectors };
  const supported = plain.filter(({ kind, name }) => {
    const feature =
      kind in features ? find(features[kind as keyof typeof features], name.replace("::", "")) : undefined;
    return feature && supportProblem(feature, "") === null;
  });

  expect(supported).toEqual([]);
});

it("each name in the table of foreign CSS has one row", () => {
  expect(plain.filter(({ kind, name }) => !findForeign(kind, name)?.names.includes(name))).toEqual([]);
  expect(new Set(plain.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(plain.length);
});

it.each([
  // Prince
  ["a{prince-alt-text:'x'}", "the attribute `alt`"],
  ["a{prince-hyphens:auto}", "write `hyphens`"],
  ["a{-prince-text-align-last:left}", "write `text-align-last`"],
  ["a{prince-shrink-to-fit:auto}", "`data-fit`"],
  ["a{prince-bookmark-level:1}", "headings automatically become bookmarks"],
  ["a{prince-page-group:start}", "`data-part`"],
  ["a{prince-tooltip:'x'}", "it is specific to Prince"],
  ["a{content:prince-script(x)}", "scripts do not run"],
  ["a{flow:static(x)}", "header.liquid"],
  ["@prince-pdf{prince-pdf-page-layout:single-page}", "`viewer` into template.json"],
  ["@page{prince-trim:3mm}", "there are no printer's marks"],
  ["@page{marks:crop cross}", "there are no printer's marks"],
  ["@page{bleed:3mm}", "there is no bleed"],
  // Antenna House
  ["a{-ah-text-align-last:left}", "write `text-align-last`"],
  ["a{-ah-writing-mode:vertical-rl}", "write `writing-mode`"],
  ["a{-ah-footnote-max-height:1cm}", "`Footnotes` in docs/cookbook.md"],
  ["a{-ah-alttext:'x'}", "the attribute `alt`"],
  ["@page{-ah-printer-marks:crop}", "there are no printer's marks"],
  ["a{float-reference:page}", "a box floats to the left or the right"],
  // PDFreactor
  ["a{-ro-border-radius:1px}", "write `border-radius`"],
  ["a{-ro-alt-text:'x'}", "the attribute `alt`"],
  ["a{-ro-author:'x'}", "`metadata`"],
  ["a{-ro-qrcode-quality:L}", "the filters `qr_code` and `barcode`"],
  ["a{-ro-pdf-bookmark-level:1}", "headings automatically become bookmarks"],
  ["a{content:-ro-counter-offset(page,1)}", "`{{ page.number | plus: 1 }}`"],
  ["@-ro-preferences{page-layout:1 column}", "`viewer` into template.json"],
  // WeasyPrint, and drafts of CSS
  ["a{-weasy-hyphens:auto}", "write `hyphens`"],
  ["a{anchor:attr(id)}", "the attribute `id`"],
  ["a{link:attr(href)}", "`<a href>`"],
  ["a{bookmark-label:content()}", "headings automatically become bookmarks"],
  ["a{string-set:x content()}", "`page.section` is the latest `h1`"],
  ["a{footnote-display:inline}", "`Footnotes` in docs/cookbook.md"],
  ["a{float:footnote}", "`Footnotes` in docs/cookbook.md"],
  ["a::footnote-call{color:red}", "`Footnotes` in docs/cookbook.md"],
  ["a::footnote-marker{color:red}", "`Footnotes` in docs/cookbook.md"],
  ["@page{@footnote{border-top:1px solid}}", "`Footnotes` in docs/cookbook.md"],
  ["a{position:running(x)}", "header.liquid"],
  ["a{content:element(x)}", "header.liquid"],
  ["a{page-policy:first}", "`page.values.NAME.first`"],
  ["a{float:top}", "a box floats to the left or the right"],
  ["a{float:inside}", "`@page :left`"],
  ["a{margin-inside:1cm}", "`@page :left`"],
  ["a{column-span:2}", "`all` columns or `none`"],
  ["a{color:device-cmyk(0 1 1 0)}", "write `rgb()`"],
  ["a{background:linear-gradient(device-cmyk(0 1 1 0),red)}", "write `rgb()`"],
  ["a{border:1px solid cmyk(0,1,1,0)}", "write `rgb()`"],
  // paged.js
  ["a{--pagedjs-width:1cm}", "paged.js does not run"],
  [".pagedjs_page{color:red}", "paged.js does not run"],
  ["h1 + p, .a .pagedjs_margin-content > b{color:red}", "paged.js does not run"],
  // Flying Saucer, xhtml2pdf, mPDF, dompdf, Word
  ["a{-fs-text-decoration:none}", "write `text-decoration`"],
  ["@page{sheet-size:A4}", "write `size`"],
  ["@page{odd-footer-name:html_x}", "footer.liquid"],
  ["a{resetpagenum:1}", "`data-part`"],
  ["a{-dompdf-image-resolution:300dpi}", "it is specific to dompdf"],
  ["a{mso-line-height-rule:exactly}", "it is specific to Microsoft Office"],
  [
    "@font-face{font-family:A;src:url(a.eot?#iefix) format('embedded-opentype'),url(a.svg#a) format('svg')}",
    "a WOFF2 file",
  ],
  ["@font-face{font-family:A;src:url(a.eot);src:url('a.eot?#iefix') format('embedded-opentype')}", "a WOFF2 file"],
  ["@page{counter-increment:page 2}", "`{{ page.partNumber }}`"],
  ["@page :first{counter-reset:page 4}", "the class `pageNumber` and `{{ page.number }}`"],
])("the warning about the foreign CSS %j says what to write instead", (css, part) => {
  expect(messagesOf(css)).toEqual([expect.stringContaining(part)]);
});

it.each([
  "a{-ah-text-align-last:left;text-align-last:left}",
  "a{hyphens:auto;prince-hyphens:auto;-ro-hyphens:auto;-weasy-hyphens:auto}",
  "a{float:left;column-span:all;color:red;--prince:1;--pagedj:2}",
  ".pagedjs,.my-pagedjs_page{color:red}",
  "a::marker{color:red}a::before{content:'prince-tooltip device-cmyk(0 0 0 1) ::footnote-call'}",
  "a{counter-increment:page 2;counter-reset:page;counter-set:page 3}",
  "a{anchor-name:--a;float:inline-start;flex-flow:row;marker-end:none;break-after:right}",
  "a{color:device-cmyk(0 1 1 0);color:red}",
  "@supports (float:footnote){a{float:footnote}} @supports (color:device-cmyk(0 0 0 1)){a{color:device-cmyk(0 0 0 1)}}",
  "a{overflow-anchor:none;text-decoration:none;page:chapter}",
  "@font-face{font-family:A;src:url(a.eot);src:url('a.eot?#iefix') format('embedded-opentype'),url(a.woff2)}",
  "@counter-style footnote{system:cyclic;symbols:'*'}",
])("the CSS %j is not foreign", (css) => {
  expect(messagesOf(css)).toEqual([]);
});
