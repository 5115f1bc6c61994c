// Finds formulas whose font lacks the measures for roots and brackets. A document without formulas is only searched for `math`.
import {
  createElement,
  boxOf,
  findAll,
  findNamed,
  insertInside,
  bodyElement,
  setStyle,
  textOf as contentOf,
} from "../dom.ts";
import { fullNameOf, isShown } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";

/** Each font needs a layout of the document. */
const maxFonts = 20;

export function findUnmeasuredFormulas(): FoundOverflow[] {
  const measured = new Map<string, boolean>();
  return findNamed("math").flatMap((math) => {
    const families = math instanceof MathMLElement ? familiesToMeasure(math) : null;
    if (families === null) return [];
    const hasMeasures = measured.get(families) ?? (measured.size >= maxFonts || drawsRoots(families));
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
