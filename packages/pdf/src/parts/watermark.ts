// Draws the watermark of test documents above everything else on a page: the word TEST, semi-transparent, along the diagonal. It
// is text, so that programs which read the file find it, too. Nothing in the content of the page can move or hide it.
import type { PdfFile } from "../file/open-pdf.ts";
import type { Box, Page } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import { isDictionary, nameSource, numberSource, reference, sourceOf, type PdfDictionary } from "../syntax/values.ts";
import type { NewNumber } from "./sheets.ts";

/** The width of the word in Helvetica, and the height of its letters, in ems. */
const word = { text: "TEST", widthEm: 2.556, heightEm: 0.718 };
/** How much of the page the word may fill. */
const fill = 0.9;
/** The longest side of a part, in points or pixels, and by how much it may exceed the shorter side of the page. */
const maxPartSide = 1_250;
const maxSideRatio = 1.5;
const maxMarks = 40;

/** An outline in white keeps the mark visible on a background of its own colour. */
export const watermarkColors = { ink: [0.8, 0.1, 0.1], inkOpacity: 0.25, outline: [1, 1, 1], outlineOpacity: 0.3 };

/**
 * Where the marks are on an area: the size of an em, the angle by which the words rise, in radians, and their centres. The unit is
 * that of the area.
 */
export type WatermarkPlaces = { em: number; angle: number; centers: { x: number; y: number }[] };

/** A large or long area is divided into parts, each of which has a mark along its diagonal, so that no part of it is without. */
export function watermarkPlaces(width: number, height: number): WatermarkPlaces {
  let side = Math.min(maxPartSide, maxSideRatio * Math.min(width, height));
  const counts = () => [Math.ceil(width / side), Math.ceil(height / side)] as const;
  while (counts()[0] * counts()[1] > maxMarks) side *= 1.1;
  const [columns, rows] = counts();
  const part = { width: width / columns, height: height / rows };
  const angle = Math.atan2(part.height, part.width);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const maxEmWide = part.width / (word.widthEm * cos + word.heightEm * sin);
  const maxEmHigh = part.height / (word.widthEm * sin + word.heightEm * cos);
  const centers = Array.from({ length: columns * rows }, (_, index) => ({
    x: part.width * ((index % columns) + 0.5),
    y: part.height * (Math.floor(index / columns) + 0.5),
  }));
  return { em: fill * Math.min(maxEmWide, maxEmHigh), angle, centers };
}

/** Returns a function that returns a page with its mark. `dictionary` is the page as it would be written without. */
export function watermarkWriter(
  writer: PdfWriter,
  file: PdfFile,
  newNumber: NewNumber,
): (page: Page, dictionary: PdfDictionary) => PdfDictionary {
  const numbers = new Map<string, number>();
  /** Writes an object or a stream, unless it has been written with the same text. */
  const numberOf = (text: string, write: (number: number) => void): number => {
    const number = numbers.get(text) ?? newNumber();
    if (!numbers.has(text)) write(number);
    numbers.set(text, number);
    return number;
  };
  const streamNumber = (text: string, entries = "") =>
    numberOf(entries + text, (number) => writer.addStream(number, entries, latin1Bytes(text)));
  const fontNumber = () => numberOf(fontSource, (number) => writer.addObject(number, fontSource));
  return (page, dictionary) => {
    const own = file.resolve(dictionary.get("Resources"));
    const resources = isDictionary(own) ? own : page.resources;
    const found = file.resolve(resources.get("XObject"));
    const forms: PdfDictionary = isDictionary(found) ? found : new Map();
    let formName = "Watermark";
    while (forms.has(formName)) formName += "1";
    const form = streamNumber(markContent(page.box), formEntries(page.box, fontNumber()));
    const contents = dictionary.get("Contents");
    const list = file.resolve(contents);
    const inside = Array.isArray(list) ? list : contents ? [contents] : [];
    const after = streamNumber(`Q /Artifact BMC q ${nameSource(formName)} Do Q EMC`);
    return new Map([
      ...dictionary,
      ["Contents", [reference(streamNumber("q")), ...inside, reference(after)]],
      ["Resources", new Map([...resources, ["XObject", new Map([...forms, [formName, reference(form)]])]])],
    ]);
  };
}

const fontSource = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

/** The form has its own resources, so their names cannot collide with those of the page. */
function formEntries({ left, bottom, right, top }: Box, font: number): string {
  const { inkOpacity, outlineOpacity } = watermarkColors;
  const state = `<</Type/ExtGState/ca ${inkOpacity}/CA ${outlineOpacity}>>`;
  const resources = `<</Font<</F ${font} 0 R>>/ExtGState<</G ${state}>>>>`;
  return `/Type/XObject/Subtype/Form/BBox ${sourceOf([left, bottom, right, top])}/Resources${resources}`;
}

/** Some programs would find four words of one letter each in text that rises. */
const wordSource = `/Span<</ActualText(${word.text})>>BDC (${word.text}) Tj EMC`;

/** The letters are filled and outlined. */
function markContent({ left, bottom, right, top }: Box): string {
  const { em, angle, centers } = watermarkPlaces(right - left, top - bottom);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [halfWidth, halfHeight] = [(em * word.widthEm) / 2, (em * word.heightEm) / 2];
  const marks = centers.map(({ x, y }) => {
    const startX = left + x - halfWidth * cos + halfHeight * sin;
    const startY = bottom + y - halfWidth * sin - halfHeight * cos;
    return `${[cos, sin, -sin, cos, startX, startY].map(rounded).join(" ")} Tm ${wordSource}`;
  });
  const { ink, outline } = watermarkColors;
  const colors = `${ink.join(" ")} rg ${outline.join(" ")} RG ${rounded(em / 40)} w`;
  return `/G gs ${colors} BT /F ${rounded(em)} Tf 2 Tr ${marks.join(" ")} ET`;
}

function rounded(value: number): string {
  return numberSource(Math.round(value * 10_000) / 10_000);
}
