// Finds the tags of elements about which the page knows more than the browser writes. The page marks such an element with a private part of
// its language, which Chromium copies into the tag tree, and which the finished file does not have.
import { isString, type PdfString } from "../syntax/values.ts";
import { isTag, type Tag } from "./structure-tree.ts";

/** What an element is, beside its tag. */
export type MarkKind = "link" | "figure" | "heading" | "head" | "foot" | "fixed" | "list" | "term" | "definition";
/** `name` names the element to its author. `text` is the text of a link. */
export type MarkedElement = { kind: MarkKind; name: string; text: string };

/** Returns the language tag that marks an element; `language` is the element's own language, or empty. */
export function markedLanguage(language: string, index: number): string {
  const isPrivate = /(?:^|-)x-/i.test(language);
  return `${language}${language === "" ? "" : "-"}${isPrivate ? "" : "x-"}colophon-${index}`;
}

const markedTag = /^(?:(.*?)-)??(?:x-)?colophon-(\d{1,7})$/i;

/** By tag, the marks of its element. */
export type TagMarks = ReadonlyMap<Tag, MarkedElement>;

/** Returns the marked tags, and gives all tags their languages without the marks. */
export function takeMarks(top: Tag, elements: readonly MarkedElement[]): TagMarks {
  const marks = new Map<Tag, MarkedElement>();
  const take = (tag: Tag, outerLanguage: string): void => {
    const value = tag.entries.get("Lang");
    const [, language = "", index] = isString(value) ? (markedTag.exec(value.text) ?? [value.text, value.text]) : [];
    const element = elements[Number(index)];
    if (element) marks.set(tag, element);
    if (language === "" || language === outerLanguage) tag.entries.delete("Lang");
    else tag.entries.set("Lang", stringOf(language));
    for (const kid of tag.kids) if (isTag(kid)) take(kid, language || outerLanguage);
  };
  take(top, "");
  return marks;
}

function stringOf(text: string): PdfString {
  return { type: "string", text };
}
