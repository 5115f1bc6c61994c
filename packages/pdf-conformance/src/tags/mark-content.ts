// Marks what a content stream paints outside marked content as an artifact, which programs that read a page aloud leave out. Only marks
// are added or replaced; what is painted stays the same.
import { latin1Bytes } from "colophon-pdf/characters";
import { PdfError } from "colophon-pdf/pdf-error";
import { each, pathPaints, readContent, type Operation, type Visitors } from "colophon-pdf/read-content";
import { isDictionary, isName, nameSource, type PdfValue } from "colophon-pdf/values";
import type { FontTexts } from "./font-texts.ts";
import { lineEnds } from "./line-ends.ts";

/** How a stream's marks are changed. */
export type ContentMarks = {
  /** The paragraph or other block of content that belongs to the tag tree. */
  blockOf: (mcid: number) => object | undefined;
  fontOf: (key: string) => FontTexts | null;
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

type Edit = { from: number; to: number; text: string };

/** Returns the content with the marks; null if it needs no changes. Throws `PdfError` if it cannot be marked. */
export function markContent(bytes: Uint8Array, marks: ContentMarks): Uint8Array | null {
  const edits: Edit[] = [];
  const add = (at: number, operator: string) => edits.push({ from: at, to: at, text: ` ${operator}` });
  const state: State = {
    marks,
    edits,
    lines: lineEnds({ bytes, fontOf: marks.fontOf, add }),
    block: null,
    levels: [],
    owned: 0,
    artifact: artifactEdits(edits),
    path: null,
    text: null,
    image: 0,
  };
  readContent(bytes, { ...paintVisitors(state), ...markVisitors(state) });
  if (state.levels.length > 0) throw new PdfError("marked content has no end");
  state.artifact.close(bytes.length);
  return edits.length > 0 ? edited(bytes, edits) : null;
}

/** Whether marked content belongs to the tag tree or is an artifact, is a text that becomes marked content, or neither. */
type Level = "owned" | "added" | "plain";

/**
 * `owned` is how many of the levels are not plain. `path`, `text` and `image` are where a path, a text object and an inline image begin that
 * may be painted. `text.level` is the number of levels around a text object.
 */
type State = {
  marks: ContentMarks;
  edits: Edit[];
  lines: ReturnType<typeof lineEnds>;
  block: object | null;
  levels: Level[];
  owned: number;
  artifact: ReturnType<typeof artifactEdits>;
  path: number | null;
  text: { from: number; level: number; isPainted: boolean } | null;
  image: number;
};

function paintVisitors(state: State): Visitors {
  const { marks, edits, lines, levels, artifact } = state;
  /** `level` is the number of levels around what is painted. */
  const paint = (from: number, level = levels.length) => {
    if (state.owned === 0) artifact.open(from, level);
  };
  const beginPath = ({ from }: Operation) => (state.path ??= from);
  const paintPath = ({ from }: Operation) => {
    paint(state.path ?? from);
    state.path = null;
  };
  const showText = (operation: Operation) => {
    const { from } = operation;
    lines.show(operation, levels.at(-1) === "owned" ? state.block : null);
    if (!state.text) return paint(from);
    state.text.isPainted = true;
    paint(state.text.from, state.text.level);
  };
  return {
    m: beginPath,
    re: beginPath,
    n: () => (state.path = null),
    ...each(pathPaints, paintPath),
    ...each(`Tj TJ ' "`, showText),
    sh: ({ from }) => paint(from),
    BI: ({ from }) => (state.image = from),
    EI: () => paint(state.image),
    Do({ from, to, operand }) {
      const object = operand(0);
      const name = isName(object) ? object.text : "";
      const form = marks.formOf(name);
      if (form.kind === "tagged") return artifact.close(from);
      paint(from);
      if (form.name !== name) edits.push({ from, to, text: `${nameSource(form.name)} Do` });
    },
  };
}

function markVisitors(state: State): Visitors {
  const { marks, edits, lines, levels, artifact } = state;
  const open = (level: Level) => {
    levels.push(level);
    if (level !== "plain") state.owned++;
  };
  const close = (): Level | undefined => {
    const level = levels.pop();
    if (level !== undefined && level !== "plain") state.owned--;
    return level;
  };
  /** Returns where an artifact ends before `at`: outside text objects, because both must be nested. */
  const endBefore = (at: number): number => {
    if (state.path !== null || state.text?.isPainted) throw new PdfError("marked content begins inside a drawing");
    return state.text?.from ?? at;
  };
  const begin = ({ operator, from, to, operands }: Operation) => {
    const [tag, properties] = operands();
    const isArtifact = isName(tag) && tag.text === "Artifact";
    const mcid = operator === "BDC" ? mcidOf(properties) : null;
    if (!isArtifact && mcid === null) return open("plain");
    if (artifact.isOpen()) artifact.close(endBefore(from));
    open("owned");
    const kind = isArtifact || mcid === null ? "content" : marks.kindOf(mcid);
    if (kind !== "content") edits.push({ from, to, text: begins[kind] });
    state.block = mcid === null ? null : (marks.blockOf(mcid) ?? null);
  };
  return {
    BT({ from }) {
      state.text = { from, level: levels.length, isPainted: false };
      lines.begin();
      const mcid = marks.texts.get(from);
      if (mcid === undefined) return;
      artifact.close(from);
      edits.push({ from, to: from, text: `/Span<</MCID ${mcid}>>BDC\n` });
      open("added");
    },
    ET({ to }) {
      state.text = null;
      lines.end();
      if (levels.at(-1) !== "added") return;
      edits.push({ from: to, to, text: "\nEMC" });
      close();
    },
    Tf: lines.setFont,
    Tm: lines.setMatrix,
    BDC: begin,
    BMC: begin,
    EMC({ from }) {
      if (artifact.isOpenAt(levels.length)) artifact.close(endBefore(from));
      if (!close()) throw new PdfError("marked content ends before it begins");
    },
  };
}

function mcidOf(properties: PdfValue | undefined): number | null {
  if (!isDictionary(properties)) throw new PdfError("marked content has no properties");
  const mcid = properties.get("MCID");
  return typeof mcid === "number" ? mcid : null;
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
