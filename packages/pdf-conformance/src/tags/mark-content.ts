// Marks what a content stream paints outside marked content as an artifact, which programs that read a page aloud leave out. Only marks
// are added or replaced; what is painted stays the same.
import { latin1Bytes } from "colophon-pdf/characters";
import { PdfError } from "colophon-pdf/pdf-error";
import { readContent, type Operation } from "colophon-pdf/read-content";
import { isDictionary, isName, nameSource, type PdfValue } from "colophon-pdf/values";

/** How a stream's marks are changed. */
export type ContentMarks = {
  /** The number of marked content becomes `content`, which belongs to the tag tree, or an artifact. */
  kindOf: (mcid: number) => "content" | "artifact" | "pagination";
  /** The numbers of marked content that text objects become, by their positions. The objects are outside marked content. */
  texts: ReadonlyMap<number, number>;
  /**
   * Whether an object that is painted has tags inside, so that it must not become an artifact as a whole. Another one is painted under this
   * name.
   */
  formOf: (xObject: string) => { kind: "tagged" } | { kind: "untagged"; name: string };
};

const begins = { artifact: "/Artifact BMC", pagination: "/Artifact<</Type/Pagination>>BDC" };

const pathStarts = new Set(["m", "re", "l", "c", "v", "y", "h"]);
const pathPaints = ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"];
const pathEnds = new Set([...pathPaints, "n"]);
const textPaints = new Set(["Tj", "TJ", "'", '"']);
const paints = new Set([...pathPaints, ...textPaints, "sh", "EI"]);

type Edit = { from: number; to: number; text: string };

/** Returns the content with the marks; null if it needs no changes. Throws `PdfError` if it cannot be marked. */
export function markContent(bytes: Uint8Array, marks: ContentMarks): Uint8Array | null {
  const edits: Edit[] = [];
  const marker = contentMarker(marks, edits);
  readContent(bytes, marker.visit);
  marker.end(bytes.length);
  return edits.length > 0 ? edited(bytes, edits) : null;
}

/** Whether marked content belongs to the tag tree or is an artifact, is a text that becomes marked content, or neither. */
type Level = "owned" | "added" | "plain";

function contentMarker({ kindOf, texts, formOf }: ContentMarks, edits: Edit[]) {
  const levels: Level[] = [];
  const drawing = drawingParts();
  const artifact = artifactEdits(edits);
  const paint = () => {
    const { from, level } = drawing.start();
    if (levels.every((outer) => outer === "plain")) artifact.open(from, level ?? levels.length);
  };
  const begin = ({ operator, from, to, operands }: Operation) => {
    const [tag, properties] = operands();
    const isArtifact = isName(tag) && tag.text === "Artifact";
    const mcid = operator === "BDC" ? mcidOf(properties) : null;
    if (!isArtifact && mcid === null) return levels.push("plain");
    if (artifact.isOpen()) artifact.close(drawing.endBefore(from));
    levels.push("owned");
    const kind = isArtifact || mcid === null ? "content" : kindOf(mcid);
    if (kind !== "content") edits.push({ from, to, text: begins[kind] });
  };
  const paintObject = ({ from, to, operands }: Operation) => {
    const [object] = operands();
    const name = isName(object) ? object.text : "";
    const form = formOf(name);
    if (form.kind === "tagged") return artifact.close(from);
    paint();
    if (form.name !== name) edits.push({ from, to, text: `${nameSource(form.name)} Do` });
  };
  const beginText = (from: number) => {
    const mcid = texts.get(from);
    if (mcid === undefined) return;
    artifact.close(from);
    edits.push({ from, to: from, text: `/Span<</MCID ${mcid}>>BDC\n` });
    levels.push("added");
  };
  const endText = (to: number) => {
    if (levels.at(-1) !== "added") return;
    edits.push({ from: to, to, text: "\nEMC" });
    levels.pop();
  };
  const visit = (operation: Operation) => {
    const { operator, from, to } = operation;
    drawing.visit(operation, levels.length);
    if (operator === "Do") paintObject(operation);
    else if (paints.has(operator)) paint();
    else if (operator === "BT") beginText(from);
    else if (operator === "ET") endText(to);
    else if (operator === "BDC" || operator === "BMC") begin(operation);
    else if (operator === "EMC") {
      if (artifact.isOpenAt(levels.length)) artifact.close(drawing.endBefore(from));
      if (!levels.pop()) throw new PdfError("marked content ends before it begins");
    }
  };
  return {
    visit,
    end(at: number) {
      if (levels.length > 0) throw new PdfError("marked content has no end");
      artifact.close(at);
    },
  };
}

function mcidOf(properties: PdfValue | undefined): number | null {
  if (!isDictionary(properties)) throw new PdfError("marked content has no properties");
  const mcid = properties.get("MCID");
  return typeof mcid === "number" ? mcid : null;
}

/** Finds where the path, the text object or the inline image begins that is painted. */
function drawingParts() {
  let start = { from: 0, level: null as number | null };
  let path: number | null = null;
  let text: { from: number; level: number; isPainted: boolean } | null = null;
  return {
    visit({ operator, from }: Operation, level: number) {
      if (operator === "BT") text = { from, level, isPainted: false };
      else if (operator === "ET") text = null;
      else if (pathStarts.has(operator)) path ??= from;
      else if (pathEnds.has(operator)) {
        start = { from: path ?? from, level: null };
        path = null;
      } else if (operator === "sh" || operator === "Do" || operator === "BI") start = { from, level: null };
      else if (textPaints.has(operator)) {
        start = { from: text?.from ?? from, level: text?.level ?? null };
        if (text) text.isPainted = true;
      }
    },
    /** `level` is the number of levels of marked content around a text object; null if nothing can begin since. */
    start: () => start,
    /** Returns where an artifact ends before `at`: outside text objects, because both must be nested. */
    endBefore(at: number): number {
      if (path !== null || text?.isPainted) throw new PdfError("marked content begins inside a drawing");
      return text?.from ?? at;
    },
  };
}

/** Adds artifacts, at most one at a time. */
function artifactEdits(edits: Edit[]) {
  let openLevel: number | null = null;
  return {
    isOpen: () => openLevel !== null,
    isOpenAt: (level: number) => openLevel === level,
    open(at: number, level: number) {
      if (openLevel === null) edits.push({ from: at, to: at, text: `${begins.artifact}\n` });
      openLevel ??= level;
    },
    close(at: number) {
      if (openLevel !== null) edits.push({ from: at, to: at, text: "\nEMC\n" });
      openLevel = null;
    },
  };
}

function edited(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  // An artifact that ends before a text object was decided on after the object began.
  for (const { from, to, text } of edits.toSorted((a, b) => a.from - b.from)) {
    parts.push(bytes.subarray(at, from), latin1Bytes(text));
    at = to;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
