import { env } from "cloudflare:workers";
import { afterAll, expect, it } from "vitest";
import type { DocumentFormat } from "colophon-page/document-format";
import { bombs, times } from "../fixtures/bombs.ts";
import { job, testPool } from "../fixtures/pool.ts";

const pool = testPool(env.BROWSER);
afterAll(() => pool.closeIfIdle(0));

const words = (count: number) => times(count, "<i>word</i> ");
/** A document of 499 pages. */
const pages = times(499, `<p style="break-after:page">x</p>`);
const rows = times(450, "<tr><td style=height:700px>x");

const refused: [string, string | undefined, RegExp, DocumentFormat?][] = [
  [
    "a table head of 600 words on 450 pages",
    `<style>th{font-size:7px}</style><table><thead><tr><th>${words(600)}</thead>${rows}</table>`,
    /Table headers/,
  ],
  [
    "a head of a table made of boxes",
    `<style>i{display:table-header-group}</style><div style="display:table"><i>${words(900)}</i><p style="height:300000px">x</p></div>`,
    /Table headers/,
  ],
  ["a fixed box of words", `<div style="position:fixed">${words(900)}</div>${times(9_000, "<p>x</p>")}`, /fixed boxes/],
  ["a box 33 million pixels high", bombs["a box 33 million pixels high"], /more than 500 pages/],
  ["SVG elements that draw each other", bombs["svg that uses itself by the billion"], /refer to each other/, "png"],
  [
    "SVG masks in masks",
    `<svg>${times(14, (i) => `<mask id=m${i}>${times(4, `<rect ${i ? `mask="url(#m${i - 1})"` : ""}/>`)}</mask>`)}<rect style="mask:url(#m13)"/></svg>`,
    /refer to each other/,
    "png",
  ],
  ["layers in layers", times(200, `<div style="opacity:.99">`) + pages, /More than 30 elements with effects/],
];

it.each(refused)(
  "the document is refused with a reason, and the session is kept: %s",
  async (_, markup = "", reason, format = "pdf") => {
    const startedMs = Date.now();

    const outcome = await pool.render(job(markup, { format }));

    expect(outcome).toEqual({ status: "impossible", message: expect.stringMatching(reason) as string });
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    expect(await pool.render(job("<p>x</p>"))).toMatchObject({ status: "rendered" });
    expect(pool.logged).toEqual([]);
  },
);

const accepted: [string, string][] = [
  [
    "a table of 5,000 rows with a head of 12 cells",
    `<table><thead><tr>${times(12, "<th>Head")}</thead><tbody>${times(5_000, `<tr>${times(4, "<td>x")}`)}</table>`,
  ],
  [
    "a letterhead with a drawing on each of 60 pages",
    `<div style="position:fixed;top:0"><svg width="90" height="30">${times(300, `<rect width="9" height="9"/>`)}</svg></div>${times(59, `<p style="break-after:page">x</p>`)}`,
  ],
  [
    "2,000 icons that share a symbol",
    `<svg width="0" height="0"><symbol id="i"><path d="M0 0h9"/><path d="M9 9h9"/></symbol></svg>${times(2_000, `<svg width="9" height="9"><use href="#i"/></svg>`)}`,
  ],
  [
    "cards with shadows, filters and masks",
    times(
      20,
      `<div style="opacity:.9"><div style="filter:blur(1px);box-shadow:0 0 9px red"><p style="mask:linear-gradient(red,#0008);mix-blend-mode:multiply">x</p></div></div>`,
    ),
  ],
  ["40 boxes inside each other", times(40, "<div>") + times(300, "<p>x</p>")],
  ["a drawing that refers to itself", `<svg><g id="a"><use href="#a"/><rect width="9" height="9"/></g></svg>`],
  [
    "a field called parentElement",
    `<form><input name="parentElement"><input name="children">${times(31, "<b>")}x</form>`,
  ],
  ["20,000 page breaks at empty boxes", `${times(20_000, `<p style="margin:0;break-after:page">`)}x`],
  ["100,000 words that should start a right page", times(100_000, `<i style="break-before:right"></i>`)],
];

it.each(accepted)("the document is rendered in a few seconds: %s", async (_, markup) => {
  const startedMs = Date.now();

  expect(await pool.render(job(markup))).toMatchObject({ status: "rendered" });

  expect(Date.now() - startedMs).toBeLessThan(10_000);
});

it("all pages of a document are printed if its page breaks make it far longer than its layout", async () => {
  expect(await pool.render(job(times(19, `<p style="break-after:page">x</p>`)))).toMatchObject({ pageCount: 19 });
  expect(await pool.render(job(times(20, `<p style="break-after:page">x</p>`)))).toMatchObject({ pageCount: 20 });
  expect(await pool.render(job(pages))).toMatchObject({ pageCount: 499 });
});
