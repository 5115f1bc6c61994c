// Finds links to places that the document does not have. Chromium leaves them out of a PDF.
import { bodyElement, boxOf, elementById, findAll, isLaidOut } from "../dom.ts";
import { fullNameOf } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";

const maxFragmentChars = 60;

/** Links that show the page of their target in one of the attributes `pageAttributes` have a different warning. */
export function findDeadLinks(pageAttributes: readonly string[]): FoundOverflow[] {
  const others = pageAttributes.map((name) => `:not([${name}])`).join("");
  // In SVG, the attribute may be in a namespace.
  const selector = `a[*|href^="#"]${others}, area[href^="#"]`;
  const links = findAll(bodyElement(), selector).filter((link) => boxOf(link).width > 0);
  return links.flatMap((element) => {
    const href = [...element.attributes].find(({ localName }) => localName === "href")?.value ?? "";
    if (isPlace(href.slice(1))) return [];
    return [{ element, message: `The link ${fullNameOf(element)} ${isLost(href)}` }];
  });
}

/** `fragments` are the fragments of the links in headers and footers, each of which is on several pages. */
export function deadMarginLinks(fragments: readonly string[]): string[] {
  const dead = [...new Set(fragments)].filter((fragment) => !isPlace(fragment));
  return dead.map((fragment) => `A link in the header or the footer ${isLost(`#${fragment}`)}`);
}

function isLost(href: string): string {
  const shown = href.length > maxFragmentChars ? `${href.slice(0, maxFragmentChars)}…` : href;
  return `to \`${shown}\` is lost, because no printed element has this id. Correct the link or the id.`;
}

/** Whether a link with this fragment leads somewhere. Without a fragment, or with `#top`, it leads to the first page. */
function isPlace(fragment: string): boolean {
  if (/^(top)?$/i.test(fragment)) return true;
  const target = elementById(fragment) ?? findAll(bodyElement(), `a[name="${CSS.escape(fragment)}"]`)[0];
  return target !== undefined && isLaidOut(target);
}
