// Finds the tags of the elements that the page has marked.
import { isString } from "colophon-pdf/values";
import { isTag, type Tag } from "./structure-tree.ts";
import { markIn, type MarkedElement } from "./tag-marks.ts";

/** By tag, the marks of its element. */
export type TagMarks = ReadonlyMap<Tag, MarkedElement>;

/** Returns the marked tags, and gives all tags their languages without the marks. */
export function takeMarks(top: Tag, elements: readonly MarkedElement[]): TagMarks {
  const marks = new Map<Tag, MarkedElement>();
  const take = (tag: Tag, outerLanguage: string): void => {
    const value = tag.entries.get("Lang");
    const { language: written, index } = markIn(isString(value) ? value.text : "");
    const language = languageTag(written);
    const element = elements[index];
    if (element) marks.set(tag, element);
    if (language === "" || language === outerLanguage) tag.entries.delete("Lang");
    else tag.entries.set("Lang", { type: "string", text: language });
    for (const kid of tag.kids) if (isTag(kid)) take(kid, language || outerLanguage);
  };
  take(top, "");
  return marks;
}

/** Returns the language as a tag of BCP 47, so `en-US` for `en_US`; empty if it is none. */
function languageTag(language: string): string {
  const tag = language.replaceAll("_", "-");
  return /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i.test(tag) ? tag : "";
}
