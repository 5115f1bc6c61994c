// Finds markup that the parser of a browser would move or drop: what is in a table outside its cells, and parts of tables
// outside a table.
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { quoted } from "../../styles/support/style-message.ts";
import type { Finding, Report } from "../finding.ts";
import type { MarkupTag } from "./markup-tags.ts";
import { isDynamic, type LiquidBody } from "./markup-text.ts";

type TreeInput = {
  text: string;
  tags: MarkupTag[];
  bodies: LiquidBody[];
  /** Whether elements may begin in one block of Liquid and end in another. Then, the result is uncertain. */
  acrossBlocks: boolean;
  report: Report;
  lineOf: (index: number) => number;
};

/** In a document, every page file is inside a section. */
const before = "<!doctype html><body><section>";

export function checkTree({ text, tags, bodies, acrossBlocks, report, lineOf }: TreeInput): void {
  const severity: Finding["severity"] = acrossBlocks ? "warning" : "error";
  // A `tablerow` puts what it contains into cells.
  const hidden = bodies.filter(({ tag, index }) => tag === "capture" || tag === "tablerow" || (acrossBlocks && index > 0));
  const shown = blanked(text, hidden);
  const parsed = placedNodes(parse(before + shown, { sourceCodeLocationInfo: true }));
  const kept = new Set(parsed.map(({ start }) => start));
  for (const tag of tags) {
    const isPart = tableParts.has(tag.name) && tag.kind === "start" && !tag.isForeign;
    if (!isPart || kept.has(tag.start) || shown[tag.start] !== "<") continue;
    const place = cells.has(tag.name) ? "a row of a table" : "a table";
    report(lineOf(tag.start), `${quoted(`<${tag.name}>`)} is dropped, because it is not inside ${place}`, severity);
  }
  for (const { name, at } of movedNodes(parsed)) {
    report(lineOf(at), `${name} is moved out of its table, because it is not in a cell`, severity);
  }
}

const cells = new Set(["td", "th"]);
const tableParts = new Set(["caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"]);

/** Replaces what is inside the bodies with spaces. */
function blanked(text: string, bodies: LiquidBody[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of bodies) {
    // A body inside another has been replaced together with that one.
    if (start < copied) continue;
    parts.push(text.slice(copied, start), text.slice(start, end).replace(/[^\n]/g, " "));
    copied = end;
  }
  return parts.join("") + text.slice(copied);
}

/** `table` is the table around the node in the parsed tree. Positions are those in the file. */
type PlacedNode = { name: string; start: number; end: number; text: string | null; table: Tree.Element | null; element: Tree.Element | null };

/** Returns the elements and texts of the document that are in the file. */
function placedNodes(document: Tree.Document): PlacedNode[] {
  const placed: PlacedNode[] = [];
  const pending: { node: Tree.ChildNode; table: Tree.Element | null }[] = document.childNodes.map((node) => ({ node, table: null }));
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, table } = next;
    const location = node.sourceCodeLocation;
    const element = "tagName" in node ? node : null;
    if (location && location.startOffset >= before.length) {
      const text = "value" in node ? node.value : null;
      placed.push({
        name: node.nodeName,
        start: location.startOffset - before.length,
        end: location.endOffset - before.length,
        text,
        table,
        element,
      });
    }
    const inner = element?.tagName === "table" ? element : table;
    for (const child of element?.childNodes ?? []) pending.push({ node: child, table: inner });
    if (element && isTemplate(element)) {
      for (const child of element.content.childNodes) pending.push({ node: child, table: inner });
    }
  }
  return placed.sort((a, b) => a.start - b.start);
}

function isTemplate(element: Tree.Element): element is Tree.Template {
  return "content" in element;
}

/** Returns the nodes that are inside a table in the file, but not in the parsed tree. */
function movedNodes(placed: PlacedNode[]): { name: string; at: number }[] {
  const tables = placed.filter(({ element }) => element?.tagName === "table");
  const innermostAt = innermost(tables);
  let reported = 0;
  return placed.flatMap(({ name, start, end, text, table, element }) => {
    // What is inside a node that is moved is moved with it.
    if (end <= reported) return [];
    if (element === null && (text === null || text.trim() === "" || isDynamic(text))) return [];
    // Text that is moved out of a table is joined to the text before the table.
    const at = text === null ? start : end - 1 - (text.length - text.trimEnd().length);
    const around = innermostAt(at);
    if (around === null || around === element || around === table) return [];
    reported = end;
    return [{ name: text === null ? quoted(`<${name}>`) : `the text ${quoted(text.trim())}`, at }];
  });
}

/** Returns a function that finds the innermost of the tables around a position. `tables` are sorted by their starts. */
function innermost(tables: PlacedNode[]): (at: number) => Tree.Element | null {
  const edges = tables
    .flatMap((table) => [
      { at: table.start, table, opens: true },
      { at: table.end, table, opens: false },
    ])
    .sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens));
  const open: PlacedNode[] = [];
  const areas = edges.map(({ at, table, opens }) => {
    if (opens) open.push(table);
    else open.splice(open.lastIndexOf(table), 1);
    return { from: at, element: open.at(-1)?.element ?? null };
  });
  return (at) => {
    let [low, high] = [0, areas.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((areas[middle]?.from ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return areas[low - 1]?.element ?? null;
  };
}
