// Finds start tags without an end tag, end tags without a start tag, and elements that overlap. The body of a Liquid block may or may not
// be printed, so tags that match only across its border are ignored if a counterpart exists elsewhere.
import { quoted } from "colophon-base/text";
import { hasMarks } from "colophon-liquid/marks";
import type { Report } from "../findings.ts";
import type { LiquidBody, Markup, MarkupPiece, MarkupTag } from "./read-markup.ts";

/** A tag with the innermost enclosing body of a Liquid block. */
type Placed = { tag: MarkupTag; body: LiquidBody | null };

/** A tag without a counterpart in the same body. */
type Unmatched = { tag: MarkupTag; message: string };

type BalanceInput = Pick<Markup, "pieces" | "bodies"> & {
  /** A part may begin an element that a different part ends, so nothing in a part is certain. */
  isPart: boolean;
  report: Report;
  lineOf: (index: number) => number;
};

export function checkBalance(input: BalanceInput): void {
  const checker = new BalanceChecker(input);
  for (const piece of input.pieces) checker.read(piece);
  checker.finish();
}

/** The depth up to which Chromium nests elements. Deeper markup is not checked. */
const maxDepth = 512;

class BalanceChecker {
  readonly #input: BalanceInput;
  #isTooDeep = false;
  readonly #open: Placed[] = [];
  #body: LiquidBody | null = null;
  #nextBody = 0;
  readonly #openers: Unmatched[] = [];
  readonly #closers: Unmatched[] = [];
  /** The names of elements that stayed open without a mistake, because their end tag is optional. */
  readonly #mayContinue = new Set<string>();
  /** The elements that an outer element's end tag has ended, by name. Their own end tags are not reported as well. */
  readonly #cutShort = new Map<string, number>();
  /** The tag that ended the last paragraph before its end tag. */
  #paragraphEnd: MarkupTag | null = null;

  constructor(input: BalanceInput) {
    this.#input = input;
  }

  read(piece: MarkupPiece): void {
    this.#moveTo(piece.start);
    if (this.#isTooDeep || (piece.kind !== "text" && hasMarks(piece.name))) return;
    this.#isTooDeep = this.#open.length >= maxDepth;
    if (this.#isTooDeep) {
      const message = `more than ${maxDepth} elements are open here, so the end tags in this file are not checked`;
      return this.#input.report(this.#input.lineOf(piece.start), message, "warning");
    }
    if (piece.kind === "end") return this.#end(piece);
    if (piece.kind === "start" && !piece.isForeign) this.#endParagraph(piece);
    if (piece.kind === "start") this.#start(piece);
  }

  finish(): void {
    if (this.#isTooDeep) return;
    this.#moveTo(Infinity);
    while (this.#open.length > 0) this.#leaveOpen();
    const openNames = new Set([...this.#openers.map(({ tag }) => tag.name), ...this.#mayContinue]);
    const closeNames = new Set(this.#closers.map(({ tag }) => tag.name));
    const isPaired = ({ tag: { name } }: Unmatched) => openNames.has(name) && closeNames.has(name);
    for (const each of [...this.#openers, ...this.#closers]) if (!isPaired(each)) this.#report(each.tag, each.message);
  }

  /** Enters and leaves the bodies of Liquid up to a position. */
  #moveTo(at: number): void {
    const { bodies } = this.#input;
    for (;;) {
      const next = bodies[this.#nextBody];
      const body = this.#body;
      if (body && body.end <= Math.min(at, next?.start ?? Infinity)) {
        while (this.#open.at(-1)?.body === body) this.#leaveOpen();
        this.#body = body.parent;
      } else if (next && next.start <= at) {
        this.#body = next;
        this.#nextBody++;
      } else return;
    }
  }

  #start(tag: MarkupTag): void {
    const { name, isForeign, isSelfClosing } = tag;
    if (isForeign ? isSelfClosing : voidElements.has(name)) return;
    if (isSelfClosing) {
      const consequence = `so the element stays open; write ${quoted(`<${name}></${name}>`)}`;
      return this.#report(tag, `HTML ignores the \`/\` in ${quoted(`<${name}/>`)}, ${consequence}`);
    }
    this.#open.push({ tag, body: this.#body });
  }

  #end(tag: MarkupTag): void {
    const { name } = tag;
    if (voidElements.has(name) && !tag.isForeign) {
      return this.#report(tag, `${quoted(`</${name}>`)} does not exist, because ${quoted(`<${name}>`)} has no content`);
    }
    const index = this.#open.findLastIndex((element) => element.tag.name === name && element.body === this.#body);
    if (index < 0) return this.#endNothing(tag);
    for (const { tag: inner } of this.#open.splice(index + 1).toReversed()) this.#endEarly(inner, tag);
    this.#open.pop();
  }

  #endNothing(tag: MarkupTag): void {
    const { name } = tag;
    const cut = this.#cutShort.get(name) ?? 0;
    this.#cutShort.set(name, Math.max(0, cut - 1));
    if (cut > 0) return;
    const ended = name === "p" ? this.#paragraphEnd : null;
    const reason = ended
      ? `: ${quoted(`<${ended.name}>`)} on line ${this.#lineOf(ended)} has ended the paragraph, because it cannot be inside one`
      : "";
    this.#closers.push({ tag, message: `${quoted(`</${name}>`)} has no start tag${reason}` });
  }

  /** Handles an element that is still open when the element around it ends. */
  #endEarly(inner: MarkupTag, outer: MarkupTag): void {
    if (mayStayOpen(inner)) return;
    this.#cutShort.set(inner.name, (this.#cutShort.get(inner.name) ?? 0) + 1);
    const end = `${quoted(`</${outer.name}>`)} on line ${this.#lineOf(outer)}`;
    this.#report(inner, `${quoted(`<${inner.name}>`)} is not closed before ${end}`);
  }

  /** Leaves the innermost element open. */
  #leaveOpen(): void {
    const tag = this.#open.pop()?.tag;
    if (!tag) return;
    if (mayStayOpen(tag)) this.#mayContinue.add(tag.name);
    else this.#openers.push({ tag, message: `${quoted(`<${tag.name}>`)} is never closed` });
  }

  #endParagraph(tag: MarkupTag): void {
    if (!endsParagraph.has(tag.name)) return;
    const scope = this.#open.findLastIndex((element) => paragraphScopes.has(element.tag.name));
    const index = this.#open.findLastIndex((element) => element.tag.name === "p");
    if (index <= scope || this.#open[index]?.body !== this.#body) return;
    this.#paragraphEnd = tag.name === "p" ? null : tag;
    this.#open.splice(index);
  }

  #lineOf(tag: MarkupTag): number {
    return this.#input.lineOf(tag.start);
  }

  #report(tag: MarkupTag, message: string): void {
    this.#input.report(this.#lineOf(tag), message, this.#input.isPart ? "warning" : "error");
  }
}

/** Returns whether the element may have no end tag. */
function mayStayOpen({ name, isForeign }: MarkupTag): boolean {
  return optionalEnds.has(name) && !isForeign;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements without content, which have no end tag. */
export const voidElements = set("area base br col embed hr img input link meta param source track wbr");

/** Elements whose end tag is optional, because the next tag or the end of their parent ends them. */
const optionalEnds = set(
  "body caption colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead tr",
);

/** Elements that end an open paragraph when they begin. */
const endsParagraph = set(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp",
);

/** A paragraph that is open outside one of these elements stays open inside it. */
const paragraphScopes = set("applet button caption foreignobject html marquee object svg table td template th");
