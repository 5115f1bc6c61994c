// Finds what keeps the documents of a template from conforming to PDF/UA and the levels A of PDF/A, and what programs that read aloud
// could not explain. Only templates that ask for such a standard are checked. Headers and footers are decoration.
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/text";
import { hasMarks, tokensToRender } from "colophon-liquid/marks";
import { isAccessible } from "colophon-pdf/conformance";
import { partName } from "colophon-template-model/compile-template";
import type { TemplateContent } from "colophon-template-model/template";
import { charge, findingCollector, type CheckBudget, type Finding } from "../findings.ts";
import { anyLevel, HeadingLevels } from "./heading-levels.ts";
import { OpenElements } from "./open-elements.ts";
import { readMarkup, type Markup, type MarkupTag } from "./read-markup.ts";

/** What a document gets, in its order. `enter` and `leave` are the ends of a body of a Liquid block. */
type Step = { at: number } & (
  | { kind: "enter"; block: string }
  | { kind: "leave" }
  | { kind: "tag"; tag: MarkupTag; index: number }
  | { kind: "text" }
  | { kind: "output"; code: string }
  | { kind: "part"; name: string; tag: string; isRepeated: boolean }
);

type WalkedFile = Source & { markup: Markup; steps: Step[]; lineOf(index: number): number };

/** What is known about all documents of the template. `parts` are by their names. */
type Known = {
  parts: ReadonlyMap<string, Source>;
  budget: CheckBudget;
  consequence: string;
  /** Finds an output that always prints something. */
  certain: RegExp;
  /** Whether variables may hold markup, so that any output may print headings. */
  storesMarkup: boolean;
  /** Whether styles may hide elements, which need no description then. */
  mayHide: boolean;
};

export function checkAccessibility(content: TemplateContent, budget: CheckBudget): Finding[] {
  const { manifest, pages, parts = [] } = content;
  const { conformance = [] } = manifest;
  if (!isAccessible(conformance)) return [];
  const sources = [...pages, ...parts].map(({ source }) => source);
  const required = manifest.fields.flatMap(({ key, required: isRequired }) => (isRequired ? [key] : []));
  const walk = new DocumentWalk({
    parts: new Map(parts.map((part) => [partName(part.file), part])),
    budget,
    consequence: `so documents cannot conform to ${conformance.join(" and ")}`,
    certain: new RegExp(String.raw`\|\s*asset\b|\{\{-?\s*(?:["']|(?:data\.)?(?:${required.join("|") || "$^"})\b)`),
    storesMarkup: sources.some((text) =>
      /\{%-?\s*(?:capture|liquid)\b|\bassign\b[^%]*\|\s*(?:raw|markdown)\b/.test(text),
    ),
    mayHide: [content.css, ...sources].some((text) => /\bdisplay\s*:\s*none|\bvisibility\b/i.test(text)),
  });
  for (const { name, source } of pages) walk.read({ file: `pages/${name}`, source }, true);
  return [...Map.groupBy(walk.found.values(), ({ file }) => file)].flatMap(([file, found]) => {
    const { report, findings } = findingCollector(budget);
    for (const { line, message, severity } of found) report(line, message, severity);
    return findings.map((finding): Finding => ({ ...finding, file }));
  });
}

type Source = { file: string; source: string };

class DocumentWalk {
  /** By their places, because a part may be rendered often. */
  readonly found = new Map<string, Finding>();
  readonly #known: Known;
  readonly #files = new Map<string, WalkedFile>();
  readonly #levels = new HeadingLevels();
  readonly #open = new OpenElements();

  constructor(known: Known) {
    this.#known = known;
  }

  /** `isCertain` is whether every document has the file. */
  read(source: Source, isCertain: boolean): void {
    const walked = this.#files.get(source.file) ?? walkedFile(source);
    this.#files.set(source.file, walked);
    const { steps } = walked;
    const layout = steps.find((step) => step.kind === "part" && step.tag === "layout");
    // The layout decides where the content of the file is printed.
    if (layout) this.#levels.set(anyLevel);
    const isCertainHere = () => isCertain && !layout && !this.#levels.isInBody();
    let tagEnd = 0;
    for (const step of steps) {
      if (!charge(this.#known.budget, 1) || this.#open.isTooDeep) return;
      if (step.kind === "enter") this.#levels.enter(step.block);
      else if (step.kind === "leave") this.#levels.leave();
      else if (step.kind === "text") this.#open.readText();
      else if (step.kind === "part") {
        const part = this.#known.parts.get(step.name);
        if (part) this.read(part, step.tag === "layout" ? isCertain : isCertainHere() && !step.isRepeated);
        if (step.isRepeated || step.tag === "layout") this.#levels.set(anyLevel);
      } else if (step.kind === "output") {
        const { code, at } = step;
        const mayPrintHeadings = this.#known.storesMarkup || /\|\s*(?:raw|markdown)\b|\bblock\.super\b/.test(code);
        if (mayPrintHeadings) this.#levels.set(anyLevel);
        if (mayPrintHeadings) this.#open.readUnknown();
        if (at < tagEnd || this.#open.isQuiet || !/\|\s*(?:qr_code|barcode)\b/.test(code)) continue;
        const message = `the barcode has no description, ${this.#known.consequence}; write \`role="img"\` and \`aria-label\` on the element around it`;
        this.#report(walked, at, message, isCertainHere() && this.#known.certain.test(code));
      } else {
        tagEnd = step.tag.end;
        this.#readTag(walked, step, isCertainHere());
      }
    }
  }

  #readTag(walked: WalkedFile, { tag, index }: { tag: MarkupTag; index: number }, isCertain: boolean): void {
    const { source, markup } = walked;
    const { consequence, certain } = this.#known;
    if (tag.kind === "end") {
      const problem = this.#open.end(tag);
      if (problem) this.#report(walked, problem.start, problem.message, false);
      return;
    }
    const next = markup.pieces.slice(index + 1, index + 3).find(({ kind }) => kind === "start");
    const problem = this.#open.start(tag, {
      isTitled: next?.kind === "start" && next.name === "title",
      isRepeated: this.#levels.isInLoop(),
    });
    if (problem) {
      const written = source.slice(tag.start, tag.end);
      const isShown = tag.name !== "img" || !written.includes("{{") || certain.test(written);
      this.#report(walked, tag.start, `${problem.what}, ${consequence}; ${problem.advice}`, isCertain && isShown);
    }
    const level = headingLevel(tag);
    if (level === null) return;
    if (level === anyLevel) return this.#levels.set(anyLevel);
    const isPrinted = hasText(contentOf(walked, index), certain);
    const jump = this.#open.isQuiet ? null : this.#levels.jumpTo(level);
    if (jump !== null) {
      const after = jump === 0 ? "is the first heading" : `follows a heading of level ${jump}`;
      const message = `${quoted(`<h${level}>`)} ${after}, ${consequence}; write ${quoted(`<h${jump + 1}>`)}${jump > 0 ? " or higher" : ""}`;
      this.#report(walked, tag.start, message, isCertain && isPrinted);
    }
    this.#levels.heading(level, isPrinted && !this.#known.mayHide && !this.#open.isQuiet);
  }

  /** Mistakes that make every render fail are errors. */
  #report({ file, lineOf }: WalkedFile, start: number, message: string, failsAlways: boolean): void {
    const severity = failsAlways && !this.#known.mayHide ? "error" : "warning";
    const place = `${file}:${start}`;
    if (this.found.has(place) && severity === "warning") return;
    this.found.set(place, { severity, file, line: lineOf(start), message });
  }
}

function walkedFile(given: Source): WalkedFile {
  const { source } = given;
  const markup = readMarkup(source);
  const steps: Step[] = markup.bodies.flatMap(({ tag: block, start, end }): Step[] => [
    { kind: "enter", at: start, block },
    { kind: "leave", at: end },
  ]);
  for (const [index, piece] of markup.pieces.entries()) {
    if (piece.kind !== "text") steps.push({ kind: "tag", at: piece.start, tag: piece, index });
    else if (markup.text.slice(piece.start, piece.end).trim() !== "") steps.push({ kind: "text", at: piece.start });
  }
  for (const token of tokensToRender(source)) {
    const at = token.start;
    if (token.kind === "output") steps.push({ kind: "output", at, code: source.slice(at, token.end) });
    if (token.kind !== "tag" || (token.name !== "render" && token.name !== "layout")) continue;
    const [, name = "", rest = ""] = /^\s*["']([\w-]+)["']([^]*)/.exec(token.markup) ?? [];
    steps.push({ kind: "part", at, name, tag: token.name, isRepeated: /^\s*for\b/.test(rest) });
  }
  return { ...given, markup, lineOf: lineCounter(source), steps: steps.sort((a, b) => a.at - b.at) };
}

/** Returns the level of a heading; `anyLevel` if it is not certain, and null for other elements. */
function headingLevel({ name, isForeign, attributes }: MarkupTag): number | null {
  const [, level] = /^h([1-6])$/.exec(isForeign ? "" : name) ?? [];
  const role = attributes.find((attribute) => attribute.name === "role");
  if (level !== undefined) return role ? anyLevel : Number(level);
  return role?.value === "heading" || (hasMarks(name) && name.startsWith("h")) ? anyLevel : null;
}

/** Returns the source from the start tag to the next end tag of the same name. */
function contentOf({ source, markup: { pieces } }: WalkedFile, index: number): string {
  const start = pieces[index];
  if (start?.kind !== "start") return "";
  const end = pieces.slice(index, index + 100).find((piece) => piece.kind === "end" && piece.name === start.name);
  return end ? source.slice(start.end, end.start) : "";
}

/** Returns whether the content always has text. */
function hasText(content: string, certain: RegExp): boolean {
  if (content.includes("{%")) return false;
  return certain.test(content) || content.replace(/\{\{[^]*?\}\}|<[^>]*>|&nbsp;/g, "").trim() !== "";
}
