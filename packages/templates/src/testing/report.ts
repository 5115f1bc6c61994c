// The reports of `template test`: JUnit XML, and a single HTML file without scripts, with the failed cases first, and the
// differing pictures. `template dev` also shows it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { counted, printable } from "colophon-base/text";
import { pageStyle } from "../dev/page-files.ts";
import type { ComparedPicture } from "./pictures.ts";
import type { CaseResult } from "./run-cases.ts";

/** Used as the report's own policy and as a server's header. */
export const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export async function reportHtml(results: CaseResult[]): Promise<string> {
  const own = readFile(join(import.meta.dirname, "../../dev-page/report.css"), "utf8");
  const css = (await Promise.all([pageStyle(), own])).join("\n");
  const failed = results.filter(({ failures }) => failures.length > 0);
  const passed = results.filter(({ failures }) => failures.length === 0);
  const summary = summaryOf(results);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${summary}</title>
<style>
${css}</style>
</head>
<body>
<header><h1>Tests</h1><span class="${failed.length > 0 ? "failed" : "quiet"}">${summary}</span></header>
<main>
${failed.map(failedCase).join("\n")}
<div>${passed.map(passedCase).join("\n")}${results.length === 0 ? `<pre>${howToBegin}</pre>` : ""}</div>
</main>
</body>
</html>
`;
}

export function summaryOf(results: CaseResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  if (failed > 0) return `${failed} of ${counted(results.length, "case")} failed`;
  return results.length === 0 ? "no tests yet" : `${counted(results.length, "case")} passed`;
}

export const howToBegin = `There are no tests yet. Create the file tests/sample.json in the folder of the template:

  { "expect": { "pages": 1, "texts": ["a text of the document"], "pictures": true } }

Run \`template test DIR --update\`, which writes a picture of each page, and look at them. Later runs compare pages with pictures.
Even {} is a test: sample.json must give a document without warnings. docs/template-tests.md describes all that a test may expect.`;

function failedCase({ folder, name, description, failures, pictures }: CaseResult): string {
  const place = `<span class="quiet">${escapeMarkup(folder)} /</span> ${escapeMarkup(name)}`;
  return `<details open><summary>${place} <span class="quiet">${escapeMarkup(description)}</span></summary>
<ul>${failures.map((failure) => `<li>${escapeMarkup(failure)}</li>`).join("")}</ul>
${pictures.map(picturesOf).join("\n")}</details>`;
}

function picturesOf({ file, expected, actual, difference }: ComparedPicture): string {
  const shown: [string, string | null][] = [
    ["Expected", expected],
    ["This run", actual],
    ["Difference", difference?.picture ?? null],
  ];
  const figures = shown.map(([caption, picture]) => {
    const image = picture === null ? "<p>none</p>" : `<img src="${picture}" alt="">`;
    return `<figure><figcaption>${caption}</figcaption>${image}</figure>`;
  });
  return `<p>${escapeMarkup(file)}</p>\n<div class="pictures">${figures.join("")}</div>`;
}

function passedCase({ folder, name, description, durationMs }: CaseResult): string {
  const rest = [description, `passed in ${Math.round(durationMs)} ms`].filter(Boolean).join(" · ");
  return `<p>${escapeMarkup(`${folder} / ${name}`)} <span class="quiet">${escapeMarkup(rest)}</span></p>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns text on one line as HTML or XML markup, also valid in an attribute. */
export function escapeMarkup(text: string): string {
  return printable(text).replace(/[&<>"\ufffe\uffff]/g, (character) => entities[character] ?? "");
}

/** Returns the results as JUnit XML, which CI services display. */
export function junitXml(results: CaseResult[]): string {
  const cases = results.map(({ folder, name, failures, durationMs }) => {
    const names = `classname="${escapeMarkup(folder)}" name="${escapeMarkup(name)}"`;
    const start = `<testcase ${names} time="${(durationMs / 1_000).toFixed(3)}"`;
    if (failures.length === 0) return `${start}/>`;
    const texts = failures.map(escapeMarkup);
    return `${start}><failure message="${texts[0]}">${texts.join("\n")}</failure></testcase>`;
  });
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const suite = `<testsuite name="templates" tests="${results.length}" failures="${failed}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', suite, ...cases, "</testsuite>", ""].join("\n");
}
