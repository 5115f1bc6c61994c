// Compares generated documents whose boxes have absolute positions with an ordinary print of the same HTML in the same browser: on one page,
// on three pages of one page file, and in three page files, of which each is compared with its own print.
import { afterAll, beforeAll, expect, it } from "vitest";
import { differences, ordinaryPrinter, type OrdinaryPrinter } from "../fixtures/ordinary-print.ts";
import { readPages } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

const documents = 60;
const firstSeed = 20_261_128;

let printer: OrdinaryPrinter;
beforeAll(async () => {
  printer = await ordinaryPrinter();
});
afterAll(() => printer.close());

/** Numbers below `max` from a linear congruential generator. */
function numbersFrom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

const kinds = ["one page", "three pages", "three page files"] as const;

type Generated = { css: string; files: string[] };

function generated(seed: number): Generated & { kind: string } {
  const below = numbersFrom(seed);
  const kind = kinds[seed % kinds.length] ?? kinds[0];
  const rules: string[] = [];
  const length = (largestMm: number): string => {
    const mm = below(largestMm + 20) - 10;
    return [`${mm}mm`, `${Math.round(mm * 3.78)}px`, `${Math.round((mm / largestMm) * 80)}%`][below(3)] ?? "0";
  };
  const box = (): string => {
    const name = `b${rules.length}`;
    const vertical = `${["top", "bottom"][below(2)]}:${length(180)}`;
    const horizontal = `${["left", "right"][below(2)]}:${length(130)}`;
    rules.push(`.${name}{position:absolute;width:60px;${vertical};${horizontal}}`);
    const markup = `<div class="${name}">Box${rules.length}</div>`;
    if (below(3) > 0) return markup;
    return `<div style="position:relative;height:${200 + below(200)}px;width:${300 + below(200)}px">${markup}</div>`;
  };
  const sections = kinds.map((_, index) => `<h1>Part${index}</h1>${box()}<p>Text${index}</p>${below(2) ? box() : ""}`);
  const [first = ""] = sections;
  const broken = sections.join('<div style="break-after:page"></div>');
  const files = { "one page": [first], "three pages": [broken], "three page files": sections }[kind];
  return { css: rules.join(""), files, kind };
}

it.each(Array.from({ length: documents }, (_, index) => firstSeed + index))(
  "absolute positions are those of an ordinary print, or the document says what is cut off (seed %d)",
  async (seed) => {
    const { css, files } = generated(seed);

    const { bytes, warnings } = await rendered({ page: files, content: { css } });

    const ordinary = [];
    for (const file of files) ordinary.push(...(await printer.print(css, file)));
    const different = differences(await readPages(bytes), ordinary);
    expect(warnings.length > 0 ? [] : different).toEqual([]);
  },
);
