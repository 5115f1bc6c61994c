// Refuses a parsed document before it is inserted, if the browser would have to lay out or draw far more elements than
// any real document has. SVG elements that refer to each other count every time they would be drawn.
import { attributeOf, childrenOf, countElements, findAll } from "../dom.ts";
import { TooExpensiveError } from "./too-expensive.ts";

/** Far more than 500 pages can show. For comparison, a table of 10,000 rows and 20 columns has 210,000 elements. */
const maxElements = 300_000;
/** A reference such as `<use>` or `fill="url(#p)"` counts as many elements as it draws. */
const maxDrawnSvgElements = 300_000;

/** Throws `TooExpensiveError` when the document exceeds a limit. */
export function checkMarkupCost(parsed: Document): void {
  const elements = countElements(parsed);
  if (elements > maxElements) {
    throw new TooExpensiveError(
      `The document has ${elements} elements; at most ${maxElements} are allowed. Split it into several documents.`,
    );
  }
  const drawings = findAll(parsed, "svg");
  if (drawings.length > 0 && drawnElements(drawings) > maxDrawnSvgElements) {
    throw new TooExpensiveError(
      `The SVG elements of the document refer to each other so many times that more than ${maxDrawnSvgElements} elements ` +
        "would be drawn. Use fewer references such as `<use>`, `<pattern>` and `<mask>`.",
    );
  }
}

/** Returns the number of drawn elements, or a number over the limit as soon as it is exceeded. */
function drawnElements(drawings: Element[]): number {
  const byId = new Map<string, Element>();
  for (const drawing of drawings) {
    for (const element of findAll(drawing, "*")) {
      const id = attributeOf(element, "id");
      if (id && !byId.has(id)) byId.set(id, element);
    }
  }
  const costs = new Map<Element, number>();
  const costOf = (element: Element): number => {
    const cost = costs.get(element);
    if (cost !== undefined) return cost;
    // An element that contains a reference to itself is not drawn again.
    costs.set(element, 0);
    let sum = 1;
    for (const child of childrenOf(element)) sum += costOf(child);
    for (const id of referencesOf(element)) {
      const target = byId.get(id);
      if (target) sum += costOf(target);
    }
    costs.set(element, Math.min(sum, maxDrawnSvgElements + 1));
    return sum;
  };
  const inner = new Set(drawings.flatMap((drawing) => findAll(drawing, "svg")));
  return drawings.filter((drawing) => !inner.has(drawing)).reduce((sum, drawing) => sum + costOf(drawing), 0);
}

/** Returns the ids in an element's attributes, for example in `href="#id"` and `fill="url(#id)"`. */
function referencesOf(element: Element): string[] {
  const ids: string[] = [];
  for (const { localName, value } of element.attributes) {
    if (localName === "href" && element.localName !== "a") {
      if (value.startsWith("#")) ids.push(value.slice(1));
    } else if (value.includes("url(")) {
      for (const [, id = ""] of value.matchAll(/url\(\s*["']?#([^"')\s]+)/g)) ids.push(id);
    }
  }
  return ids;
}
