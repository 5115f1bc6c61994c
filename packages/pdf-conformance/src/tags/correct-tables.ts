// Gives tables rows in a head, a body and a foot, equal numbers of columns in all rows, and headers that say for which cells they are.
import {
  dictionaryOf,
  isDictionary,
  isName,
  isString,
  name,
  type PdfDictionary,
  type PdfString,
  type PdfValue,
} from "colophon-pdf/values";
import { isTag, newTag, tagsIn, type Tag, type TagKid } from "./structure-tree.ts";
import type { CellSpan } from "./tag-marks.ts";
import type { TagMarks } from "./take-marks.ts";

export function correctTables(top: Tag, marks: TagMarks): void {
  const ids: Ids = { known: new Set(tagsIn(top).map(({ id }) => id)), used: new Set() };
  for (const table of tagsIn(top)) if (table.type === "Table") correctTable(table, marks, ids);
  // Chromium 127 gives every tag an id.
  for (const tag of tagsIn(top)) if (tag.id !== null && !ids.used.has(tag.id)) tag.id = null;
}

/** The ids of tags, and those to which cells refer. */
type Ids = { known: ReadonlySet<string | null>; used: Set<string> };

type Part = "THead" | "TBody" | "TFoot";
type Row = { tag: Tag; part: Part };

function correctTable(table: Tag, marks: TagMarks, ids: Ids): void {
  const captions: TagKid[] = [];
  const rows = rowsIn(table, captions, marks);
  if (rows.length === 0) {
    table.type = "Div";
    return;
  }
  const headRows = rows.findIndex(({ part }) => part !== "THead");
  // A table has one head; the head rows between its other rows belong to these.
  const isLate = ({ part }: Row, index: number) => part === "THead" && headRows >= 0 && index > headRows;
  const byPart = Map.groupBy(rows, (row, index) => (isLate(row, index) ? "TBody" : row.part));
  const groups = (["THead", "TBody", "TFoot"] as const).flatMap((part) => {
    const tags = byPart.get(part)?.map(({ tag }) => tag);
    return tags ? [{ part, tags }] : [];
  });
  const all = groups.map(({ tags }) => tags);
  equalizeColumns(all, marks, ids);
  const kids = groups.length > 1 ? groups.map(({ part, tags }) => newTag(part, tags)) : all.flat();
  table.kids = [...captions.slice(0, 1), ...kids];
}

const partTypes = new Set(["NonStruct", "Div", "THead", "TBody", "TFoot"]);

/** Returns the rows in the order of the tree. What is neither a row nor the caption becomes a row of one cell. */
function rowsIn(tag: Tag, captions: TagKid[], marks: TagMarks, outer: Part = "TBody"): Row[] {
  return tag.kids.flatMap((kid): Row[] => {
    const kind = isTag(kid) ? marks.get(kid)?.kind : undefined;
    const part = kind === "head" ? "THead" : kind === "foot" ? "TFoot" : outer;
    if (isTag(kid) && kid.type === "Caption" && captions.push(kid)) return [];
    if (isTag(kid) && kid.type === "TR") return kid.kids.length > 0 ? [{ tag: kid, part }] : [];
    if (isTag(kid) && partTypes.has(kid.type) && tagsIn(kid).some(({ type }) => type === "TR"))
      return rowsIn(kid, captions, marks, part);
    return isTag(kid) && kid.kids.length === 0 ? [] : [{ tag: newTag("TR", [newTag("TD", [kid])]), part }];
  });
}

const cellTypes = new Set(["TH", "TD"]);

type Span = { rows: number; columns: number };
type Place = { tag: Tag; row: number; column: number; span: Span };

/** Limits spans to rows and columns that exist, and fills rows with empty cells. A cell spans rows of its group only. */
function equalizeColumns(groups: Tag[][], marks: TagMarks, ids: Ids): void {
  const placed = groups.map((rows) => placesIn(rows, marks));
  const columns = placed.flat().reduce((most, { column }) => Math.max(most, column + 1), 1);
  for (const [index, rows] of groups.entries()) {
    const taken = rows.map(() => new Set<number>());
    const headersOf = groupHeaders(placed[index] ?? [], marks);
    for (const place of placed[index] ?? []) {
      const { tag, row, column, span } = place;
      const limited = {
        rows: Math.min(span.rows, rows.length - row),
        columns: Math.min(span.columns, columns - column),
      };
      for (let at = 0; at < limited.rows * limited.columns; at++)
        taken[row + Math.floor(at / limited.columns)]?.add(column + (at % limited.columns));
      const isHead = index === 0 && groups.length > 1;
      setAttributes(tag, { ...limited, column, isHead, groupHeaders: headersOf(place) }, ids);
    }
    for (const [row, tag] of rows.entries())
      for (let missing = columns - (taken[row]?.size ?? 0); missing > 0; missing--) tag.kids.push(newTag("TD"));
  }
}

/** The columns of HTML are at most 1,000, so a table of many rows takes bounded memory. */
const maxSpan = 1_000;

function placesIn(rows: readonly Tag[], marks: TagMarks): Place[] {
  /** By column, the row before which it is taken from above. */
  const takenUntil: number[] = [];
  return rows.flatMap((row, index) => {
    let column = 0;
    const isFree = (at: number) => (takenUntil[at] ?? 0) <= index;
    const cells = row.kids.map((kid) => (isTag(kid) && cellTypes.has(kid.type) ? kid : newTag("TD", [kid])));
    row.kids = cells.flatMap((cell, before) => [...emptyCells(marks.get(cell)?.cellsBefore, before), cell]);
    return row.kids.filter(isTag).map((tag): Place => {
      while (!isFree(column)) column++;
      // HTML lets cells overlap. Here, a cell ends before a cell that comes from above.
      const maxColumns = spanOf(attributeOf(tag, "ColSpan"));
      let columns = 1;
      while (columns < maxColumns && isFree(column + columns)) columns++;
      const span = { rows: spanOf(attributeOf(tag, "RowSpan")), columns };
      const place = { tag, row: index, column, span };
      for (let at = 0; at < span.columns; at++) takenUntil[column++] = index + span.rows;
      return place;
    });
  });
}

/** `before` is the number of cells with a tag that precede in the row. */
function emptyCells(spans: readonly CellSpan[] = [], before: number): Tag[] {
  return spans.slice(before).map(({ columns, rows }) => {
    return newTag("TD", [], dictionaryOf({ A: dictionaryOf({ ColSpan: columns, RowSpan: rows }) }));
  });
}

/** Chromium writes a dictionary for each attribute. */
function attributeOf(tag: Tag, key: string): PdfValue | undefined {
  const value = tag.entries.get("A");
  const owned = Array.isArray(value) ? value.findLast((item) => isDictionary(item) && item.has(key)) : value;
  return isDictionary(owned) ? owned.get(key) : undefined;
}

function spanOf(span: PdfValue | undefined): number {
  return typeof span === "number" && span >= 1 ? Math.min(Math.floor(span), maxSpan) : 1;
}

/**
 * Returns a function that returns which headers of groups of rows are for a cell, by the rules of HTML. Chromium leaves these out. An empty
 * cell has no list of headers, so its readers look for them.
 */
function groupHeaders(places: readonly Place[], marks: TagMarks): (place: Place) => Tag[] {
  const headers = places.flatMap(({ tag, row, column }) => {
    const { rowsAfter } = marks.get(tag) ?? {};
    return rowsAfter === undefined ? [] : { tag, column, from: row, to: row + rowsAfter };
  });
  return ({ tag, row, column, span }) =>
    headers
      .filter(({ from, to }) => from <= row && row <= to && tag.kids.length > 0)
      .filter((header) => header.tag !== tag && header.column < column + span.columns)
      .map((header) => header.tag);
}

type Cell = Span & { column: number; isHead: boolean; groupHeaders: readonly Tag[] };

/** A header is for its column, unless it begins a row of the body. */
function setAttributes(tag: Tag, { rows, columns, column, isHead, groupHeaders }: Cell, ids: Ids): void {
  const [scope, headers] = [attributeOf(tag, "Scope"), attributeOf(tag, "Headers")];
  const known = (Array.isArray(headers) ? headers : []).filter((id) => isKnown(id, ids));
  for (const header of groupHeaders) known.push({ type: "string", text: (header.id ??= `group ${ids.used.size}`) });
  for (const id of known) ids.used.add(id.text);
  const attributes: PdfDictionary = new Map<string, PdfValue>([["O", name("Table")]]);
  if (tag.type === "TH")
    attributes.set("Scope", isName(scope) ? scope : name(column === 0 && !isHead ? "Row" : "Column"));
  if (rows > 1) attributes.set("RowSpan", rows);
  if (columns > 1) attributes.set("ColSpan", columns);
  if (known.length > 0) attributes.set("Headers", known);
  if (attributes.size > 1) tag.entries.set("A", attributes);
  else tag.entries.delete("A");
}

function isKnown(id: PdfValue, { known }: Ids): id is PdfString {
  return isString(id) && known.has(id.text);
}
