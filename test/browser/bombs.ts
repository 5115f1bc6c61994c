// Markup, each within the 2 MB that a document may have, that asks a browser for far more work or memory than it looks.

const times = (count: number, part: string) => part.repeat(count);
const box = (style: string, inner = "") => `<div style="${style}">${inner}</div>`;
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="900">${inner}</svg>`;

export const bombs: Record<string, string> = {
  "deep nesting": times(400_000, "<b>") + "x",
  "deeply nested tables": times(800, "<table><tr><td>") + "x",
  "deeply nested flex boxes": times(1_500, `<div style="display:flex;flex-wrap:wrap"><p>x</p>`),
  "deeply nested grids": times(1_500, `<div style="display:grid;grid-template:auto/auto 1fr"><p>x</p>`),
  "a million elements": times(480_000, "<p>x"),
  "a table of 150,000 cells": `<table>${times(3_000, `<tr>${times(50, "<td>x")}`)}</table>`,
  "rows and columns that span all": `<table>${times(2_000, `<tr>${times(20, `<td rowspan="9999" colspan="99">x`)}`)}</table>`,
  "floats that push each other": times(
    30_000,
    `<div style="float:left;width:37%;height:9px;shape-outside:circle()">x</div>`,
  ),
  "columns in columns": times(12, `<div style="columns:3;column-gap:0">`) + times(30_000, "x "),
  "a grid of millions of tracks": box(
    "display:grid;grid-template-columns:repeat(10000,1px);grid-template-rows:repeat(10000,1px)",
    `<p style="grid-area:1/1/9999/9999">x</p>`.repeat(500),
  ),
  "a page for each of 20,000 boxes": times(20_000, `<p style="break-after:page">x</p>`),
  "a box of 33 million pixels": box("height:33554431px;background:red", "x"),
  "a box wide as the world": box("width:33554431px;height:33554431px;background:conic-gradient(red,blue)", "x"),
  "a word without end": times(1_900_000, "x"),
  "text with a combining mark on each letter": times(300_000, "a\u0301\u0323"),
  "bidirectional text": times(150_000, "a\u202eb\u202c\u05d0"),
  "selectors over everything": `<style>${times(3_000, ":has(* ~ * + *) :not(:nth-last-child(7n + 3 of p)) p{color:red}")}</style>${times(20_000, "<p>x</p>")}`,
  "nth-child of a list": `<style>${times(200, "p:nth-last-child(2n+1 of :has(~ p ~ p)) {color:red}")}</style>${times(20_000, "<p>x</p>")}`,
  "variables that grow": `<style>:root{--v0:xxxxxxxxxx;${Array.from({ length: 40 }, (_, i) => `--v${i + 1}:var(--v${i})var(--v${i})`).join(";")}}p::before{content:"a" var(--v40)}</style><p>x</p>`,
  "counters nested in counters": `<style>i{counter-reset:c}i::before{content:counters(c,".........")}</style>${times(3_000, "<i>")}`,
  "shadows and blur": times(
    400,
    box("width:600px;height:600px;box-shadow:0 0 9999px 9999px red;filter:blur(500px);border-radius:99999px"),
  ),
  "filters on filters":
    times(200, `<div style="filter:blur(40px) drop-shadow(0 0 99px red)">`) +
    box("width:600px;height:600px;background:red"),
  "backdrop filters": times(500, box("position:absolute;inset:0;backdrop-filter:blur(99px)", "x")),
  "gradients by the thousand": times(
    50,
    box(
      `width:700px;height:900px;background:${Array.from({ length: 300 }, (_, i) => `conic-gradient(from ${i}deg,#f008,#00f8 ${i % 90}%,#0f08)`).join()}`,
    ),
  ),
  "mixed and masked layers":
    times(
      300,
      `<div style="mix-blend-mode:difference;mask:linear-gradient(red,#0000);opacity:.99;transform:rotate3d(1,1,1,9deg)">`,
    ) + box("height:900px;background:red"),
  "zoomed a billionfold": times(20, `<div style="zoom:99;transform:scale(1e9)">`) + "x",
  "animations without end": `<style>@keyframes k{to{transform:rotate(1turn);filter:blur(99px)}}p{animation:k .001s infinite}</style>${times(5_000, "<p>x</p>")}`,
  "svg that uses itself by the billion": svg(
    `<g id="u0"><rect width="9" height="9"/></g>${Array.from({ length: 12 }, (_, i) => `<g id="u${i + 1}">${times(10, `<use href="#u${i}"/>`)}</g>`).join("")}<use href="#u12"/>`,
  ),
  "svg patterns in patterns": svg(
    `${Array.from({ length: 9 }, (_, i) => `<pattern id="p${i}" width=".001" height=".001"><rect width="999" height="999" fill="${i === 0 ? "red" : `url(#p${i - 1})`}"/></pattern>`).join("")}<rect width="700" height="900" fill="url(#p8)"/>`,
  ),
  "svg turbulence": svg(
    `<filter id="f" x="0" y="0" width="1" height="1">${times(40, `<feTurbulence baseFrequency=".9" numOctaves="99"/><feGaussianBlur stdDeviation="99"/>`)}</filter>${times(20, `<rect width="700" height="900" filter="url(#f)"/>`)}`,
  ),
  "svg path of a million turns": svg(
    `<path stroke="red" stroke-dasharray=".01" stroke-width="9" d="M0 0${times(120_000, "q9 9 99 1t9-9")}"/>`,
  ),
  "an image as large as an image can be": `<img width="30000" height="30000" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><filter id="f"><feTurbulence baseFrequency=".9"/></filter><rect width="30000" height="30000" filter="url(#f)"/></svg>')}">`,
};
