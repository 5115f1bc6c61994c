// The open elements around a place in a document, and what their contents lack for programs that read aloud: descriptions of pictures, heads
// of tables, texts of links.
import { hasMarks } from "colophon-liquid/marks";
import { voidElements } from "./check-balance.ts";
import type { MarkupTag } from "./read-markup.ts";

type Open = { tag: MarkupTag; isQuiet: boolean };
type OpenLink = { tag: MarkupTag; hasText: boolean };
type OpenTable = { tag: MarkupTag; hasHead: boolean; rows: number; cells: number };
type Missing = { what: string; advice: string };

/** Deeper markup is not checked. */
const maxDepth = 512;
/** The content of these elements is not shown, or described as a whole. */
const opaque = new Set("svg math datalist template noscript object video audio select textarea".split(" "));

/** Without `open`, these elements hide their content. */
const closed = new Set(["details", "dialog"]);

export class OpenElements {
  readonly #open: Open[] = [];
  readonly #links: OpenLink[] = [];
  readonly #tables: OpenTable[] = [];

  get isTooDeep(): boolean {
    return [this.#open, this.#links, this.#tables].some(({ length }) => length > maxDepth);
  }

  /** Whether programs that read aloud may skip the content here, or read a description of the whole instead. */
  get isQuiet(): boolean {
    return this.#open.at(-1)?.isQuiet ?? false;
  }

  readText(): void {
    const link = this.#links.at(-1);
    if (link) link.hasText = true;
  }

  /** Reads markup that the template does not contain. */
  readUnknown(): void {
    this.readText();
    for (const table of this.#tables) table.hasHead = true;
  }

  /** Returns what a described element lacks. `isTitled` is whether a title follows. */
  start(tag: MarkupTag, { isTitled, isRepeated }: { isTitled: boolean; isRepeated: boolean }): Missing | null {
    const isSkipped = this.isQuiet || isHidden(tag);
    const problem = isSkipped || ((isTitled || isDescribed(tag)) && tag.name !== "select") ? null : missing(tag);
    if (isDescribed(tag) && attributeOf(tag, "alt") !== "") this.readText();
    this.#readCell(tag, isRepeated);
    if (tag.isForeign ? tag.isSelfClosing : voidElements.has(tag.name)) return problem;
    if (this.#open.at(-1)?.tag.name === tag.name && /^(?:p|li|t[dhr]|d[dt])$/.test(tag.name)) this.#open.pop();
    this.#open.push({ tag, isQuiet: isSkipped || opaque.has(tag.name) || attributeOf(tag, "role") === "img" });
    if (isSkipped || tag.isForeign) return problem;
    if (tag.name === "a") this.#links.push({ tag, hasText: attributeOf(tag, "href") === null || isDescribed(tag) });
    if (tag.name === "table") this.#tables.push({ tag, hasHead: attributeOf(tag, "role") !== null, rows: 0, cells: 0 });
    return problem;
  }

  #readCell({ name, attributes }: MarkupTag, isRepeated: boolean): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const isHead = attributes.some((each) => each.name === "role" || hasMarks(each.name));
    if (name === "th" || isHead || hasMarks(name)) table.hasHead = true;
    if (name === "tr") table.rows += isRepeated ? 2 : 1;
    if (name === "td") table.cells += isRepeated ? 2 : 1;
  }

  /** Returns what the ended element lacks. */
  end({ name }: MarkupTag): { start: number; message: string } | null {
    const index = this.#open.findLastIndex(({ tag }) => tag.name === name);
    const [ended] = index < 0 ? [] : this.#open.splice(index);
    const link = name === "a" && this.#links.at(-1)?.tag === ended?.tag ? this.#links.pop() : undefined;
    const table = name === "table" && this.#tables.at(-1)?.tag === ended?.tag ? this.#tables.pop() : undefined;
    if (link && !link.hasText) {
      const message = "the link has no text, so its address is read aloud; write text or `aria-label`";
      return { start: link.tag.start, message };
    }
    if (!table || table.hasHead || table.rows < 2 || table.cells <= table.rows) return null;
    const message =
      'the table has no `<th>`, so nobody hears what its cells are about; write `<th>` for heads of columns and rows, or `role="presentation"` if it only arranges';
    return { start: table.tag.start, message };
  }
}

function attributeOf({ attributes }: MarkupTag, name: string): string | null {
  return attributes.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Liquid can print any attribute. */
function isHidden({ name: element, attributes }: MarkupTag): boolean {
  if (closed.has(element) && !attributes.some(({ name }) => name === "open")) return true;
  return attributes.some(({ name, value }) => {
    if (hasMarks(name) || name === "hidden" || name === "popover") return true;
    if (name === "aria-hidden") return value !== "false";
    if (name === "role") return hasMarks(value) || value === "presentation" || value === "none";
    if (name === "width" || name === "height") return value.trim() === "0";
    return (
      name === "style" && (hasMarks(value) || /display\s*:\s*none|visibility|(?:width|height)\s*:\s*0/i.test(value))
    );
  });
}

function isDescribed({ attributes }: MarkupTag): boolean {
  return attributes.some(
    ({ name, value }) =>
      /^(?:aria-label(?:ledby)?|title|alt(?:text)?)$/.test(name) && (name === "alt" || value.trim() !== ""),
  );
}

function missing(tag: MarkupTag): Missing | null {
  const hasSource = ["src", "srcset"].some((name) => (attributeOf(tag, name) ?? "").trim() !== "");
  if (tag.name === "img" && hasSource)
    return { what: "`<img>` has no `alt`", advice: 'describe the picture, or write `alt=""` if it is decoration' };
  if (tag.name === "select") return { what: "the value of `<select>` has no tag", advice: "write the value as text" };
  if (tag.name === "math") return { what: "`<math>` has no description", advice: "write it in `alttext`" };
  if (tag.name === "svg")
    return {
      what: "`<svg>` has no description",
      advice: 'write `role="img"` and `aria-label`, or `aria-hidden="true"` if it is decoration',
    };
  return null;
}
