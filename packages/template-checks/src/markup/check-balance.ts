// Finds start tags without an end tag, end tags without a start tag, and elements that overlap. What is inside a block of Liquid may be printed or not, so tags that match only across the border of a block are left
// alone if a counterpart exists elsewhere.
import { quoted } from "colophon-base/quoted";
import type { Report } from "../finding.ts";
import { endsParagraph, optionalEnds, paragraphScopes, voidElements } from "./html-names.ts";
import type { MarkupPiece, MarkupTag } from "./markup-tags.ts";
import { isDynamic, type LiquidBody } from "./markup-text.ts";

/** A tag with the innermost body of Liquid around it. */
type Placed = { tag: MarkupTag; body: LiquidBody | null };

/** A tag whose counterpart was not found in the same body of Liquid. */
type Unmatched = Placed & { message: string };

export type BalanceInput = {
  pieces: readonly MarkupPiece[];
  /** In the order of their starts. */
  bodies: readonly LiquidBody[];
  /** A part may begin an element that another part ends, so nothing in a part is certain. */
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
  /** The names of elements that stayed open without a mistake, because their end tag may be left out. */
  readonly #mayContinue = new Set<string>();
  /** The elements that were ended by the end tag of another element, by name. Their own end tags are not reported too. */
  readonly #cutShort = new Map<string, number>();
  /** The tag that ended the last paragraph before its end tag. */
  #paragraphEnd: MarkupTag | null = null;

  constructor(input: BalanceInput) {
    this.#input = input;
  }

  read(piece: MarkupPiece): void {
    this.#moveTo(piece.start);
    if (this.#isTooDeep || (piece.kind !== "text" && isDynamic(piece.name))) return;
    this.#isTooDeep = this.#open.length >= maxDepth;
    if (piece.kind === "end") return this.#end(piece);
    if (piece.kind === "start" && !piece.isForeign) this.#endParagraph(piece);
    if (piece.kind === "start") this.#start(piece);
  }

  finish(): void {
    if (this.#isTooDeep) return;
    this.#moveTo(Infinity);
    while (this.#open.length > 0) this.#leaveOpen(this.#open.pop());
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
      this.#report(
        tag,
        `HTML ignores the \`/\` in ${quoted(`<${name}/>`)}, so the element stays open; write ${quoted(`<${name}></${name}>`)}`,
      );
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
    this.#open.pop();
  }

  #endNothing(tag: MarkupTag): void {
    const { name } = tag;
    const cut = this.#cutShort.get(name) ?? 0;
    if (cut > 0) {
      this.#cutShort.set(name, cut - 1);
      return;
    }
    const ended = name === "p" ? this.#paragraphEnd : null;
    const reason = ended
      ? `: ${quoted(`<${ended.name}>`)} in line ${this.#lineOf(ended)} has ended the paragraph, because it cannot be inside one`
      : "";
    this.#closers.push({ tag, body: this.#body, message: `${quoted(`</${name}>`)} has no start tag${reason}` });
  }

  /** An element that is still open when the element around it ends. */
  #endEarly(inner: MarkupTag, outer: MarkupTag): void {
    if (mayStayOpen(inner)) return;
    this.#cutShort.set(inner.name, (this.#cutShort.get(inner.name) ?? 0) + 1);
    this.#report(
      inner,
      `${quoted(`<${inner.name}>`)} is not closed before ${quoted(`</${outer.name}>`)} in line ${this.#lineOf(outer)}`,
    );
  }

  #leaveOpen(element: Placed | undefined): void {
    if (!element) return;
    const { tag, body } = element;
    if (mayStayOpen(tag)) {
      this.#mayContinue.add(tag.name);
      return;
    }
    this.#openers.push({ tag, body, message: `${quoted(`<${tag.name}>`)} is never closed` });
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

/** Whether the element may have no end tag. */
function mayStayOpen({ name, isForeign }: MarkupTag): boolean {
  return optionalEnds.has(name) && !isForeign;
}
