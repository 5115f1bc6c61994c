// Marks of elements about which the page knows more than the browser writes. The page marks such an element with a private part of its
// language, which Chromium copies into the tag tree, and which the finished file does not have.

/** What an element is, beside its tag. */
export type MarkKind =
  | "link"
  | "figure"
  | "heading"
  | "field"
  | "control"
  | "flattened"
  | "head"
  | "foot"
  | "list"
  | "caption"
  | "cell"
  | "terms"
  | "term"
  | "definition"
  | "other";
/**
 * `name` names the element to its author. `text` is the text of a link, the description of a picture, the value of a control, the style that makes a text a picture, or the numbering of a list as PDF names
 * it, `Other` if it has no name. `isRepeated` is whether the element is printed on every page, as a row in the head or the foot of a table is. `cellsBefore` has the spans of
 * the cells before this one in its row, if some of them may be empty, because Chromium does not tag empty cells. `rowsAfter` is the number of rows with text that follow the header of a group of rows in this group.
 * `before` and `after` are the texts
 * that styles add to the element. `place` is the name of the
 * destination of an element that cannot be tagged, and `page` the page on which it is.
 */
export type MarkedElement = {
  kind: MarkKind;
  name: string;
  text: string;
  isRepeated: boolean;
  cellsBefore?: CellSpan[];
  rowsAfter?: number;
  before?: string;
  after?: string;
  place?: string;
  page?: number;
};
/** These characters for private use stand for what the page does not know in a text that styles add. */
export const generatedParts = { leader: "\uf8fd", number: "\uf8fe", quote: "\uf8ff" } as const;

export type CellSpan = { columns: number; rows: number };

/** Returns the language tag that marks an element; `language` is the element's own language, or empty. */
export function markedLanguage(language: string, index: number): string {
  const isPrivate = /(?:^|-)x-/i.test(language);
  return `${language}${language === "" ? "" : "-"}${isPrivate ? "" : "x-"}colophon-${index}`;
}

const marked = /^(?:(.*?)-)??(?:x-)?colophon-(\d{1,7})$/i;

/** Returns the index of the mark, and the language without it. `index` is NaN if there is no mark. */
export function markIn(language: string): { language: string; index: number } {
  const [, unmarked = "", index] = marked.exec(language) ?? [language, language];
  return { language: unmarked, index: Number(index) };
}
