// Takes damaged stacks of sheets apart, and puts the sheets onto a body. Each must be refused, or give a file that a reader
// opens. Neither the time nor the memory may grow out of proportion. The same seed makes the same damage.
import { deflateSync, inflateSync } from "node:zlib";
import { expect } from "vitest";
import { assemblePdf, type AssembledPdf } from "../../../src/core/pdf/assemble-pdf.ts";
import { openPdf } from "../../../src/core/pdf/file/open-pdf.ts";
import { pageBoxes } from "../../../src/core/pdf/file/page-tree.ts";
import { maxContentBytes, unstackSheets, type SheetPart } from "../../../src/core/pdf/parts/unstack-sheets.ts";
import { PdfError } from "../../../src/core/pdf/syntax/pdf-error.ts";
import type { SheetPlace } from "../../../src/core/rendering/prepared-page.ts";
import { latin1 } from "../../fixtures/pdf.ts";
import { readPdf } from "../../fixtures/pdf-reader.ts";
import {
  damaged,
  hostileNumbers,
  randomFrom,
  replacedMatch,
  spliced,
  withContent,
  type Damage,
  type Random,
} from "./damage.ts";

/** A print of several sheets on one page, and where they are. */
export type Stack = { bytes: Uint8Array; places: SheetPlace[] };

/** What became of a damaged stack. `pages` is the number of pages that the file must have. */
export type Outcome =
  | { status: "assembled"; bytes: Uint8Array; pages: number }
  | { status: "inseparable" }
  | { status: "refused"; reason: string };

const metadata = { createdAt: 0, language: "en", author: "", subject: "", keywords: "" };
/** What may be compressed in addition to the content, for each byte of the input and in all. */
const bytesPerByte = 3;
const constantBytes = 200_000;
const maxCpuMs = 4_000;

/** Throws if the result breaks a promise. */
export function tryDamagedStack(stacks: readonly Stack[], body: Uint8Array, seed: number): Outcome {
  const random = randomFrom(seed);
  const stack = random.pick(stacks);
  const { bytes, names } = damagedStack(stack.bytes, random);
  const places = random.below(20) === 0 ? stack.places.map((place) => movedPlace(place, random)) : stack.places;
  const work = { compressed: 0, inflated: 0 };
  const before = process.cpuUsage();
  try {
    return assembledStack({ bytes, places }, body, { random, work });
  } catch (cause) {
    if (!(cause instanceof PdfError)) throw new Error(`seed ${seed}: ${names.join(", ")}`, { cause });
    return { status: "refused", reason: cause.message };
  } finally {
    const { user, system } = process.cpuUsage(before);
    const what = `seed ${seed}: ${names.join(", ")}`;
    expect((user + system) / 1_000, what).toBeLessThan(maxCpuMs);
    expect(work.inflated, what).toBeLessThanOrEqual(maxContentBytes);
    const inputBytes = bytes.length + body.length;
    expect(work.compressed, what).toBeLessThan(work.inflated + bytesPerByte * inputBytes + constantBytes);
  }
}

type Work = { compressed: number; inflated: number };

function assembledStack(
  { bytes, places }: Stack,
  body: Uint8Array,
  { random, work }: { random: Random; work: Work },
): Outcome {
  const deflate = (plain: Uint8Array) => {
    work.compressed += plain.length;
    return deflateSync(plain);
  };
  const inflate = (packed: Uint8Array, maxBytes: number) => {
    try {
      const inflated = inflateSync(packed, { maxOutputLength: maxBytes });
      work.inflated += inflated.length;
      return inflated;
    } catch {
      return null;
    }
  };
  const [bodyFile, file] = [openPdf(body), openPdf(bytes)];
  const parts = unstackSheets(file, places, { inflate, deflate });
  if (!parts) return { status: "inseparable" };
  checkParts(parts);
  const pages = pageBoxes(bodyFile).length;
  const ofPage = Array.from({ length: pages }, () => random.below(places.length));
  const input = { body: bodyFile, area: { contentHeightPt: 700 }, headings: [], metadata, deflate };
  const { bytes: assembled }: AssembledPdf = assemblePdf({ ...input, sheets: { file, ofPage, parts } });
  readPdf(assembled);
  return { status: "assembled", bytes: assembled, pages };
}

/** Throws unless the parts leave the graphics state as it was, apart from the transformation. */
function checkParts(parts: readonly SheetPart[]): void {
  for (const { cut } of parts) {
    let depth = 0;
    for (const operator of cut ? operatorsOf(latin1(inflateSync(cut.content))) : []) {
      if (operator === "q") depth++;
      if (operator === "Q" && --depth < 0) throw new Error("a part ends a group that it did not begin");
    }
    if (depth > 0) throw new Error("a part does not end its groups");
  }
}

/** Returns the words that are neither strings, names nor comments. */
function operatorsOf(content: string): string[] {
  const operators: string[] = [];
  let depth = 0;
  for (const [token] of content.matchAll(/\\[^]|[()]|%[^\r\n]*|\/[^\s()<>[\]{}/%]*|[^\s()<>[\]{}/%\\]+/g)) {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (depth === 0 && !/^[%/\\]/.test(token)) operators.push(token);
  }
  return operators;
}

function movedPlace({ page }: SheetPlace, random: Random): SheetPlace {
  const area = { topPx: random.pick([0, -1e6, 1e9, 100]), heightPx: random.pick([0, -50, 1e9, 200]) };
  return { page: random.below(4) === 0 ? random.below(5) : page, area: random.below(4) === 0 ? null : area };
}

function damagedStack(bytes: Uint8Array, random: Random): { bytes: Uint8Array; names: string[] } {
  if (random.below(4) === 0) return damaged(bytes, random);
  const names = Array.from({ length: 1 + random.below(3) }, () => random.pick(Object.keys(contentKinds)));
  const change = (content: string) =>
    names.reduce((text, name) => contentKinds[name]?.(text, random).slice(0, maxDamagedChars) ?? text, content);
  return { bytes: withContent(bytes, change), names };
}

/** More than may be decompressed. */
const maxDamagedChars = 12_000_000;

const hostileOperators = "q Q cm re W W* n h f BI BT ET BDC EMC Do ( ) < > << >> [ ] { } % \\ /Q".split(" ");
const hostileParts = [
  "0 0 99999 99999 re W n",
  "0 0 1 1 re W n",
  "q 0 0 9 9 re W n",
  "q re W n Q",
  "1 0 0 1 0 50 cm",
  "(Q \\) q",
  "<51 Q>",
  "BI /W 1 /H 1 ID Q EI",
  "/Artifact <</A (Q)>> BDC",
];
/** These are repeated very often. */
const floods = [
  "q ",
  "Q ",
  "q Q ",
  "q 0 0 1 1 re W n Q\n",
  "1 1 l ",
  "1 1 1 1 1 1 c ",
  "9",
  " ",
  "0 ",
  "[ ",
  "((",
  "% ",
  "/A ",
];

const words = /[^\s]+/g;

/** Damage to the content of a page. */
const contentKinds: Record<string, Damage> = {
  cutContent: (text, random) => text.slice(0, random.below(text.length)),
  removeRange: (text, random) => spliced(text, random.below(text.length), random.below(200), ""),
  removeWord: (text, random) => replacedMatch(text, random, words, ""),
  copyRange(text, random) {
    const from = random.below(text.length);
    return spliced(text, random.below(text.length), 0, text.slice(from, from + random.below(400)));
  },
  changeContentNumber: (text, random) => replacedMatch(text, random, /-?\d*\.?\d+/g, random.pick(hostileNumbers)),
  changeOperator: (text, random) => replacedMatch(text, random, /\b[A-Za-z]+\*?/g, random.pick(hostileOperators)),
  insertOperator: (text, random) => replacedMatch(text, random, /\s/g, ` ${random.pick(hostileOperators)} `),
  insertPart: (text, random) => replacedMatch(text, random, /\s/g, `\n${random.pick(hostileParts)}\n`),
  changeContentBytes: (text, random) =>
    spliced(text, random.below(text.length), 1 + random.below(3), String.fromCharCode(random.below(256))),
  flood(text, random) {
    const isLarge = random.below(20) === 0;
    const flood = random.pick(floods).repeat(isLarge ? 600_000 : 2_000);
    return replacedMatch(text, random, /\s|^/g, `\n${flood}\n`);
  },
};
