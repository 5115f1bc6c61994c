// Turns the blocks of a header or footer that contain page counters into separate text boxes, because only page margin
// boxes can count pages. The blocks stay in the picture of the header or footer, but with their text hidden.
import type { PrepareInput } from "../../core/rendering/prepared-page.ts";
import { createElement, createRange, findAll, textNodes } from "../dom.ts";
import type { Edge } from "./lay-out-margins.ts";

const counters = ".pageNumber, .totalPages";

type Rect = { x: number; y: number; width: number; height: number };
type TextBox = { rect: Rect; align: string; content: string; style: CSSStyleDeclaration };

/**
 * Returns the margin boxes, as CSS, for the first two blocks with page counters, and hides the text of these blocks.
 */
export function counterBoxes(
  edge: Edge,
  host: HTMLElement,
  edgeHeight: number,
  input: PrepareInput,
): { boxes: string[]; warnings: string[] } {
  const hostRect = host.getBoundingClientRect();
  const blocks = counterBlocks(host);
  const boxes = blocks.slice(0, 2).map((block, index) => {
    const box = textBox(block, host, hostRect);
    hideText(block);
    const side = index === 0 ? "right" : "left";
    return boxRule(edge, side, box, placement(edge, side, box.rect, edgeHeight, input));
  });
  const warnings =
    blocks.length > 2
      ? [`The ${edge} has ${blocks.length} blocks with page numbers, but only the first two are shown.`]
      : [];
  return { boxes, warnings };
}

function counterBlocks(host: HTMLElement): HTMLElement[] {
  const blocks = new Set<HTMLElement>();
  for (const counter of findAll(host, counters)) {
    let block = counter as HTMLElement;
    while (block !== host && getComputedStyle(block).display === "inline") block = block.parentElement as HTMLElement;
    blocks.add(block);
  }
  return [...blocks];
}

function textBox(block: HTMLElement, host: HTMLElement, hostRect: DOMRect): TextBox {
  const style = getComputedStyle(block);
  const range = createRange();
  range.selectNodeContents(block);
  const text = range.getBoundingClientRect();
  const outer = block.getBoundingClientRect();
  const parent = (block === host ? block : (block.parentElement as HTMLElement)).getBoundingClientRect();
  const innerLeft = outer.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
  const innerRight = outer.right - parseFloat(style.borderRightWidth) - parseFloat(style.paddingRight);
  const slackLeft = text.left - innerLeft;
  const slackRight = innerRight - text.right;
  const fits = slackLeft < 1 && slackRight < 1;
  const align = fits
    ? Math.abs(outer.right - parent.right) < 40 && outer.left - parent.left > 40
      ? "right"
      : "left"
    : Math.abs(slackLeft - slackRight) < 1.5
      ? "center"
      : slackLeft > slackRight
        ? "right"
        : "left";
  const rect = {
    x: innerLeft - hostRect.left,
    y: text.top - hostRect.top,
    width: innerRight - innerLeft,
    height: text.height,
  };
  return { rect, align, content: cssContent(block), style };
}

/** The block's text as a value for the `content` property. */
function cssContent(block: HTMLElement): string {
  const content: string[] = [];
  for (const node of textNodes(block)) {
    const counter = node.parentElement?.closest(counters);
    if (counter?.classList.contains("pageNumber")) content.push("counter(page)");
    else if (counter) content.push("counter(pages)");
    else content.push(cssString(node.nodeValue ?? ""));
  }
  return content.join(" ");
}

function cssString(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ")}"`;
}

function hideText(block: HTMLElement): void {
  const wrapper = createElement("span");
  wrapper.style.visibility = "hidden";
  wrapper.append(...block.childNodes);
  block.append(wrapper);
}

/**
 * Returns the margins that put a box in its position. The two boxes of an edge are anchored to opposite sides, and the
 * `auto` margins take up the remaining space.
 */
function placement(edge: Edge, side: "left" | "right", rect: Rect, edgeHeight: number, input: PrepareInput): string {
  const { left, right } = input.margin;
  const fromBottom = edgeHeight - rect.y - rect.height;
  const down =
    edge === "header" ? `margin-top:${rect.y}px;margin-bottom:auto` : `margin-top:auto;margin-bottom:${fromBottom}px`;
  const fromRight = input.pageWidth - right - rect.x - rect.width;
  return side === "left"
    ? `margin-left:${rect.x - left}px;margin-right:auto;${down}`
    : `margin-left:auto;margin-right:${fromRight}px;${down}`;
}

function boxRule(edge: Edge, side: "left" | "right", { rect, align, content, style }: TextBox, placed: string): string {
  return (
    `@${edge === "header" ? "top" : "bottom"}-${side}{content:${content};width:${rect.width}px;height:${rect.height}px;${placed};vertical-align:top;` +
    `text-align:${align};white-space:nowrap;${fontOf(style)};line-height:${rect.height}px;color:${style.color};` +
    `letter-spacing:${style.letterSpacing};font-variant-numeric:${style.fontVariantNumeric};text-transform:${style.textTransform}}`
  );
}

/**
 * Returns the font as separate properties, because the `font` shorthand is empty when a variant such as `tabular-nums`
 * is set.
 */
function fontOf(style: CSSStyleDeclaration): string {
  return (
    `font-family:${style.fontFamily};font-size:${style.fontSize};font-weight:${style.fontWeight};` +
    `font-style:${style.fontStyle};font-stretch:${style.fontStretch};font-feature-settings:${style.fontFeatureSettings}`
  );
}
