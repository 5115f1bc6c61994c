// Reads the text that styles put before and after the content of elements, which no script can read from the page. Counters are counted
// again. Images are left out.
import { generatedParts } from "colophon-pdf-conformance/tag-marks";
import { attributeOf, bodyElement, checkVisibility, displayOf, findAll, isInside, parentOf } from "./dom.ts";
import { counterStyles, formatCounter } from "./references/counter-styles.ts";
import { ownersOf, styledElements } from "./style-rules.ts";

export type Pseudo = "::before" | "::after";

/**
 * Returns a function that returns the text before or after one of these elements. With `quote`, which stands for
 * quotation marks, it is the text that is read aloud, so decoration with an empty alternative is left out.
 */
export function generatedContent(
  elements: readonly Element[],
  quote = "",
): (element: Element, pseudo: Pseudo) => string {
  const contents = new Map(elements.map((element) => [element, contentsOf(element)]));
  const counting = elements.filter((element) => contents.get(element)?.some((content) => /counters?\(/.test(content)));
  const counters = counting.length > 0 ? countersAt(counting) : new Map<Element, Counters>();
  return (element, pseudo) => {
    const content = contents.get(element)?.[pseudo === "::before" ? 0 : 1] ?? "";
    return content === ""
      ? ""
      : textOf(content, { element, counters: counters.get(element) ?? new Map<string, number[]>(), quote });
  };
}

/** Returns the values of `content` before and after the element; empty if nothing is shown. */
function contentsOf(element: Element): [before: string, after: string] {
  const read = (pseudo: Pseudo) => {
    const { content, display, visibility } = getComputedStyle(element, pseudo);
    return display === "none" || visibility !== "visible" || /^(none|normal)$/.test(content) ? "" : content;
  };
  return [read("::before"), read("::after")];
}

/** Returns the elements to which rules for the text before or after elements may apply, and the quotations. */
export function generatingElements(): Element[] {
  return findAll(bodyElement(), ["q", ...ownersOf(/::?(?:before|after)\b/gi, ({ content }) => content !== "")].join());
}

const tokens = /"((?:[^"\\]|\\.)*)"|(counters?|attr)\(([^()]*)\)|url\([^)]*\)|(\/)|(?:open|close)-quote/g;

type TextInput = { element: Element; counters: Counters; quote: string };

/** `counters` are the values of each counter at the element, the innermost last. */
function textOf(content: string, { element, counters, quote }: TextInput): string {
  let text = "";
  for (const [token, quoted, name, list = "", slash] of content.matchAll(tokens)) {
    // The alternative text follows.
    if (slash) return quote !== "" && content.endsWith('/ ""') ? "" : text;
    const [first = "", ...rest] = list.split(/\s*,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    if (quoted !== undefined) text += unescaped(quoted);
    else if (token.endsWith("-quote")) text += quote;
    // These attributes have no values yet.
    else if (name === "attr") text += first.startsWith("data-colophon") ? "" : (attributeOf(element, first) ?? "");
    // No style declares the counter of list items.
    else if (quote !== "" && first === "list-item") text += generatedParts.number;
    else if (name === "counter") text += formatted((counters.get(first) ?? [0]).slice(-1), "", rest[0]);
    else if (name) text += formatted(counters.get(first) ?? [0], unescaped(rest[0]?.slice(1, -1) ?? ""), rest[1]);
  }
  return text;
}

function unescaped(text: string): string {
  return text.replace(/\\([\da-f]{1,6}\s?|.)/gi, (_, escape: string) =>
    /^[\da-f]/i.test(escape) ? String.fromCodePoint(parseInt(escape, 16)) : escape,
  );
}

function formatted(values: readonly number[], separator: string, styleName = "decimal"): string {
  const name = styleName.replace("latin", "alpha");
  const style = counterStyles.find((known) => known === name) ?? "decimal";
  const digits = name === "decimal-leading-zero" ? 2 : 1;
  const texts = values.map((value) => (value < 1 ? String(value) : formatCounter(value, style).padStart(digits, "0")));
  return name === "none" ? "" : texts.join(separator);
}

type Counters = Map<string, number[]>;
/** The element with which a counter ends: its owner, or the element around its owner if there was no counter with this name. */
type Counter = { scope: Element | null; value: number };

/** Returns the counters at each element, after it and its `::before` have changed them. */
function countersAt(elements: readonly Element[]): Map<Element, Counters> {
  const counts = (style: CSSStyleDeclaration) =>
    ["counter-reset", "counter-set", "counter-increment"].some((name) => style.getPropertyValue(name) !== "");
  const before = ownersOf(/::?before\b/gi, counts);
  const involved = new Set([...styledElements()(counts, /counter/i), ...elements]);
  const withBefore = new Set(before.length > 0 ? findAll(bodyElement(), `:is(${before.join()})`) : []);
  const open = new Map<string, Counter[]>();
  const found = new Map<Element, Counters>();
  const root = parentOf(bodyElement());
  for (const element of [...(root ? [root, bodyElement()] : []), ...findAll(bodyElement(), "*")]) {
    if (!involved.has(element) && !withBefore.has(element)) continue;
    if (!checkVisibility(element) && displayOf(element) !== "contents") continue;
    for (const [name, stack] of open)
      open.set(
        name,
        stack.filter(({ scope }) => scope === null || isInside(scope, element)),
      );
    change(open, getComputedStyle(element), [element, parentOf(element)]);
    if (withBefore.has(element)) change(open, getComputedStyle(element, "::before"), [element, element]);
    found.set(element, new Map(Array.from(open, ([name, stack]) => [name, stack.map(({ value }) => value)])));
  }
  return found;
}

function change(
  open: Map<string, Counter[]>,
  style: CSSStyleDeclaration,
  [owner, around]: [Element, Element | null],
): void {
  const each = (property: string, work: (stack: Counter[], value: number) => Counter[]) => {
    for (const [, name = "", value = ""] of style.getPropertyValue(property).matchAll(/([^\s()]+) (-?\d+)/g))
      open.set(name, work(open.get(name) ?? [], Number(value)));
  };
  const withNew = (stack: Counter[], value: number) => [...stack, { scope: stack.length > 0 ? owner : around, value }];
  const withLast = (stack: Counter[], value: (last: number) => number) => {
    const last = stack.at(-1);
    return last ? [...stack.slice(0, -1), { ...last, value: value(last.value) }] : withNew(stack, value(0));
  };
  // A counter of a sibling before the element ends.
  each("counter-reset", (stack, value) =>
    withNew(
      stack.filter(({ scope }) => scope !== around),
      value,
    ),
  );
  each("counter-increment", (stack, by) => withLast(stack, (last) => last + by));
  each("counter-set", (stack, value) => withLast(stack, () => value));
}
