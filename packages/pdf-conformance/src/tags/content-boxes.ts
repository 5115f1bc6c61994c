// Finds where a content stream paints its marked content.
import type { Box } from "colophon-pdf/page-tree";
import { each, pathPaints, readContent, type Operation, type Visitors } from "colophon-pdf/read-content";
import { isDictionary, isString, type PdfValue } from "colophon-pdf/values";
import { textOf } from "../validation/file.ts";

type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];
const unitSquare: Box = { left: 0, bottom: 0, right: 1, top: 1 };

/** By the number of marked content and by the name of a painted form, the rectangle in the units of the stream. */
export type ContentBoxes = { ofContent: Map<number, Box>; ofForm: Map<string, Box> };

/** `formBox` returns the rectangle of a form in the units of this stream; null for an image. */
export function contentBoxes(bytes: Uint8Array, formBox: (name: string) => Box | null): ContentBoxes {
  const boxes: ContentBoxes = { ofContent: new Map(), ofForm: new Map() };
  const saved: Matrix[] = [];
  const open: (number | null)[] = [];
  let matrix: Matrix = identity;
  /** The matrix of the text, and the size of its letters. */
  let [textMatrix, fontSize]: [Matrix, number] = [identity, 1];
  let path: Box | null = null;
  const add = (box: Box | null): null => {
    const mcid = open.findLast((level) => level !== null);
    if (box && typeof mcid === "number") boxes.ofContent.set(mcid, united(boxes.ofContent.get(mcid), box));
    return null;
  };
  const begin = ({ operands }: Operation) => open.push(mcidOf(operands()[1]));
  // Most paths are outside marked content.
  const addToPath = ({ operator, operands }: Operation) => {
    if (open.length > 0) path = united(path, pathBox(operator, numbersOf(operands()), matrix));
  };
  const paintPath = () => (path = add(path));
  const visitors: Visitors = {
    q: () => saved.push(matrix),
    Q: () => (matrix = saved.pop() ?? identity),
    cm: ({ operands }) => (matrix = product(matrixOf(operands()), matrix)),
    BDC: begin,
    BMC: begin,
    EMC: () => open.pop(),
    n: () => (path = null),
    ...each("m l c v y re", addToPath),
    ...each(pathPaints, paintPath),
    BT: () => (textMatrix = identity),
    Tm: ({ operands }) => (textMatrix = matrixOf(operands())),
    Td: ({ operands }) => (textMatrix = product([1, 0, 0, 1, ...pairOf(operands())], textMatrix)),
    Tf: ({ operands }) => (fontSize = numbersOf(operands())[0] ?? 1),
    Tj: ({ operands }) => add(textBox(operands()[0], fontSize, product(textMatrix, matrix))),
    Do({ operands }) {
      const key = textOf(operands()[0]);
      const box = transformed(formBox(key) ?? unitSquare, matrix);
      boxes.ofForm.set(key, united(boxes.ofForm.get(key), box));
      add(box);
    },
  };
  readContent(bytes, visitors);
  return boxes;
}

function mcidOf(properties: PdfValue | undefined): number | null {
  const mcid = isDictionary(properties) ? properties.get("MCID") : null;
  return typeof mcid === "number" ? mcid : null;
}

function numbersOf(values: readonly PdfValue[]): number[] {
  return values.filter((value) => typeof value === "number");
}

function pairOf(values: readonly PdfValue[]): [number, number] {
  const [x = 0, y = 0] = numbersOf(values);
  return [x, y];
}

export function matrixOf(values: readonly PdfValue[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(values);
  return [a, b, c, d, e, f];
}

function product(inner: Matrix, [a, b, c, d, e, f]: Matrix): Matrix {
  const [ia, ib, ic, id, ie, f1] = inner;
  return [ia * a + ib * c, ia * b + ib * d, ic * a + id * c, ic * b + id * d, ie * a + f1 * c + e, ie * b + f1 * d + f];
}

function pathBox(operator: string, numbers: readonly number[], matrix: Matrix): Box {
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  if (operator === "re") return transformed({ left: x, bottom: y, right: x + width, top: y + height }, matrix);
  const points = numbers.flatMap((left, at) => (at % 2 === 0 ? [[left, numbers[at + 1] ?? 0] as const] : []));
  return boxAround(points, matrix);
}

/** The widths of letters are not read; half an em is the width of most. */
function textBox(text: PdfValue | undefined, size: number, matrix: Matrix): Box {
  const letters = isString(text) ? text.text.length / 2 : 1;
  return transformed({ left: 0, bottom: 0, right: (letters * size) / 2, top: size * 0.8 }, matrix);
}

/** Returns the rectangle that an entry such as `BBox` gives; an empty one if it gives none. */
export function rectangle(corners: PdfValue | undefined): Box {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(Array.isArray(corners) ? corners : []);
  return { left, bottom, right, top };
}

export function transformed({ left, bottom, right, top }: Box, matrix: Matrix): Box {
  const corners = [left, right].flatMap((x) => [bottom, top].map((y) => [x, y] as const));
  return boxAround(corners, matrix);
}

function boxAround(points: readonly (readonly [number, number])[], [a, b, c, d, e, f]: Matrix): Box {
  const xs = points.map(([x, y]) => a * x + c * y + e);
  const ys = points.map(([x, y]) => b * x + d * y + f);
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
}

export function united(box: Box | null | undefined, other: Box): Box {
  if (!box) return other;
  return {
    left: Math.min(box.left, other.left),
    bottom: Math.min(box.bottom, other.bottom),
    right: Math.max(box.right, other.right),
    top: Math.max(box.top, other.top),
  };
}
