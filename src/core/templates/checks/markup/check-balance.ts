// Finds start tags without an end tag, end tags without a start tag, elements that overlap, and what a browser moves out of a
// table. What is inside a block of Liquid may be printed or not, so tags that match only across the border of a block are left
// alone if a counterpart exists elsewhere.
import { quoted } from "../../styles/support/style-message.ts";
import type { Report } from "../finding.ts";
import { endsParagraph, optionalEnds, paragraphScopes, voidElements } from "./html-names.ts";
import type { MarkupPiece, MarkupTag } from "./markup-tags.ts";
import { isDynamic, type LiquidBody } from "./markup-text.ts";
import { tableProblem, type Placed } from "./table-places.ts";

/** A tag whose counterpart was not found in the same body of Liquid. */
type Unmatched = Placed & { message: string };

export type BalanceInput = {
  text: string;
  pieces: readonly MarkupPiece[];
  /** In the order of their starts. */
  bodies: readonly LiquidBody[];
  /** A part may begin an element that another part ends, so nothing in a part is certain. */
  isPart: boolean;
  /** Whether the file may be a part of a table, because it is a part or fills blocks of a layout. */
  mayBeInTable: boolean;
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
/** The number of unclosed elements for which the one that is really meant is searched, and of tags at the borders of loops. */
const maxSearches = 100;

class BalanceChecker {
  readonly #input: BalanceInput;
  #isTooDeep = false;
  #isBalanced = true;
  readonly #open: Placed[] = [];
  #body: LiquidBody | null = null;
  #nextBody = 0;
  readonly #openers: Unmatched[] = [];
  readonly #closers: Unmatched[] = [];
  /** The names of elements that stayed open without a mistake, because their end tag may be left out. */
  readonly #mayContinue = new Set<string>();
  /** The elements that were ended by the end tag of another element, by name. Their own end tags are not reported too. */
  readonly #cutShort = new Map<string, number>();
  /** The tag that ended the last paragraph before its end tag. */
  #paragraphEnd: MarkupTag | null = null;
  readonly #pairs: { start: MarkupTag; end: MarkupTag }[] = [];
  /** What is in a wrong place of a table. It is reported only if everything else is right. */
  readonly #misplaced: { at: number; message: string }[] = [];

  constructor(input: BalanceInput) {
    this.#input = input;
  }

  read(piece: MarkupPiece): void {
    this.#moveTo(piece.start);
    if (this.#isTooDeep || (piece.kind !== "text" && isDynamic(piece.name))) return;
    this.#isTooDeep = this.#open.length >= maxDepth;
    if (piece.kind === "end") return this.#end(piece);
    if (piece.kind === "start" && !piece.isForeign) this.#endParagraph(piece);
    const misplaced = tableProblem(piece, { open: this.#open, body: this.#body, text: this.#input.text });
    if (misplaced) this.#misplaced.push(misplaced);
    if (piece.kind === "start") this.#start(piece);
  }

  finish(): void {
    if (this.#isTooDeep) return;
    this.#moveTo(Infinity);
    while (this.#open.length > 0) this.#leaveOpen(this.#open.pop());
    const openNames = new Set([...this.#openers.map(({ tag }) => tag.name), ...this.#mayContinue]);
    const closeNames = new Set(this.#closers.map(({ tag }) => tag.name));
    const isPaired = ({ tag: { name } }: Unmatched) => openNames.has(name) && closeNames.has(name);
    const unmatched = [...this.#openers, ...this.#closers];
    for (const each of unmatched) if (!isPaired(each)) this.#report(each.tag, each.message);
    for (const each of unmatched.filter(isRepeated).slice(0, maxSearches)) this.#checkLoop(each);
    if (!this.#isBalanced || this.#input.mayBeInTable || unmatched.some(isPaired)) return;
    for (const { at, message } of this.#misplaced) this.#input.report(this.#input.lineOf(at), message);
  }

  /** Enters and leaves the bodies of Liquid up to a position. */
  #moveTo(at: number): void {
    const { bodies } = this.#input;
    for (;;) {
      const next = bodies[this.#nextBody];
      const body = this.#body;
      if (body && body.end <= Math.min(at, next?.start ?? Infinity)) {
        while (this.#open.at(-1)?.body === body) this.#leaveOpen(this.#open.pop());
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
      this.#report(tag, `HTML ignores the \`/\` in ${quoted(`<${name}/>`)}, so the element stays open; write ${quoted(`<${name}></${name}>`)}`);
      return;
    }
    this.#open.push({ tag, body: this.#body });
  }

  #end(tag: MarkupTag): void {
    const { name } = tag;
    if (voidElements.has(name) && !tag.isForeign) {
      this.#report(tag, `${quoted(`</${name}>`)} does not exist, because ${quoted(`<${name}>`)} has no content`);
      return;
    }
    const index = this.#open.findLastIndex((element) => element.tag.name === name && element.body === this.#body);
    if (index < 0) return this.#endNothing(tag);
    for (const { tag: inner } of this.#open.splice(index + 1).toReversed()) this.#endEarly(inner, tag);
    const start = this.#open.pop()?.tag;
    if (start) this.#pairs.push({ start, end: tag });
  }

  #endNothing(tag: MarkupTag): void {
    const { name } = tag;
    const cut = this.#cutShort.get(name) ?? 0;
    if (cut > 0) {
      this.#cutShort.set(name, cut - 1);
      return;
    }
    const ended = name === "p" ? this.#paragraphEnd : null;
    const reason = ended ? `: ${quoted(`<${ended.name}>`)} in line ${this.#lineOf(ended)} has ended the paragraph, because it cannot be inside one` : "";
    this.#closers.push({ tag, body: this.#body, message: `${quoted(`</${name}>`)} has no start tag${reason}` });
  }

  /** An element that is still open when the element around it ends. */
  #endEarly(inner: MarkupTag, outer: MarkupTag): void {
    if (mayStayOpen(inner)) return;
    this.#cutShort.set(inner.name, (this.#cutShort.get(inner.name) ?? 0) + 1);
    this.#report(inner, `${quoted(`<${inner.name}>`)} is not closed before ${quoted(`</${outer.name}>`)} in line ${this.#lineOf(outer)}`);
  }

  #leaveOpen(element: Placed | undefined): void {
    if (!element) return;
    const { tag, body } = element;
    if (mayStayOpen(tag)) {
      this.#mayContinue.add(tag.name);
      return;
    }
    const meant = this.#reallyOpen(tag);
    this.#openers.push({ tag: meant, body, message: `${quoted(`<${meant.name}>`)} is never closed` });
  }

  /**
   * Returns the start tag whose end tag is probably missing. If an element ends at the indentation of the open one instead
   * of its own, the end tag was probably meant for the open one.
   */
  #reallyOpen(open: MarkupTag): MarkupTag {
    const indent = this.#indentOf(open);
    if (indent === null || this.#openers.length > maxSearches) return open;
    const inside = this.#pairs.find(({ start, end }) => {
      const own = this.#indentOf(start);
      return start.name === open.name && start.start > open.start && own !== null && own > indent && this.#indentOf(end) === indent;
    });
    return inside?.start ?? open;
  }

  /** Returns how far the line of a tag is indented; null if something else precedes the tag on its line. */
  #indentOf({ start }: MarkupTag): number | null {
    const { text } = this.#input;
    const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    return line.trim() === "" ? line.length : null;
  }

  #endParagraph(tag: MarkupTag): void {
    if (!endsParagraph.has(tag.name)) return;
    const scope = this.#open.findLastIndex((element) => paragraphScopes.has(element.tag.name));
    const index = this.#open.findLastIndex((element) => element.tag.name === "p");
    if (index <= scope || this.#open[index]?.body !== this.#body) return;
    this.#paragraphEnd = tag.name === "p" ? null : tag;
    this.#open.splice(index);
  }

  /** Reports a tag in a loop whose counterparts are outside the loop: from the second time on, it has none. */
  #checkLoop({ tag, body }: Unmatched): void {
    const [own, other] = tag.kind === "start" ? [`<${tag.name}>`, `</${tag.name}>`] : [`</${tag.name}>`, `<${tag.name}>`];
    const others = (tag.kind === "start" ? this.#closers : this.#openers).filter((each) => each.tag.name === tag.name);
    const counterpart = tag.kind === "start" ? others[0] : others.at(-1);
    if (!body || !counterpart || others.some((each) => !isInside(body, loopAround(each.body)))) return;
    const { lineOf } = this.#input;
    const message = `${quoted(own)} is inside the loop in line ${lineOf(body.start)}, and ${quoted(other)} in line ${this.#lineOf(counterpart.tag)} is not`;
    this.#report(tag, message);
  }

  #lineOf(tag: MarkupTag): number {
    return this.#input.lineOf(tag.start);
  }

  #report(tag: MarkupTag, message: string): void {
    this.#isBalanced = false;
    this.#input.report(this.#lineOf(tag), message, this.#input.isPart ? "warning" : "error");
  }
}

/** Whether the element may have no end tag. */
function mayStayOpen({ name, isForeign }: MarkupTag): boolean {
  return optionalEnds.has(name) && !isForeign;
}

/** A tag in a branch inside a loop may be printed only once, and an end tag that may be left out does no harm. */
function isRepeated({ tag, body }: Unmatched): boolean {
  return body !== null && isLoop(body) && !optionalEnds.has(tag.name);
}

function isLoop({ tag, index }: LiquidBody): boolean {
  return tag === "for" && index === 0;
}

function loopAround(body: LiquidBody | null): LiquidBody | null {
  let around = body;
  while (around && !isLoop(around)) around = around.parent;
  return around;
}

function isInside(inner: LiquidBody, outer: LiquidBody | null): boolean {
  return outer === null || (outer.start < inner.start && inner.end < outer.end);
}
