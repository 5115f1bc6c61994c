// The tag tree of a file: reads it, and writes it again after it was corrected.
import type { PdfFile } from "colophon-pdf/open-pdf";
import { catalogOf, type Page } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import {
  dictionaryOf,
  isDictionary,
  isName,
  isReference,
  isString,
  name,
  reference,
  type PdfDictionary,
  type PdfValue,
} from "colophon-pdf/values";
import { standardTypes } from "../validation/tag-types.ts";

/** A structure element. `number` is its object; 0 for a new one. `entries` are all others but its kids, its parent and its `/ID`. */
export type Tag = {
  number: number;
  type: string;
  id: string | null;
  entries: PdfDictionary;
  kids: TagKid[];
};
/** Marked content of a page, or of a form with its own numbers; or an annotation. All are object numbers. */
export type TagKid = Tag | MarkedContent | TaggedAnnotation;
export type MarkedContent = { page: number; stream: number | null; mcid: number };
export type TaggedAnnotation = { page: number; annotation: number };

/** The types of boxes, which have other tags inside, but no content. */
export const boxTypes = new Set(["L", "LI", "Table", "THead", "TBody", "TFoot", "TR"]);

export const isTag = (kid: TagKid): kid is Tag => "kids" in kid;
export const isContent = (kid: TagKid): kid is MarkedContent => "mcid" in kid;
export const isAnnotation = (kid: TagKid): kid is TaggedAnnotation => "annotation" in kid;

export function newTag(type: string, kids: TagKid[] = [], entries: PdfDictionary = new Map()): Tag {
  return { number: 0, type, id: null, entries, kids };
}

/** Returns the tag and all tags inside, parents first. */
export function tagsIn(top: Tag): Tag[] {
  const tags: Tag[] = [];
  const open = [top];
  for (let tag = open.pop(); tag; tag = open.pop()) {
    tags.push(tag);
    for (let at = tag.kids.length - 1; at >= 0; at--) {
      const kid = tag.kids[at];
      if (kid && isTag(kid)) open.push(kid);
    }
  }
  return tags;
}

/** Most tags keep all their kids, and no new list is made for them. */
export function keepKids(tag: Tag, isKept: (kid: TagKid) => boolean): void {
  if (!tag.kids.every(isKept)) tag.kids = tag.kids.filter(isKept);
}

/** The depth of a tag tree is limited, because every level is a call. */
const maxDepth = 1_000;
const ownEntries = new Set(["Type", "S", "P", "K", "Pg", "ID"]);

/** `objects` are the numbers of all objects of the tree as it was read, its root included. */
export type ReadTags = { top: Tag; objects: ReadonlySet<number> };

/** Returns null if the file has no tags. Throws `PdfError` if the tree is malformed. */
export function readTags(file: PdfFile): ReadTags | null {
  const root = file.resolve(catalogOf(file).get("StructTreeRoot"));
  const top = isDictionary(root) ? root.get("K") : null;
  const visited = new Set<number>();
  const read = (number: number, source: PdfDictionary, depth: number): Tag => {
    if (visited.has(number) || depth > maxDepth) throw new PdfError("the tag tree is circular or too deep");
    visited.add(number);
    const [type, id, page] = [source.get("S"), source.get("ID"), source.get("Pg")];
    if (!isName(type)) throw new PdfError("a tag has no type");
    const kids = source.get("K") ?? [];
    const entries: PdfDictionary = new Map();
    source.forEach((value, key) => {
      if (!ownEntries.has(key)) entries.set(key, value);
    });
    return {
      number,
      type: type.text,
      id: isString(id) ? id.text : null,
      entries,
      kids: (Array.isArray(kids) ? kids : [kids]).map((kid) => kidOf(kid, numberOf(page), depth)),
    };
  };
  const kidOf = (kid: PdfValue, tagPage: number, depth: number): TagKid => {
    if (typeof kid === "number") return { page: tagPage, stream: null, mcid: kid };
    const value = file.resolve(kid);
    if (!isDictionary(value)) throw new PdfError("a tag has malformed content");
    if (isReference(kid) && value.has("S")) return read(kid.number, value, depth + 1);
    if (isReference(kid)) visited.add(kid.number);
    const page = value.has("Pg") ? numberOf(value.get("Pg")) : tagPage;
    if (value.has("Obj")) return { page, annotation: numberOf(value.get("Obj")) };
    const [mcid, stream] = [value.get("MCID"), value.get("Stm")];
    if (typeof mcid !== "number") throw new PdfError("a tag has malformed content");
    return { page, stream: stream === undefined ? null : numberOf(stream), mcid };
  };
  const value = file.resolve(top ?? null);
  if (!isReference(top) || !isDictionary(value)) return null;
  const tag = read(top.number, value, 0);
  addIndexObjects(file, visited);
  return { top: tag, objects: visited };
}

/** Adds the root of the tree, its indexes, and tags that only these have. */
function addIndexObjects(file: PdfFile, numbers: Set<number>): void {
  const collect = (value: PdfValue | undefined): void => {
    if (isReference(value) && numbers.has(value.number)) return;
    if (isReference(value)) numbers.add(value.number);
    const inner = file.resolve(value);
    if (Array.isArray(inner)) inner.forEach(collect);
    else if (isDictionary(inner)) for (const key of treeEntries) collect(inner.get(key));
  };
  collect(catalogOf(file).get("StructTreeRoot"));
}

const treeEntries = ["K", "ParentTree", "IDTree", "Kids", "Nums"];

function numberOf(value: PdfValue | undefined): number {
  return isReference(value) ? value.number : 0;
}

/** The objects of a corrected tree by number, and the numbers of its root and its index. `keyOf` has the key of each page, form and annotation. */
export type WrittenTags = {
  objects: Map<number, PdfDictionary>;
  root: number;
  index: number;
  keyOf: Map<number, number>;
  /** One more than the highest number. */
  size: number;
};

/** The types of PDF 2.0, for programs that do not know it. Other types that are not in PDF 1.7 become divisions. */
const roleMap: Record<string, string> = {
  Strong: "Span",
  Em: "Span",
  Sub: "Span",
  Aside: "Div",
  Title: "P",
  FENote: "Note",
};
const elementType = name("StructElem");

/** New objects have numbers from `firstNumber` on. Ids become consecutive numbers, in the order of the tree. */
export function writeTags(top: Tag, pages: readonly Page[], firstNumber: number): WrittenTags {
  let nextNumber = firstNumber;
  const objects = new Map<number, PdfDictionary>();
  const [root, parents] = [nextNumber++, nextNumber++];
  const owners = tagOwners();
  const tags = tagsIn(top);
  for (const tag of tags) tag.number ||= nextNumber++;
  const ids = new Map<string, string>();
  for (const { id } of tags) if (id !== null) ids.set(id, `node${String(ids.size + 1).padStart(8, "0")}`);
  const write = (tag: Tag, parent: number): void => {
    const page = tag.kids.find(isContent);
    for (const kid of tag.kids) owners.add(tag.number, kid);
    const entries: PdfDictionary = new Map();
    entries.set("Type", elementType).set("S", name(tag.type)).set("P", reference(parent));
    if (page) entries.set("Pg", reference(page.page));
    tag.entries.forEach((value, key) => entries.set(key, key === "A" && ids.size > 0 ? withIds(value, ids) : value));
    const id = tag.id === null ? undefined : ids.get(tag.id);
    if (id !== undefined) entries.set("ID", { type: "string", text: id });
    const kids = tag.kids.map((kid) => kidValue(kid, page?.page));
    if (kids.length > 0) entries.set("K", kids.length === 1 ? (kids[0] ?? null) : kids);
    objects.set(tag.number, entries);
    for (const kid of tag.kids) if (isTag(kid)) write(kid, tag.number);
  };
  write(top, root);
  const { keyOf, nums } = owners.keys(pages);
  const types = new Set(tags.map(({ type }) => type).filter((type) => !standardTypes.has(type)));
  const roles = [...types].sort().map((type) => [type, name(roleMap[type] ?? "Div")] as const);
  const entries: PdfDictionary = dictionaryOf({
    Type: name("StructTreeRoot"),
    K: reference(top.number),
    ParentTree: reference(parents),
  });
  objects.set(parents, dictionaryOf({ Nums: nums }));
  if (roles.length > 0) entries.set("RoleMap", new Map(roles));
  if (ids.size > 0) {
    const [idRoot, idLeaf] = [nextNumber++, nextNumber++];
    const numbers = new Map(
      tags.flatMap(({ id, number }) => (id === null ? [] : [[ids.get(id) ?? "", number] as const])),
    );
    const names = [...numbers].flatMap(([text, number]): PdfValue[] => [{ type: "string", text }, reference(number)]);
    objects.set(idLeaf, dictionaryOf({ Names: names }));
    objects.set(idRoot, dictionaryOf({ Kids: [reference(idLeaf)] }));
    entries.set("IDTree", reference(idRoot));
  }
  objects.set(root, entries);
  return { objects, root, index: parents, keyOf, size: nextNumber };
}

function kidValue(kid: TagKid, tagPage: number | undefined): PdfValue {
  if (isTag(kid)) return reference(kid.number);
  const page = reference(kid.page);
  if (isAnnotation(kid)) return dictionaryOf({ Type: name("OBJR"), Obj: reference(kid.annotation), Pg: page });
  if (kid.stream === null && kid.page === tagPage) return kid.mcid;
  const entries = { Type: name("MCR"), Pg: page, MCID: kid.mcid };
  return dictionaryOf(kid.stream === null ? entries : { ...entries, Stm: reference(kid.stream) });
}

/** The headers of cells are ids. */
function withIds(value: PdfValue, ids: ReadonlyMap<string, string>): PdfValue {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  const headers = isDictionary(value) ? value.get("Headers") : null;
  if (!isDictionary(value) || !Array.isArray(headers)) return value;
  const renamed = headers.map((id) => (isString(id) ? { ...id, text: ids.get(id.text) ?? id.text } : id));
  return new Map([...value, ["Headers", renamed]]);
}

/** Collects which tag has which content, for the tree in which readers look for the tag of a piece of content. */
function tagOwners() {
  /** By page or form, the tags of its marked content by number. */
  const contents = new Map<number, number[]>();
  const annotations = new Map<number, number>();
  return {
    add(tag: number, kid: TagKid) {
      if (isAnnotation(kid)) annotations.set(kid.annotation, tag);
      if (!isContent(kid)) return;
      const place = kid.stream ?? kid.page;
      const list = contents.get(place) ?? [];
      if (kid.mcid > maxMcid || list[kid.mcid] !== undefined) throw new PdfError("marked content has two tags");
      list[kid.mcid] = tag;
      contents.set(place, list);
    },
    /** Pages have the first keys. */
    keys(pages: readonly Page[]) {
      const places = new Set([
        ...pages.map(({ number }) => number).filter((page) => contents.has(page)),
        ...contents.keys(),
      ]);
      const keyOf = new Map([...places, ...annotations.keys()].map((place, index) => [place, index]));
      const lists = [...places].map((place) =>
        Array.from(contents.get(place) ?? [], (tag) => (tag ? reference(tag) : null)),
      );
      const values = [...lists, ...Array.from(annotations.values(), reference)];
      return { keyOf, nums: values.flatMap((value, index): PdfValue[] => [index, value]) };
    },
  };
}

/** Chromium numbers the content of a page from 0. */
const maxMcid = 1_000_000;
