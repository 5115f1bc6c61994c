// Finds the area of each page into which Chromium has printed the document: between the margins, which `@page` rules may change from page
// to page, and shrunk if the document is too wide. No dictionary contains this area, but the content of a page clips its drawings to it.
import { latin1 } from "../syntax/characters.ts";
import { decodedData, type PdfFile } from "./open-pdf.ts";
import { contentStream, ptPerPx, type Page } from "./page-tree.ts";

/** Lengths are in points. `leftPt` and `topPt` are the distances from the left and the upper edge of the page. */
export type PageArea = {
  leftPt: number;
  topPt: number;
  /** The height of the area in the layout, which is larger than on the page if the document was shrunk. */
  heightPt: number;
  /** Lengths on the page, as a multiple of lengths in the layout. */
  scale: number;
  /** The height of the areas of all pages before this one in the layout. */
  startPt: number;
  /** Whether `page-orientation` has turned the page. */
  isTurned: boolean;
};

/**
 * The rectangle to which the content of a page clips its drawings, and the matrix of most drawings. `unitPt` is the length of a unit of
 * both.
 */
type Clip = { unitPt: number; left: number; top: number; right: number; bottom: number; matrix: number[] | null };

export function readPageAreas(file: PdfFile, pages: readonly Page[]): PageArea[] {
  const clips = pages.map((page) => clipOf(contentOf(file, page)));
  const scales = clips.map((clip) => clip && scaleOf(clip));
  // If all drawings of a page are scaled by styles, it has a smaller scale than the others.
  const scale = scales.reduce<number>((largest, scale) => Math.max(largest, scale ?? 0), 0) || 1;
  let before: PageArea | null = null;
  return pages.map(({ box, dictionary }, index) => {
    const clip = clips[index];
    const startPt: number = before ? before.startPt + before.heightPt : 0;
    const wholePage = { leftPt: 0, topPt: 0, heightPt: box.top - box.bottom, scale, startPt, isTurned: false };
    // The layout has no place for a page that was inserted after the print.
    if (!dictionary.has("Contents")) return before ?? wholePage;
    // A page without content has the area of the page before it.
    before = clip ? areaOf(clip, scale, before && { ...before, startPt }) : { ...(before ?? wholePage), startPt };
    return before;
  });
}

/** At most this much of a page is read. */
const maxContentBytes = 8_000_000;

function contentOf(file: PdfFile, page: Page): string {
  const stream = contentStream(file, page);
  const bytes = stream && decodedData(stream, maxContentBytes);
  return bytes ? latin1(bytes, 0, bytes.length) : "";
}

const pageMatrix = /^([\d.]+) 0 0 -[\d.]+ 0 [\d.]+ cm\n/;
const clipPaths = /\nq\n([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re\nW\*? n\n(?:q\n((?:[\d.-]+ ){6})cm\n)?/g;

/** Returns null if nothing is clipped. */
function clipOf(content: string): Clip | null {
  const unitPt = Number(pageMatrix.exec(content)?.[1] ?? 0);
  const clip: Clip = { unitPt, left: Infinity, top: Infinity, right: 0, bottom: 0, matrix: null };
  const counts = new Map<string, number>();
  for (const [, x, y, width, height, matrix] of content.matchAll(clipPaths)) {
    clip.left = Math.min(clip.left, Number(x));
    clip.top = Math.min(clip.top, Number(y));
    clip.right = Math.max(clip.right, Number(x) + Number(width));
    clip.bottom = Math.max(clip.bottom, Number(y) + Number(height));
    if (matrix) counts.set(matrix, (counts.get(matrix) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, count], [, other]) => other - count);
  return clip.right > 0 ? { ...clip, matrix: most?.[0].trim().split(" ").map(Number) ?? null } : null;
}

/** Chromium shrinks a document to two thirds at most. */
const [minScale, maxScale] = [0.66, 1.001];

/** Returns null if the matrix does more than place the document on the page. */
function scaleOf({ unitPt, matrix }: Clip): number | null {
  const [across = 0, b, c, down] = matrix ?? [];
  const scale = (across * unitPt) / ptPerPx;
  return b === 0 && c === 0 && across === down && scale > minScale && scale < maxScale ? scale : null;
}

/** In pixels, because Chromium rounds the height of each page when it shrinks a document. */
const roundingPt = 2 * ptPerPx;

/** `expected` is the area of the page before, with the start of this page if that area is as high as it seems. */
function areaOf(clip: Clip, scale: number, expected: PageArea | null): PageArea {
  const { unitPt, matrix } = clip;
  const isTurned = matrix?.[0] === 0 && matrix[3] === 0;
  const [leftPt, topPt, bottomPt] = [clip.left * unitPt, clip.top * unitPt, clip.bottom * unitPt];
  const area = (topPt: number, startPt: number, leftPt: number) => {
    const length = isTurned ? (clip.right - clip.left) * unitPt : bottomPt - topPt;
    return { leftPt, topPt, heightPt: length / scale, scale, startPt, isTurned };
  };
  if (!matrix || scaleOf(clip) === null) return area(topPt, expected?.startPt ?? 0, leftPt);
  // The matrix moves the document up by the height of the content on the pages before.
  const [movedLeftPt, movedTopPt] = [(matrix[4] ?? 0) * unitPt, (matrix[5] ?? 0) * unitPt];
  if (!expected) return area(Math.min(topPt, movedTopPt), 0, Math.min(leftPt, movedLeftPt));
  const startPt = (topPt - movedTopPt) / scale;
  const isWhole = leftPt - movedLeftPt < roundingPt && Math.abs(startPt - expected.startPt) < roundingPt;
  // If all of its content is in boxes that clip it, the page has the margins of the page before.
  if (isWhole || topPt < expected.topPt) return area(topPt, startPt, leftPt);
  return area(expected.topPt, (expected.topPt - movedTopPt) / scale, Math.min(leftPt, movedLeftPt));
}
