// Finds bars at the top or the foot of every page that cover the text of later pages: the body's padding, which makes room for them, is
// only on the first or the last page. Documents that may make room on every page, or that choose where their pages begin, are left alone.
import { isBodyPage } from "../boxes/page-boxes.ts";
import { bodyElement, boxOf, checkVisibility, findAll } from "../dom.ts";
import { fullNameOf } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import type { StyledElements } from "../style-rules.ts";

/** Lower bars, and bars further from the edge or partly outside, need not cover a line. */
const [minPx, nearPx] = [16, 4];
/** Higher boxes are backgrounds. */
const maxPart = 0.3;

export function findCoveringBoxes(styled: StyledElements, pagePx: number): FoundOverflow[] {
  const body = boxOf(bodyElement());
  if (!isBodyPage() || body.bottom <= pagePx + 1) return [];
  const bars = styled(isFixed, /fixed/i).flatMap((element) => {
    const box = boxOf(element);
    const isBar = box.height >= minPx && box.height < maxPart * pagePx && box.width > body.width / 2;
    const isAtTop = Math.abs(box.top) < nearPx;
    // The viewport, which places the box until the print, may be higher than the page.
    const isAtFoot = Math.abs(innerHeight - box.bottom) < nearPx;
    const file = isAtTop ? "header.liquid" : "footer.liquid";
    const message = `${fullNameOf(element)} covers text at the ${isAtTop ? "top" : "foot"} of pages, because a fixed box is on every page and takes no space there. Move it to ${file}.`;
    return isBar && (isAtTop || isAtFoot) && hidesText(element) ? [{ element, message, px: box.height }] : [];
  });
  if (bars.length === 0 || styled(mayMakeRoom, /break|page/i).length > 0) return [];
  const rowPx = Math.max(0, ...findAll(bodyElement(), "thead,tfoot").map((row) => boxOf(row).height));
  return bars.filter(({ px }) => px > rowPx + 1);
}

function isFixed({ position }: CSSStyleDeclaration): boolean {
  return position === "fixed";
}

function hidesText(element: Element): boolean {
  const { position, backgroundColor, opacity, zIndex } = getComputedStyle(element);
  const isOpaque = !/^rgba|\//.test(backgroundColor) && opacity === "1";
  return position === "fixed" && isOpaque && !zIndex.startsWith("-") && checkVisibility(element);
}

function mayMakeRoom(style: CSSStyleDeclaration): boolean {
  const forced = /page|left|right|recto|verso|\(/;
  const clone = /clone|\(/.test(style.getPropertyValue("-webkit-box-decoration-break"));
  return forced.test(`${style.breakBefore} ${style.breakAfter}`) || style.getPropertyValue("page") !== "" || clone;
}
