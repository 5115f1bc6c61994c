// Finds what browsers leave out of formulas: text outside the elements for text, elements with too many or too few children, and roots and
// brackets whose font lacks the measures for them. A document without formulas is only searched for `math`.
import {
  childrenOf,
  createElement,
  boxOf,
  descendantsOf,
  findAll,
  findNamed,
  hasBoxes,
  insertInside,
  bodyElement,
  parentOf,
  setStyle,
  textOf as contentOf,
} from "../dom.ts";
import { fullNameOf, isShown, nameOf, textOf } from "./hidden-content.ts";
import type { FoundOverflow } from "./mark-overflows.ts";

function formulas(): Element[] {
  return findNamed("math").filter((math) => math instanceof MathMLElement);
}

/** Returns the formulas with a text that is not printed, such as formulas in content MathML. */
export function lostFormulaTexts(): FoundOverflow[] {
  return formulas().flatMap((math) => {
    const lost = [...descendantsOf(math, NodeFilter.SHOW_TEXT)].find(isLost);
    const parent = lost ? parentOf(lost) : null;
    if (!lost || !parent) return [];
    const text = textOf({ px: 0, edge: "right", text: contentOf(lost).trim() });
    const message = `${fullNameOf(math)} does not show the text in ${nameOf(parent)}${text}. Write presentation MathML, with text only in \`<mi>\`, \`<mn>\`, \`<mo>\` and \`<mtext>\`.`;
    return [{ element: math, message }];
  });
}

/** The elements that show the text inside them. */
const textElements = /^(mi|mn|mo|ms|mtext|mtd)$/;

function isLost(node: Node): boolean {
  const parent = parentOf(node);
  if (!(node instanceof Text && parent instanceof MathMLElement) || node.data.trim() === "") return false;
  return !textElements.test(parent.localName) && isShown(parent) && !hasBoxes(node);
}

/** The number of children that these elements need. With a different number, they are drawn as a row. */
const childCounts = new Map([
  ...["mfrac", "mroot", "msub", "msup", "munder", "mover"].map((name): [string, number] => [name, 2]),
  ...["msubsup", "munderover"].map((name): [string, number] => [name, 3]),
]);

/** Returns the formulas that are not drawn as they are written. */
export function findFlatFormulas(): FoundOverflow[] {
  const measured = new Map<string, boolean>();
  return formulas().flatMap((math) => {
    const isWrong = (each: Element) => childCounts.get(each.localName) !== childrenOf(each).length;
    const wrong = findAll(math, [...childCounts.keys()].join()).find(isWrong);
    if (wrong && isShown(wrong)) {
      const counts = `needs ${childCounts.get(wrong.localName)} children and has ${childrenOf(wrong).length}`;
      const message = `In ${fullNameOf(math)}, ${nameOf(wrong)} ${counts}, so it is drawn as a row. Put each of its parts into an \`<mrow>\`.`;
      return [{ element: math, message }];
    }
    const families = familiesToMeasure(math);
    if (families === null) return [];
    const hasMeasures = measured.get(families) ?? drawsRoots(families);
    measured.set(families, hasMeasures);
    if (hasMeasures || !isShown(math)) return [];
    const family = families.split(",")[0]?.replaceAll('"', "");
    const message = `The font of ${fullNameOf(math)}, \`${family}\`, has no measures for formulas (a table \`MATH\`), so roots lose their sign and brackets do not grow. Write \`math, math * { font-family: math }\`.`;
    return [{ element: math, message }];
  });
}

const tall = "mfrac,mtable,munder,mover,munderover,msubsup";

/** Returns the fonts of a root, or of brackets around something tall; null if they are the service's font for formulas. */
function familiesToMeasure(math: Element): string | null {
  const isBracket = (each: Element) => /^[([{|]$/.test(contentOf(each).trim());
  const [root] = findAll(math, "msqrt,mroot");
  const element = root ?? (findAll(math, tall).length > 0 ? findAll(math, "mo").find(isBracket) : undefined);
  const families = element ? getComputedStyle(element).fontFamily : "";
  return families === "" || families.startsWith('"Colophon Math"') ? null : families;
}

/** Whether the browser draws the sign of a root in these fonts. */
function drawsRoots(families: string): boolean {
  const probe = createElement("div");
  probe.innerHTML = `<math><msqrt><mspace width="${probePx}px"/></msqrt></math>`;
  setStyle(probe, { position: "absolute", visibility: "hidden" });
  insertInside(bodyElement(), probe, "end");
  const [root] = findAll(probe, "msqrt");
  if (root) setStyle(root, { "font-family": families, "font-size": "20px" });
  const hasSign = !root || boxOf(root).width > probePx + 1;
  probe.remove();
  return hasSign;
}

const probePx = 9;
