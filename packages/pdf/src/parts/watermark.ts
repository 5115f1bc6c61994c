// Draws the watermark of test documents above everything else on a page: the semi-transparent word TEST in rows so dense that
// every usable part of the page is marked. One of the words is also text, so that programs can find it. The page's content
// cannot move or hide the words.
import type { PdfFile } from "../file/open-pdf.ts";
import type { Box, Page } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { nameSource, numberSource, sourceOf, type PdfDictionary } from "../syntax/values.ts";
import { streamsOnce, withForm } from "./page-forms.ts";

/** A white outline keeps the mark visible on a background of the same colour. The widths are in hundredths of an em. */
export const watermarkStrokes = [
  { color: [1, 1, 1], opacity: 0.3, width: 12 },
  { color: [0.8, 0.1, 0.1], opacity: 0.25, width: 10 },
];

/**
 * The word's lines in PDF syntax, in hundredths of an em, around its centre. They are not text, because fonts differ between
 * readers.
 */
export const watermarkPath = [
  "-124 31 m -70 31 l -97 31 m -97 -36 l", // T
  "-8 31 m -56 31 l -56 -31 l -6 -31 l -56 1 m -12 1 l", // E
  "56 16 m 54 26 46 31 33 31 c 19 31 11 25 11 16 c 11 5 22 3 34 0 c 47 -3 57 -6 57 -16 c",
  "57 -26 47 -31 34 -31 c 20 -31 10 -25 9 -14 c", // S
  "70 31 m 124 31 l 97 31 m 97 -36 l", // T
].join(" ");

/** The size of the word that these lines draw, in ems. */
const [wordWidth, wordHeight] = [2.5, 0.74];
/** With words of this size, the largest square without a part of a word has a side of 17 mm. */
const maxEmMm = 9;
/** The distance between words and between rows, in ems. */
const [columnEm, rowEm] = [3.6, 2.3];
/** The size of the text in Helvetica, in ems. */
const [textWidth, capHeight] = [2.556, 0.718];
/** The fraction of a small area's width or height that a word may fill. */
const fill = 0.9;

/** The angle by which the words rise, in radians. */
export const watermarkAngle = Math.PI / 6;

/** Returns the shift of a row as a fraction of a column. Every third row has its words at the same positions. */
export function watermarkShift(row: number): number {
  return Math.round(Math.sin((row * 2 * Math.PI) / 3)) / 3;
}

/**
 * Lengths are in the area's unit. One word is in the centre of the area. The distances are whole numbers, so that all words have
 * identical pixels and a PNG of them is small.
 */
export type WatermarkPattern = { em: number; column: number; row: number };

export function watermarkPattern(width: number, height: number, unitsPerInch: number): WatermarkPattern {
  const [sin, cos] = [Math.sin(watermarkAngle), Math.cos(watermarkAngle)];
  const emWide = width / (wordWidth * cos + wordHeight * sin);
  const emHigh = height / (wordWidth * sin + wordHeight * cos);
  const em = Math.min((maxEmMm / 25.4) * unitsPerInch, fill * emWide, fill * emHigh);
  return { em, column: Math.ceil(columnEm * em), row: Math.ceil(rowEm * em) };
}

/** Returns a function that adds the mark to a page. */
export function watermarkWriter(writer: PdfWriter, file: PdfFile): (page: Page) => PdfDictionary {
  const streamNumber = streamsOnce(writer);
  let font: number | null = null;
  const formNumber = ({ content, box, resources }: Form) =>
    streamNumber(content, `/Type/XObject/Subtype/Form/BBox ${sourceOf(box.map(round))}/Resources<<${resources}>>`);
  const markNumber = ({ left, bottom, right, top }: Box) => {
    const size = { width: right - left, height: top - bottom };
    const pattern = watermarkPattern(size.width, size.height, 72);
    const row = formNumber(rowForm(size, pattern, formNumber(wordForm(pattern))));
    font ??= writer.newObject(fontSource);
    const content = markContent({ ...size, x: (left + right) / 2, y: (bottom + top) / 2 }, pattern);
    const resources = `/Font<</F ${font} 0 R>>/XObject<</R ${row} 0 R>>`;
    return formNumber({ content, box: [left, bottom, right, top], resources });
  };
  return (page) => {
    return withForm(file, page, { number: markNumber(page.box), name: "Watermark" }, (name) => {
      const after = streamNumber(`Q /Artifact BMC q ${nameSource(name)} Do Q EMC`);
      return { before: streamNumber("q"), after };
    });
  };
}

const fontSource = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

/** A form has its own resources, so their names cannot collide with the page's. */
type Form = { content: string; box: number[]; resources: string };

function wordForm({ em }: WatermarkPattern): Form {
  const lines = watermarkStrokes.map(
    ({ color, width }, index) => `/G${index} gs ${color.join(" ")} RG ${width} w ${watermarkPath} S`,
  );
  const states = watermarkStrokes.map(({ opacity }, index) => `/G${index}<</Type/ExtGState/CA ${opacity}>>`);
  return {
    content: `${turned(em / 100, [0, 0])} cm ${lines.join(" ")}`,
    box: [-2 * em, -em, 2 * em, em],
    resources: `/ExtGState<<${states.join("")}>>`,
  };
}

/** A row slightly wider than the area, so that it can be shifted, with a word in its centre. */
function rowForm({ width }: { width: number }, { em, column }: WatermarkPattern, word: number): Form {
  const beside = Math.floor(width / 2 / column + 0.7);
  const half = (beside + 1) * column;
  const words = Array.from({ length: 2 * beside + 1 }, (_, index) => {
    const move = index === 0 ? -beside * column : column;
    return `1 0 0 1 ${move} 0 cm /W Do`;
  });
  return { content: words.join(" "), box: [-half, -em, half, em], resources: `/XObject<</W ${word} 0 R>>` };
}

type Area = { width: number; height: number; x: number; y: number };

/** The text is invisible and lies on the word in the centre. */
function markContent({ height, x, y }: Area, { em, column, row }: WatermarkPattern): string {
  const beside = Math.floor(height / 2 / row + 0.5);
  const rows = Array.from({ length: 2 * beside + 1 }, (_, index) => {
    const line = index - beside;
    const place = [x + watermarkShift(line) * column, y + line * row].map(rounded);
    return `q 1 0 0 1 ${place.join(" ")} cm /R Do Q`;
  });
  const [sin, cos] = [Math.sin(watermarkAngle) * em, Math.cos(watermarkAngle) * em];
  const [halfWidth, halfHeight] = [textWidth / 2, capHeight / 2];
  const start = [x - halfWidth * cos + halfHeight * sin, y - halfWidth * sin - halfHeight * cos];
  return `${rows.join(" ")} BT 3 Tr /F 1 Tf ${turned(em, start)} Tm ${wordSource} ET`;
}

/** Some programs would read rotated text as four words of one letter. */
const wordSource = "/Span<</ActualText(TEST)>>BDC (TEST) Tj EMC";

/** Returns a matrix that rotates by the words' angle, scales and moves. */
function turned(scale: number, [x = 0, y = 0]: number[]): string {
  const [sin, cos] = [Math.sin(watermarkAngle) * scale, Math.cos(watermarkAngle) * scale];
  return [cos, sin, -sin, cos, x, y].map(rounded).join(" ");
}

function rounded(value: number): string {
  return numberSource(round(value));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
