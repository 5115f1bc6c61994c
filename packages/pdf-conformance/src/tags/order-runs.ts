// Puts words that are written from right to left into the order in which they are read. Chromium writes the runs of such a text from left to
// right. Each run is a text object with an absolute position, so moving it changes nothing that is painted.
import { latin1, latin1Bytes } from "colophon-pdf/characters";
import { readContent, type Operation } from "colophon-pdf/read-content";

/**
 * `origin` is the source of its matrix, which the runs of one text in one line share; empty if there is none. `levels` is the number of
 * marks that are open at the end of the object. `mark` begins content of the tag tree; Chromium 127 writes one for each run.
 */
type TextObject = {
  from: number;
  to: number;
  origin: string;
  levels: number;
  hasFont: boolean;
  isReversed: boolean;
  mark: { from: number; to: number; source: string } | null;
  isMovable: boolean;
};

const movable = new Set(["Td", "Tj", "TJ"]);

/** Returns the same bytes if nothing has to be moved. */
export function orderRuns(bytes: Uint8Array): Uint8Array {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("/ReversedChars")) return bytes;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const runs of textsIn(bytes)) {
    // Chromium does not mark a run of a single character as reversed, but all runs of a text have one direction.
    if (runs.length === 1 || !runs.some(({ isReversed }) => isReversed)) continue;
    parts.push(bytes.subarray(at, runs[0]?.from));
    // The tag tree has the marks in this order, so they stay in their places.
    for (const [index, { from, to, mark }] of runs.toReversed().entries()) {
      const begin = runs[index]?.mark;
      if (!mark || !begin) parts.push(bytes.subarray(from, to), lineFeed);
      else
        parts.push(bytes.subarray(from, mark.from), latin1Bytes(begin.source), bytes.subarray(mark.to, to), lineFeed);
    }
    at = runs.at(-1)?.to ?? at;
  }
  return at > 0 ? Buffer.concat([...parts, bytes.subarray(at)]) : bytes;
}

const lineFeed = Buffer.from("\n");

/** Returns the text objects, those together that follow each other directly and have the same origin. */
function textsIn(bytes: Uint8Array): TextObject[][] {
  const texts: TextObject[][] = [];
  let object: TextObject | null = null;
  let previous: TextObject | null = null;
  const visit = (operation: Operation) => {
    const { operator, from, to } = operation;
    if (operator === "BT") {
      object = { from, to, origin: "", levels: 0, hasFont: false, isReversed: false, mark: null, isMovable: true };
    } else if (!object) previous = null;
    else if (operator === "ET") {
      object.to = to;
      object.isMovable &&= object.levels === 0;
      const isNext = object.isMovable && previous?.isMovable && placeOf(object) === placeOf(previous);
      if (isNext) texts.at(-1)?.push(object);
      else texts.push([object]);
      previous = object;
      object = null;
    } else readOperator(object, operation, latin1(bytes, from, to));
  };
  readContent(bytes, { others: visit });
  return texts;
}

function placeOf({ origin, mark }: TextObject): string {
  return `${mark?.source.replace(/\d+/g, "")} ${origin}`;
}

/** An object can be moved if it sets its font and its matrix before it shows a text, and has at most one content of the tag tree. */
function readOperator(object: TextObject, { operator, from, to }: Operation, source: string): void {
  if (operator === "Tf") object.hasFont = true;
  else if (operator === "Tm") {
    object.isMovable &&= object.origin === "";
    object.origin = source;
  } else if (operator === "EMC") object.levels--;
  else if (operator === "BMC" || operator === "BDC") {
    object.levels++;
    object.isReversed ||= source.startsWith("/ReversedChars");
    if (!source.includes("/MCID")) return;
    object.isMovable &&= object.levels === 1 && object.mark === null && object.origin === "";
    object.mark = { from, to, source };
  } else object.isMovable &&= movable.has(operator) && object.hasFont && object.origin !== "";
  object.isMovable &&= object.levels >= 0;
}
