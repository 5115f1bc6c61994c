// The rules for marked content: what may be inside of which, and its languages.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import type { PdfDictionary, PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { dictionaryAt } from "./file.ts";
import { checkLanguage, noLanguage } from "./tag-rules.ts";

/** The marked content around an operator. */
export type Mark = { tag: PdfValue; isArtifact: boolean; hasText: boolean; hasLanguage: boolean };
/** The content of a page before any mark. Patterns and glyphs have none at all, because they are part of what is painted with them. */
export const unmarked: Mark = { tag: null, isArtifact: false, hasText: false, hasLanguage: false };

type Input = { file: FinishedPdf; report: Report; hasLanguage: boolean };

/** `tag` is the tag that has the content itself; null for none. */
export function nestedMark(
  input: Input,
  outer: Mark,
  { name, about, tag: own }: { name: string; about: PdfDictionary; tag: PdfValue },
): Mark {
  const { file, report } = input;
  const [tag, isArtifact] = [own ?? outer.tag, name === "Artifact"];
  const hasLanguage = outer.hasLanguage || about.has("Lang") || (!input.hasLanguage && hasEntry(file, tag, "Lang"));
  if (isArtifact && tag !== null) report("7.1-1", "An artifact is inside of tagged content.");
  if (outer.isArtifact && tag !== null) report("7.1-2", "Tagged content is inside of an artifact.");
  if (about.has("Lang")) checkLanguage(file, about.get("Lang"), report);
  if (!input.hasLanguage && !hasLanguage && name === "Span") {
    if (about.has("ActualText")) report("7.2-30", `A replacement text ${noLanguage}`);
    if (about.has("Alt")) report("7.2-31", `A description ${noLanguage}`);
    if (about.has("E")) report("7.2-32", `An expansion ${noLanguage}`);
  }
  const hasText = outer.hasText || about.has("ActualText");
  return { tag, isArtifact: outer.isArtifact || isArtifact, hasText, hasLanguage };
}

/** Whether programs read a different text instead of the glyphs. */
export function isReplaced(file: FinishedPdf, mark: Mark | null): boolean {
  return mark !== null && (mark.hasText || hasEntry(file, mark.tag, "ActualText"));
}

/** Whether a tag or one of those around it has the entry. */
function hasEntry(file: FinishedPdf, tag: PdfValue, key: string): boolean {
  let value: PdfValue = tag;
  for (let depth = 0; depth < maxTagDepth && value !== null; depth++) {
    const entries: PdfDictionary = dictionaryAt(file, value);
    if (entries.has(key)) return true;
    value = entries.get("P") ?? null;
  }
  return false;
}

const maxTagDepth = 1_000;
