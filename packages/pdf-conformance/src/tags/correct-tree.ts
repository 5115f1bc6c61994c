// Corrects the tag tree that Chromium wrote, by what the page says about its elements, and finds what only the author can correct.
import type { Page } from "colophon-pdf/page-tree";
import { isString, textString } from "colophon-pdf/values";
import type { ConformanceProblem } from "../problem.ts";
import { correctLists } from "./correct-lists.ts";
import { correctTables } from "./correct-tables.ts";
import {
  boxTypes,
  isContent,
  isTag,
  keepKids,
  tagsIn,
  type MarkedContent,
  type Tag,
  type TagKid,
} from "./structure-tree.ts";
import type { MarkedElement } from "./tag-marks.ts";
import type { TagMarks } from "./take-marks.ts";

/** `repeated` is content that is repeated on a page only for those who see the page. */
export type CorrectedTree = { repeated: MarkedContent[]; problems: ConformanceProblem[] };

type TreeInput = { marks: TagMarks; pages: readonly Page[]; elements: readonly MarkedElement[] };

export function correctTree(top: Tag, { marks, pages, elements }: TreeInput): CorrectedTree {
  const indexes = new Map(pages.map(({ number }, index) => [number, index]));
  const pageOf = (tag: Tag) => {
    const [first] = tagsIn(tag).flatMap(({ kids }) => kids.filter(isContent));
    return first && (indexes.get(first.page) ?? 0) + 1;
  };
  const repeated = [...marks].flatMap(([tag, { isRepeated }]) => (isRepeated ? takeCopies(tag, indexes) : []));
  removeBoxDrawings(top, marks);
  removeDecoration(top);
  for (const tag of tagsIn(top)) if (isGroup(tag, marks)) tag.type = "Div";
  for (const [tag, mark] of marks) nameTag(tag, mark);
  correctLists(top, marks);
  correctTables(top, marks);
  correctOrphans(top);
  inlineTexts(top);
  for (const [index, tag] of tagsIn(top).entries()) if (tag.type === "Note") tag.id ??= `note ${index}`;
  return {
    repeated,
    problems: [
      ...findHeadingProblems(top, marks, pageOf),
      ...findFigureProblems(top, marks, pageOf),
      ...findUntagged(elements, new Set(marks.values())),
    ],
  };
}

/**
 * Takes the copies on later pages from a tag that is printed on several pages, and returns them. A table head that is too high to be
 * repeated may also be on two pages, but then each of its parts is on one.
 */
function takeCopies(tag: Tag, indexes: ReadonlyMap<number, number>): MarkedContent[] {
  const parts = tagsIn(tag).filter(({ kids }) => kids.some(isContent));
  const pagesOf = ({ kids }: Tag) => kids.filter(isContent).map(({ page }) => indexes.get(page) ?? 0);
  const first = Math.min(...parts.flatMap(pagesOf));
  const counts = parts.map((part) => Map.groupBy(pagesOf(part), (page) => page));
  const isCopied = counts.every((pages) => pages.size === counts[0]?.size && pages.has(first));
  if (!isCopied) return [];
  return parts.flatMap((part) => {
    const copies = part.kids.filter(isContent).filter(({ page }) => indexes.get(page) !== first);
    part.kids = part.kids.filter((kid) => !isContent(kid) || !copies.includes(kid));
    return copies;
  });
}

/** Removes what the boxes of lists, tables and rows paint, such as borders, because it would become an item or a cell. */
function removeBoxDrawings(top: Tag, marks: TagMarks): void {
  for (const tag of tagsIn(top)) {
    const isBox = (boxTypes.has(tag.type) || marks.get(tag)?.kind === "terms") && tag.kids.some(isTag);
    if (isBox) keepKids(tag, (kid) => !isContent(kid));
  }
}

/** Tags that mean something although they are empty. */
const keptEmpty = new Set(["Document", "TD", "TH"]);

/** Removes figures that the author has declared to be decoration, and tags without content. */
function removeDecoration(tag: Tag): void {
  for (const kid of tag.kids) if (isTag(kid)) removeDecoration(kid);
  keepKids(tag, (kid) => !isTag(kid) || keptEmpty.has(kid.type) || (kid.kids.length > 0 && !isDecoration(kid)));
}

function isDecoration(tag: Tag): boolean {
  return tag.type === "Figure" && descriptionOf(tag) === "";
}

/** Chromium writes this type for a `figure` too, which groups a picture and its caption. */
function isGroup(tag: Tag, marks: TagMarks): boolean {
  return tag.type === "Figure" && !tag.entries.has("Alt") && marks.get(tag)?.kind !== "figure";
}

/** Gives captions, formulas and drawn controls the types that not all versions of Chromium give them. */
function nameTag(tag: Tag, { kind, name, text }: MarkedElement): void {
  if (kind === "caption") tag.type = "Caption";
  const isFormula = kind === "figure" && name.startsWith("`<math");
  if (!isFormula && (text === "" || kind !== "control" || tag.type === "Form")) return;
  tag.type = isFormula ? "Formula" : "Figure";
  if (text !== "") tag.entries.set("Alt", textString(text));
}

function descriptionOf({ entries }: Tag): string | undefined {
  const description = entries.get("Alt");
  return isString(description) ? description.text.replace(/^\xfe\xff/, "").trim() : undefined;
}

/** Most texts have a tag around them that says nothing. */
function inlineTexts(tag: Tag): void {
  for (const kid of tag.kids) if (isTag(kid)) inlineTexts(kid);
  if (tag.type === "Document" || boxTypes.has(tag.type) || !tag.kids.some((kid) => isTag(kid) && saysNothing(kid)))
    return;
  tag.kids = tag.kids.flatMap((kid): TagKid[] => (isTag(kid) && saysNothing(kid) ? kid.kids : [kid]));
}

function saysNothing({ type, entries, id }: Tag): boolean {
  return type === "NonStruct" && entries.size === 0 && id === null;
}

const parents: Record<string, RegExp> = {
  LI: /^L$/,
  Lbl: /^LI$/,
  LBody: /^LI$/,
  ...Object.fromEntries(["THead", "TBody", "TFoot"].map((part) => [part, /^Table$/])),
  TR: /^T(?:able|Head|Body|Foot)$/,
  TH: /^TR$/,
  TD: /^TR$/,
};

/** Items, rows and cells whose list or table does not exist become divisions, and headings below the sixth level belong to this level. */
function correctOrphans(top: Tag): void {
  for (const { type, kids } of tagsIn(top)) {
    for (const kid of kids) {
      if (!isTag(kid)) continue;
      if (kid.type === "H") kid.type = "H6";
      if (parents[kid.type]?.test(type) === false) kid.type = "Div";
    }
  }
}

type PageOf = (tag: Tag) => number | undefined;

function findHeadingProblems(top: Tag, marks: TagMarks, pageOf: PageOf): ConformanceProblem[] {
  let before = 0;
  return tagsIn(top).flatMap((tag) => {
    const level = Number(/^H([1-6])$/.exec(tag.type)?.[1] ?? 0);
    if (level === 0) return [];
    const [allowed, isJump] = [before + 1, level > before + 1];
    before = level;
    if (!isJump) return [];
    const why =
      allowed === 1
        ? `is the first heading, so its level must be 1, not ${level}.`
        : `follows a heading of level ${allowed - 1}, so its level must be at most ${allowed}, not ${level}.`;
    return [problemOf("7.4.2", marks.get(tag)?.name ?? `\`<h${level}>\``, why, pageOf(tag))];
  });
}

function findFigureProblems(top: Tag, marks: TagMarks, pageOf: PageOf): ConformanceProblem[] {
  return tagsIn(top).flatMap((tag) => {
    if (!/^(?:Figure|Formula)$/.test(tag.type) || descriptionOf(tag)) return [];
    const name = marks.get(tag)?.name ?? "A picture";
    return [problemOf(tag.type === "Formula" ? "7.7" : "7.3", name, undescribed(name), pageOf(tag))];
  });
}

/** Finds the pictures that Chromium has not tagged, and controls and filtered texts, which it does not tag. */
export function findUntagged(
  elements: readonly MarkedElement[],
  tagged: ReadonlySet<MarkedElement>,
): ConformanceProblem[] {
  return elements.flatMap((element) => {
    const { kind, name, text, page } = element;
    const found = (clause: string, why: string) => [problemOf(clause, name, why, page)];
    if (kind === "field" || (kind === "control" && !tagged.has(element)))
      return found("7.1", "has a value that cannot be tagged. Write the value as text.");
    if (kind === "flattened") {
      const cause = `has ${text}, which makes its text a picture that is not read aloud. Remove the style`;
      return found("7.1", `${cause}, or ${decorated(name)}.`);
    }
    if (kind !== "figure" || tagged.has(element)) return [];
    const cause =
      "is not tagged: it is outside of the page, or has a background image or a style such as `filter` or `opacity: 0`. Change this";
    return found("7.3", text === "" ? undescribed(name) : `${cause}, or ${decorated(name)}.`);
  });
}

/** `why` follows the name in the message. Names contain start tags as code. */
function problemOf(clause: string, name: string, why: string, page: number | undefined): ConformanceProblem {
  const place = {
    ...(page !== undefined && { page }),
    ...(name.includes("`") && { element: name.replaceAll("`", "") }),
  };
  return { clause, ...place, message: `${name} ${why}` };
}

function undescribed(name: string): string {
  return name.startsWith("`<img")
    ? `has no description. Write it in \`alt\` or, if the picture is decoration, write \`alt=""\` and no \`role\`.`
    : `has no description. ${name.startsWith("`<math") ? "Write it in `alttext`" : 'Give it `role="img"` and `aria-label`'}, or ${decorated(name)}.`;
}

function decorated(name: string): string {
  return `write ${name.startsWith("`<img") ? '`alt=""`' : '`aria-hidden="true"`'} if it is decoration`;
}
