// Turns the headers and footers, which are already laid out, into page margin boxes. Each header or footer becomes a
// picture, which has to be decoded before the page is printed, because printing does not wait for decoding.
import type { PrepareInput } from "../../core/rendering/prepared-page.ts";
import { findAll } from "../dom.ts";
import { decodeImages } from "../images/decode-images.ts";
import { counterBoxes } from "./counter-boxes.ts";
import type { LaidOutMargin } from "./lay-out-margins.ts";
import { marginPicture } from "./margin-picture.ts";
import { insertMarginStyle, keptMarginStyle } from "./margin-style.ts";

type MarginRule = { rule: string; image: HTMLImageElement | null; warnings: string[] };

/** Returns the warnings for the document. `rules` are the rules of the page's own style sheets. */
export async function applyMargins(margins: LaidOutMargin[], input: PrepareInput, rules: CSSRule[]): Promise<string[]> {
  // All margins are measured before the first one is removed, because each removal would make the browser lay out the
  // page again for the next measurement.
  const made = margins.map((margin) => marginRule(margin, input, rules));
  for (const { host } of margins) host.remove();
  const styles = made.map(({ rule }) => rule).join("\n");
  if (keptMarginStyle()?.textContent !== styles) {
    await decodeImages(made.flatMap(({ image }) => image ?? []));
    insertMarginStyle(styles);
  }
  return made.flatMap(({ warnings }) => warnings);
}

function marginRule({ edge, selector, host }: LaidOutMargin, input: PrepareInput, rules: CSSRule[]): MarginRule {
  const vertical = edge === "header" ? "top" : "bottom";
  const isEmpty = !host.textContent?.trim() && findAll(host, "img, svg").length === 0;
  if (isEmpty) {
    const none = ["left", "center", "right"].map((side) => `@${vertical}-${side}{content:none}`);
    return { rule: `@page ${selector}{${none.join("")}}`, image: null, warnings: [] };
  }
  const height = Math.ceil(host.getBoundingClientRect().height);
  const counters = counterBoxes(edge, host, height, input);
  const image = new Image();
  image.src = marginPicture(host, input.pageWidth, height, rules);
  const { top, right, bottom, left } = input.margin;
  const available = edge === "header" ? top : bottom;
  const reserve = height > available ? `margin-${vertical}:${height}px;` : "";
  const across = edge === "header" ? `0 ${-right}px auto ${-left}px` : `auto ${-right}px 0 ${-left}px`;
  const box = `width:${input.pageWidth}px;height:${height}px;margin:${across};vertical-align:${vertical};text-align:left`;
  const boxes = `@${vertical}-center{content:url("${image.src}");${box}}${counters.boxes.join("")}`;
  return { rule: `@page ${selector}{${reserve}${boxes}}`, image, warnings: counters.warnings };
}
