// The rules for the tag tree: which types may stand in which, what they must say, and that the index of the tree agrees with it.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { catalogOf } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import { isDictionary, isReference, isString, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { dictionaryAt, listOf, readableText, textOf } from "./file.ts";
import { checkTable, type Cell } from "./table-rules.ts";
import { typeReader } from "./tag-types.ts";

/** What content and annotations need to know about the tags. */
export type TagIndex = {
  /** Returns the tags of the marked content of a page or form by number, or the tag of an annotation. */
  owners: (key: PdfValue | undefined) => PdfValue;
  typeOf: (tag: PdfDictionary) => string;
  /** The tags of each page, form or annotation as the tree has them, by its number. */
  claimed: Map<number, PdfValue[]>;
};

/** Kids of these types count as the kids of the tag around it. */
const transparentTypes = new Set(["NonStruct", "Div", "Part"]);

const clausesOfParents = clauseTable(
  "TR 7.2-4 Table THead TBody TFoot|THead 7.2-5 Table|TBody 7.2-6 Table|TFoot 7.2-7 Table|TH 7.2-8 TR|TD 7.2-9 TR|LI 7.2-17 L|LBody 7.2-18 LI|" +
    "TOCI 7.2-26 TOC",
);
const clausesOfKids = clauseTable(
  "Table 7.2-3 TR THead TBody TFoot Caption|TR 7.2-10 TH TD|THead 7.2-36 TR|TBody 7.2-37 TR|TFoot 7.2-38 TR|L 7.2-19 L LI Caption|" +
    "LI 7.2-20 Lbl LBody|TOC 7.2-27 TOC TOCI Caption",
);

function clauseTable(source: string) {
  const rows = source.split("|").map((row) => row.split(" "));
  return new Map(rows.map(([type = "", clause = "", ...types]) => [type, { clause, types: new Set(types) }]));
}

/** A tag while its kids are read. `cells` are those of a row, and `rows` those of a table or of a part of it. */
type Open = { type: string; kids: string[]; cells: Cell[]; rows: Cell[][] };

const malformed = "The tag tree is malformed.";
/** Chromium's trees are as deep as the page; every level is a call. */
const maxDepth = 1_000;

/** Returns null if the file has no tags. */
export function checkTags(file: FinishedPdf, hasLanguage: boolean, report: Report): TagIndex | null {
  const root = dictionaryAt(file, catalogOf(file).get("StructTreeRoot"));
  if (textOf(root.get("Type")) !== "StructTreeRoot") {
    report("6.7.3.3-1", "The file has no tags.");
    return null;
  }
  const typeOf = typeReader(dictionaryAt(file, root.get("RoleMap")), report);
  const [claims, checkEntries] = [claimsOf(report), entryChecks(file, report)];
  const visited = new Set<PdfDictionary>();
  const annotationsOf = (tag: PdfDictionary) =>
    listOf(file, tag.get("K")).filter((kid) => dictionaryAt(file, kid).has("Obj"));

  const visit = (value: PdfValue, tag: PdfDictionary, parent: Open, depth: number, knowsLanguage: boolean): void => {
    if (depth > maxDepth || visited.has(tag)) throw new PdfError("the tag tree is circular or too deep");
    visited.add(tag);
    const type = typeOf(textOf(tag.get("S")));
    const isTransparent = transparentTypes.has(type);
    const open: Open = isTransparent ? parent : { type, kids: [], cells: [], rows: [] };
    const parents = clausesOfParents.get(type);
    if (parents && !parents.types.has(parent.type))
      report(parents.clause, `A tag ${type} is inside of ${parent.type}.`);
    if (!isTransparent) parent.kids.push(type);
    const language = knowsLanguage || tag.has("Lang");
    checkEntries(tag, type, language);
    visitKids(value, tag, open, depth, language);
    if (type === "Form" && annotationsOf(tag).length !== 1 && attribute(file, tag, "PrintField", "Role") === null)
      report("7.18.4-2", "A tag Form has no field.");
    if (type === "TH" || type === "TD") parent.cells.push(cellOf(file, tag, type));
    else if (type === "TR") parent.rows.push(open.cells);
    else if (type === "THead" || type === "TBody" || type === "TFoot") parent.rows.push(...open.rows);
    else if (type === "Table") checkTable(open.rows, report);
    if (!isTransparent) checkKids(open, report);
  };

  const visitKids = (value: PdfValue, tag: PdfDictionary, open: Open, depth: number, language: boolean): void => {
    for (const kid of listOf(file, tag.get("K"))) {
      const inner = file.resolve(kid);
      const type = isDictionary(inner) ? textOf(inner.get("Type")) : "";
      if (typeof inner === "number") claims.add(tag.get("Pg"), inner, value);
      else if (!isDictionary(inner)) report("6.7", malformed);
      else if (type === "OBJR") claims.add(inner.get("Obj"), 0, value);
      else if (type === "MCR")
        claims.add(inner.get("Stm") ?? inner.get("Pg") ?? tag.get("Pg"), inner.get("MCID"), value);
      else {
        if (type !== "StructElem" || dictionaryAt(file, inner.get("P")) !== tag) report("6.7", malformed);
        visit(kid, inner, open, depth + 1, language);
      }
    }
  };

  const top: Open = { type: "StructTreeRoot", kids: [], cells: [], rows: [] };
  visitKids(null, root, top, 0, hasLanguage);
  checkKids(top, report);
  const index = numberTree(file, root.get("ParentTree"));
  return {
    owners: (key) => (typeof key === "number" ? file.resolve(index.get(key)) : null),
    typeOf: (tag) => (tag.size === 0 ? "" : typeOf(textOf(tag.get("S")))),
    claimed: claims.claimed,
  };
}

function claimsOf(report: Report) {
  const claimed: TagIndex["claimed"] = new Map();
  return {
    claimed,
    add(place: PdfValue | undefined, index: PdfValue | undefined, tag: PdfValue): void {
      const key = isReference(place) ? place.number : -1;
      const list = claimed.get(key) ?? [];
      if (typeof index !== "number" || list[index] !== undefined) report("6.7", "Marked content has two tags.");
      else list[index] = tag;
      claimed.set(key, list);
    },
  };
}

/** Checks that the index has the same tag for each piece of marked content of a page or form as the tree. */
export function checkIndex(
  file: FinishedPdf,
  tags: TagIndex,
  place: number,
  key: PdfValue | undefined,
  report: Report,
): void {
  const [claimed, indexed] = [tags.claimed.get(place) ?? [], tags.owners(key)];
  const owners = Array.isArray(indexed) ? indexed : [];
  for (let mcid = 0; mcid < Math.max(claimed.length, owners.length); mcid++) {
    const [tag, owner] = [file.resolve(claimed[mcid]), file.resolve(owners[mcid])];
    if (tag !== owner) return report("6.7", "The index of the tags gives marked content a different tag.");
  }
}

export const noLanguage = "has no language.";

/** Returns the checks of a tag's own entries. They depend on the tags before it. */
function entryChecks(file: FinishedPdf, report: Report) {
  const notes = new Set<string>();
  let level = 0;
  let heading = "";
  const checkHeading = (type: string): void => {
    if (heading !== "" && heading.length !== type.length)
      report(type === "H" ? "7.4.4-2" : "7.4.4-3", "Some headings have levels, and some have none.");
    heading = type;
    if (type === "H") return;
    const next = Number(type.slice(1));
    if (next > level + 1) report("7.4.2-1", `A heading of level ${next} follows one of level ${level}.`);
    level = next;
  };
  return (tag: PdfDictionary, type: string, hasLanguage: boolean): void => {
    const [actual, alt] = [tag.get("ActualText"), tag.get("Alt")];
    if (!tag.has("P")) report("7.1-12", "A tag has no parent.");
    if ((type === "Figure" || type === "Formula") && actual === undefined && !isText(file, alt))
      report(type === "Figure" ? "7.3-1" : "7.7-1", `A tag ${type} has no description.`);
    else if (type === "Note") checkNote(file.resolve(tag.get("ID")), notes, report);
    else if (type.startsWith("H") && type.length <= 2) checkHeading(type);
    if (tag.has("Lang")) checkLanguage(file, tag.get("Lang"), report);
    if (hasLanguage) return;
    if (actual !== undefined) report("7.2-21", `A replacement text ${noLanguage}`);
    if (alt !== undefined) report("7.2-22", `A description ${noLanguage}`);
    if (tag.has("E")) report("7.2-23", `An expansion ${noLanguage}`);
  };
}

function checkNote(id: PdfValue, notes: Set<string>, report: Report): void {
  if (!isString(id) || id.text === "") return report("7.9-1", "A note has no identifier.");
  if (notes.has(id.text)) report("7.9-2", "Two notes have the same identifier.");
  notes.add(id.text);
}

export function isText(file: FinishedPdf, value: PdfValue | undefined): boolean {
  const text = file.resolve(value);
  return isString(text) && readableText(text.text) !== "";
}

export function checkLanguage(file: FinishedPdf, value: PdfValue | undefined, report: Report): void {
  const language = file.resolve(value);
  const text = isString(language) ? readableText(language.text) : "";
  if (text === "") report("7.2-29", "A language is empty.");
  else if (!/^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(text)) report("6.7.4-1", "A language is malformed.");
}

function checkKids({ type, kids }: Open, report: Report): void {
  const allowed = clausesOfKids.get(type);
  const wrong = allowed && kids.find((kid) => !allowed.types.has(kid));
  if (allowed && wrong !== undefined) report(allowed.clause, `A tag ${type} contains ${wrong || "an unknown type"}.`);
  const count = (kind: string) => kids.reduce((sum, kid) => (kid === kind ? sum + 1 : sum), 0);
  const last = kids.lastIndexOf("Caption");
  if (type === "Table") {
    const [heads, feet, bodies] = [count("THead"), count("TFoot"), count("TBody")];
    if (heads > 1) report("7.2-11", "A table has two heads.");
    if (feet > 1) report("7.2-12", "A table has two feet.");
    if (feet > 0 && bodies === 0) report("7.2-13", "A table with a foot has no body.");
    if (heads > 0 && bodies === 0) report("7.2-14", "A table with a head has no body.");
    if (kids.slice(1, -1).includes("Caption")) report("7.2-16", "The caption of a table is neither first nor last.");
    if (count("Caption") > 1) report("7.2-39", "A table has two captions.");
  } else if (last > 0 && (type === "L" || type === "TOC"))
    report(type === "L" ? "7.2-40" : "7.2-28", "The caption of a list is not its first tag.");
  if (kids.length > 1 && count("H") > 1) report("7.4.4-1", "A tag has two headings without a level.");
}

function cellOf(file: FinishedPdf, tag: PdfDictionary, type: string): Cell {
  const span = (key: string) => {
    const value = attribute(file, tag, "Table", key);
    return typeof value === "number" && value >= 1 ? Math.trunc(value) : 1;
  };
  const texts = (value: PdfValue | undefined) =>
    listOf(file, value).flatMap((item) => (isString(item) ? item.text : []));
  return {
    isHeader: type === "TH",
    id: texts(tag.get("ID"))[0] ?? "",
    columns: span("ColSpan"),
    rows: span("RowSpan"),
    scope: textOf(attribute(file, tag, "Table", "Scope")),
    headers: texts(attribute(file, tag, "Table", "Headers")),
  };
}

/** Returns an attribute of a tag; null if the tag has none with this owner. */
function attribute(file: FinishedPdf, tag: PdfDictionary, owner: string, key: string): PdfValue {
  if (!tag.has("A")) return null;
  for (const item of listOf(file, tag.get("A"))) {
    const attributes = dictionaryAt(file, item);
    if (attributes.has(key) && textOf(attributes.get("O")) === owner) return file.resolve(attributes.get(key));
  }
  return null;
}

const maxTreeDepth = 10;

function numberTree(
  file: FinishedPdf,
  root: PdfValue | undefined,
  entries = new Map<number, PdfValue>(),
  depth = 0,
): Map<number, PdfValue> {
  const node = dictionaryAt(file, root);
  const nums = listOf(file, node.get("Nums"));
  for (let at = 0; at + 1 < nums.length; at += 2) entries.set(Number(nums[at]), nums[at + 1] ?? null);
  if (depth > maxTreeDepth) throw new PdfError("the index of the tags is too deep");
  for (const kid of listOf(file, node.get("Kids"))) numberTree(file, kid, entries, depth + 1);
  return entries;
}
