// Tests that no markup puts a link with a forbidden target into a PDF. pdf.js reads the links.
import { expect, it } from "vitest";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { field } from "colophon-test-kit/template-content";
import { type TenantOptions } from "../../fixtures/tenant.ts";
import {
  forbiddenTargets,
  keptLink,
  linkVectors,
  someForbiddenTargets,
  vectorsOfEachKind,
} from "../fixtures/link-vectors.ts";
import { pdfUrls } from "../fixtures/pdf-links.ts";
import { rendered } from "../fixtures/rendered.ts";

const fields = [field("markup", "text")];

/** Prints the markup as data of the template. */
const printed = async (template: TenantOptions, markup: string) =>
  (await rendered({ ...template, fields }, { data: { markup } })).bytes;

const body = `<a href="${keptLink}">kept</a><h1 id="there">There</h1>`;
const margin = "<p>x</p>{{ markup | raw }}";

it.each([
  ["whatever markup sets it", { page: `${body}{{ markup | raw }}` }, "all ways", someForbiddenTargets],
  ["in a header and footer", { page: body, content: { header: margin, footer: margin } }, "all ways", ["javascript:1"]],
  ["whatever its target is", { page: `${body}{{ markup | raw }}` }, "some ways", forbiddenTargets],
])("a PDF contains no link with a forbidden target: %s", { timeout: 300_000 }, async (_, template, ways, targets) => {
  const vectors = ways === "all ways" ? Object.keys(linkVectors("")) : vectorsOfEachKind;
  const urlsOf: Record<string, string[]> = {};

  for (const vector of vectors) {
    const bytes = await printed(template, targets.map((target) => linkVectors(target)[vector]).join("\n"));
    const urls = await pdfUrls(bytes);
    urlsOf[vector] = [...new Set(urls)];
    // pdf.js has found every URL that the file contains.
    const objects = [...readPdf(bytes).objects.values()].join("\n");
    expect(urls, vector).toHaveLength(objects.match(/\/URI\s*[(<]/g)?.length ?? 0);
  }

  expect(vectors).not.toEqual([]);
  expect(urlsOf).toEqual(Object.fromEntries(vectors.map((vector) => [vector, [keptLink]])));
});

it("a PDF contains no link with a forbidden target from Markdown", async () => {
  const page = `<a href="${keptLink}">kept</a>{{ markup | markdown }}`;
  const ways = (target: string) => [
    `[x](${target})`,
    `[x](<${target}>)`,
    `<${target}>`,
    `![x](${target})`,
    `[x][r]\n\n[r]: ${target}`,
    `<a href="${target}">x</a>`,
    target,
  ];

  const bytes = await printed({ page }, forbiddenTargets.flatMap(ways).join("\n\n"));

  expect([...new Set(await pdfUrls(bytes))]).toEqual([keptLink]);
});
