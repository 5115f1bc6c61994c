// Finds the elements whose pseudo-elements show page numbers or leaders. The browser decides which rule applies: each
// attribute is set to a unique mark, and the computed `content` of a pseudo-element then contains the marks of the
// attributes that it shows.
import { attributeOf, displayOf, findInDocument, removeAttribute, setAttribute } from "../dom.ts";
import type { LeaderEdge } from "./fill-leaders.ts";
import { targetName } from "./page-numbers.ts";
import { leaderPrefix, type LeaderAttribute, type PageAttribute } from "./reference-attributes.ts";

export type PageUse = { element: Element; attribute: string; target: string };
export type LeaderUse = { element: Element; attribute: string; pattern: string; edge: LeaderEdge };

type Candidates<Attribute> = { attribute: Attribute; elements: Element[] };

const edges: LeaderEdge[] = ["after", "before"];

/** Afterwards, no element has any of the attributes. `rules` are the rules of the page's own style sheets. */
export function findUses(
  pages: readonly PageAttribute[],
  leaders: readonly LeaderAttribute[],
  rules: readonly CSSRule[],
): { pageUses: PageUse[]; leaderUses: LeaderUse[] } {
  for (const { name } of [...pages, ...leaders]) {
    for (const element of findInDocument(`[${name}]`)) removeAttribute(element, name);
  }
  const withLeaders = leaders.length > 0 ? leaderCandidates(rules) : [];
  const pageCandidates = pages.map((attribute) => {
    return { attribute, elements: findInDocument(`[${attribute.source}^="#"]`) };
  });
  const leaderCandidatesOf = leaders.map((attribute) => ({ attribute, elements: withLeaders }));
  const candidates = [...pageCandidates, ...leaderCandidatesOf];
  for (const { attribute, elements } of candidates) {
    for (const element of elements) setAttribute(element, attribute.name, markOf(attribute.name));
  }
  const contentOf = contentReader();
  const uses = {
    pageUses: pageCandidates.flatMap((candidate) => pageUses(candidate, contentOf)),
    leaderUses: leaderCandidatesOf.flatMap((candidate) => leaderUses(candidate, contentOf)),
  };
  for (const { attribute, elements } of candidates) {
    for (const element of elements) removeAttribute(element, attribute.name);
  }
  return uses;
}

/** Wraps the name in private-use characters, which no text contains. */
function markOf(name: string): string {
  return `\u{F8FF}${name}\u{F8FF}`;
}

type ContentOf = (element: Element, edge: LeaderEdge) => string;

/** Returns a function that reads the computed `content` of a pseudo-element, and reads each element only once. */
function contentReader(): ContentOf {
  const contents = { before: new Map<Element, string>(), after: new Map<Element, string>() };
  return (element, edge) => {
    const content = contents[edge].get(element) ?? getComputedStyle(element, `::${edge}`).content;
    contents[edge].set(element, content);
    return content;
  };
}

function pageUses({ attribute, elements }: Candidates<PageAttribute>, contentOf: ContentOf): PageUse[] {
  const mark = markOf(attribute.name);
  return elements.flatMap((element) => {
    const target = targetName(attributeOf(element, attribute.source));
    // Chromium 127 does not compute the content of a list item's marker, so every marker counts.
    const isShown =
      edges.some((edge) => contentOf(element, edge).includes(mark)) || displayOf(element).includes("list-item");
    return isShown && target !== "" ? [{ element, attribute: attribute.name, target }] : [];
  });
}

function leaderUses({ attribute, elements }: Candidates<LeaderAttribute>, contentOf: ContentOf): LeaderUse[] {
  const mark = markOf(attribute.name);
  return elements.flatMap((element) => {
    const edge = edges.find((candidate) => contentOf(element, candidate).includes(mark));
    return edge ? [{ element, attribute: attribute.name, pattern: attribute.pattern, edge }] : [];
  });
}

/** Returns the elements to which a rule with a leader may apply. */
function leaderCandidates(rules: readonly CSSRule[]): Element[] {
  const selectors = new Set(leaderSelectors(rules, false));
  return [...new Set([...selectors].flatMap((selector) => findInDocument(selector)))];
}

/**
 * Returns the selectors of rules that contain a leader, without pseudo-elements. A leader in a variable or in a nested
 * rule may apply to any element.
 */
function leaderSelectors(rules: readonly CSSRule[], isNested: boolean): string[] {
  return rules.flatMap((rule) => {
    const { style, selectorText, cssRules } = rule as Partial<CSSStyleRule>;
    const isNesting = isNested || selectorText !== undefined;
    const inside = cssRules ? leaderSelectors([...cssRules], isNesting) : [];
    if (!style?.cssText.includes(leaderPrefix)) return inside;
    const selector = (selectorText ?? "").replace(/::?(?:before|after)\b/gi, "");
    const isDirect = !isNested && style.content.includes(leaderPrefix) && CSS.supports(`selector(${selector})`);
    return [isDirect ? selector : "body *", ...inside];
  });
}
