// Finds start tags without an end tag, end tags without a start tag, and elements that overlap or cannot be nested. What
// is inside a block of Liquid may be printed or not, so tags that match only across the border of a block are left alone
// if a counterpart exists elsewhere.
import { quoted } from "../../styles/support/style-message.ts";
import type { Report } from "../finding.ts";
import { endsParagraph, headings, neverNested, optionalEnds, paragraphScopes, siblings, voidElements } from "./html-names.ts";
import { bodyEvents, type BodyEvent } from "./body-events.ts";
import { repeatedAlone, type DividedTag } from "./loop-borders.ts";
import type { MarkupTag } from "./markup-tags.ts";
import { isDynamic, type LiquidBody } from "./markup-text.ts";

/** A tag whose counterpart was not found in the same body of Liquid. */
type Unmatched = DividedTag & { message: string };

export type BalanceInput = {
  tags: MarkupTag[];
  bodies: LiquidBody[];
  /** A part may begin an element that another part ends, so nothing in a part is certain. */
  isPart: boolean;
  report: Report;
  lineOf: (index: number) => number;
  /** Returns how far the line at a position is indented; null if something else precedes the position on its line. */
  indentOf: (index: number) => number | null;
};

/**
 * `isBalanced` is false if something was reported. `acrossBlocks` is true if elements may begin in one block of Liquid and end
 * in another.
 */
export type Balance = { isBalanced: boolean; acrossBlocks: boolean };

export function checkBalance(input: BalanceInput): Balance {
  const checker = new BalanceChecker(input);
  let next = 0;
  const events = bodyEvents(input.bodies);
  for (const tag of input.tags) {
    for (; (events[next]?.at ?? Infinity) <= tag.start; next++) checker.enterOrLeave(events[next]);
    checker.read(tag);
  }
  for (; next < events.length; next++) checker.enterOrLeave(events[next]);
  return checker.finish();
}

/** The depth up to which Chromium nests elements. Deeper markup is not checked. */
const maxDepth = 512;
/** The number of unclosed elements for which the one that is really meant is searched. */
const maxSearches = 100;

class BalanceChecker {
  readonly #input: BalanceInput;
  #isBalanced = true;
  #isTooDeep = false;
  readonly #open: DividedTag[] = [];
  readonly #bodies: LiquidBody[] = [];
  readonly #openers: Unmatched[] = [];
  readonly #closers: Unmatched[] = [];
  /** The names of elements that stayed open without a mistake, because their end tag may be left out. */
  readonly #mayContinue = new Set<string>();
  /** The elements that were ended by the end tag of another element, by name. Their own end tags are not reported too. */
  readonly #cutShort = new Map<string, number>();
  /** The tag that ended the last paragraph before its end tag. */
  #paragraphEnd: MarkupTag | null = null;
  readonly #pairs: { start: MarkupTag; end: MarkupTag }[] = [];
  /** Elements that another element cannot be inside of, with that element. */
  readonly #nested = new Map<MarkupTag, MarkupTag>();
  /** Elements whose end tag was left out, although it may be. */
  readonly #implied: MarkupTag[] = [];

  constructor(input: BalanceInput) {
    this.#input = input;
  }

  enterOrLeave(event: BodyEvent | undefined): void {
    if (!event) return;
    if (event.enters) {
      this.#bodies.push(event.body);
      return;
    }
    this.#bodies.pop();
    while (this.#open.at(-1)?.body === event.body) this.#leaveOpen(this.#open.pop());
  }

  read(tag: MarkupTag): void {
    if (isDynamic(tag.name) || this.#isTooDeep) return;
    this.#isTooDeep = this.#open.length >= maxDepth;
    if (tag.kind === "start") this.#start(tag);
    else this.#end(tag);
  }

  finish(): Balance {
    if (this.#isTooDeep) return { isBalanced: false, acrossBlocks: false };
    while (this.#open.length > 0) this.#leaveOpen(this.#open.pop());
    const openNames = new Set([...this.#openers.map(({ tag }) => tag.name), ...this.#mayContinue]);
    const closeNames = new Set(this.#closers.map(({ tag }) => tag.name));
    const isPaired = ({ tag: { name } }: Unmatched) => openNames.has(name) && closeNames.has(name);
    const unmatched = [...this.#openers, ...this.#closers];
    for (const each of unmatched) if (!isPaired(each)) this.#report(each.tag, each.message);
    for (const { tag, message } of repeatedAlone({ ...this.#input, openers: this.#openers, closers: this.#closers })) this.#report(tag, message);
    const acrossBlocks = unmatched.some(isPaired);
    if (!acrossBlocks) this.#reportImplied();
    return { isBalanced: this.#isBalanced, acrossBlocks };
  }

  #start(tag: MarkupTag): void {
    const { name, isForeign, isSelfClosing } = tag;
    if (isForeign) {
      if (!isSelfClosing) this.#open.push({ tag, body: this.#body() });
      return;
    }
    this.#endParagraph(tag);
    this.#endSiblings(tag);
    this.#checkNesting(tag);
    if (voidElements.has(name)) return;
    if (isSelfClosing) {
      this.#report(tag, `HTML ignores the \`/\` in ${quoted(`<${name}/>`)}, so the element stays open; write ${quoted(`<${name}></${name}>`)}`);
      return;
    }
    this.#open.push({ tag, body: this.#body() });
  }

  #end(tag: MarkupTag): void {
    const { name } = tag;
    if (voidElements.has(name) && !tag.isForeign) {
      this.#report(tag, `${quoted(`</${name}>`)} does not exist, because ${quoted(`<${name}>`)} has no content`);
      return;
    }
    const index = this.#open.findLastIndex((element) => element.tag.name === name && element.body === this.#body());
    if (index < 0) {
      this.#endNothing(tag);
      return;
    }
    const cut = this.#open.splice(index + 1);
    for (const { tag: inner } of cut.toReversed()) this.#endEarly(inner, tag);
    const start = this.#open.pop()?.tag;
    if (!start) return;
    this.#pairs.push({ start, end: tag });
    const inner = this.#nested.get(start);
    if (inner) this.#report(inner, `${quoted(`<${inner.name}>`)} cannot be inside the ${quoted(`<${name}>`)} of line ${this.#lineOf(start)}`);
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
    this.#closers.push({ tag, body: this.#body(), message: `${quoted(`</${name}>`)} has no start tag${reason}` });
  }

  /** An element that is still open when the element around it ends. */
  #endEarly(inner: MarkupTag, outer: MarkupTag): void {
    if (this.#mayEnd(inner)) return;
    this.#cutShort.set(inner.name, (this.#cutShort.get(inner.name) ?? 0) + 1);
    const end = `${quoted(`</${outer.name}>`)} in line ${this.#lineOf(outer)}`;
    this.#report(inner, `${quoted(`<${inner.name}>`)} is not closed before ${end}`);
  }

  #leaveOpen(element: DividedTag | undefined): void {
    if (!element) return;
    const { tag, body } = element;
    if (this.#mayEnd(tag)) {
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
    const { indentOf } = this.#input;
    const indent = indentOf(open.start);
    if (indent === null || this.#openers.length > maxSearches) return open;
    const inside = this.#pairs.find(({ start, end }) => {
      const own = indentOf(start.start);
      return start.name === open.name && start.start > open.start && own !== null && own > indent && indentOf(end.start) === indent;
    });
    return inside?.start ?? open;
  }

  #endParagraph(tag: MarkupTag): void {
    if (!endsParagraph.has(tag.name)) return;
    const scope = this.#open.findLastIndex((element) => paragraphScopes.has(element.tag.name));
    const index = this.#open.findLastIndex((element) => element.tag.name === "p");
    if (index <= scope || this.#open[index]?.body !== this.#body()) return;
    this.#paragraphEnd = tag.name === "p" ? null : tag;
    const [paragraph] = this.#open.splice(index);
    if (paragraph && tag.name === "p") this.#implied.push(paragraph.tag);
  }

  #endSiblings({ name }: MarkupTag): void {
    const group = Object.hasOwn(siblings, name) ? siblings[name] : undefined;
    if (!group) return;
    const parent = this.#open.findLastIndex((element) => group.within.has(element.tag.name));
    const index = this.#open.findIndex((element, at) => at > parent && group.ends.has(element.tag.name));
    if (index < 0 || this.#open[index]?.body !== this.#body()) return;
    for (const element of this.#open.splice(index)) this.#leaveOpen(element);
  }

  #checkNesting(tag: MarkupTag): void {
    const { name } = tag;
    const isSame = (other: MarkupTag) => (headings.has(name) ? headings.has(other.name) : other.name === name);
    if (!neverNested.has(name) && !headings.has(name)) return;
    const around = this.#open.findLast((element) => element.body === this.#body() && isSame(element.tag));
    // If the outer element is never closed, only that is reported.
    if (around) this.#nested.set(around.tag, tag);
  }

  /** Whether the element may have no end tag. */
  #mayEnd(tag: MarkupTag): boolean {
    const mayEnd = optionalEnds.has(tag.name) && !tag.isForeign;
    if (mayEnd) this.#implied.push(tag);
    return mayEnd;
  }

  /** Reports end tags that were left out, although most elements of the same name in the file have theirs. */
  #reportImplied(): void {
    const closed = countsOf(this.#pairs.map(({ start }) => start.name));
    const left = countsOf(this.#implied.map(({ name }) => name));
    for (const tag of this.#implied) {
      if ((closed.get(tag.name) ?? 0) <= (left.get(tag.name) ?? 0)) continue;
      this.#input.report(this.#lineOf(tag), `${quoted(`<${tag.name}>`)} has no end tag, unlike the others`, "warning");
    }
  }

  #body(): LiquidBody | null {
    return this.#bodies.at(-1) ?? null;
  }

  #lineOf(tag: MarkupTag): number {
    return this.#input.lineOf(tag.start);
  }

  #report(tag: MarkupTag, message: string): void {
    this.#isBalanced = false;
    this.#input.report(this.#lineOf(tag), message, this.#input.isPart ? "warning" : "error");
  }
}

function countsOf(names: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
