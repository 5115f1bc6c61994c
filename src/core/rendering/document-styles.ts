// The styles that every document begins with: the page's geometry, and the classes and variables that a template may rely
// on.
import type { DocumentFormat } from "../documents/document.ts";
import type { Margin, PageGeometry } from "./page-geometry.ts";

export type StylesInput = {
  page: PageGeometry;
  margin: Margin;
  format: DocumentFormat;
  /** Only for a PNG. If true, every page box is exactly as high as the page; if false, a box may be higher. */
  fixedHeight: boolean;
};

export function documentStyles({ page, margin, format, fixedHeight }: StylesInput): string {
  const { top, right, bottom, left } = margin;
  const edges = `${top}px ${right}px ${bottom}px ${left}px`;
  const variables = [
    `--page-width:${page.cssWidth};--page-height:${page.cssHeight}`,
    `--margin-top:${top}px;--margin-right:${right}px;--margin-bottom:${bottom}px;--margin-left:${left}px`,
  ].join(";");
  const box = fixedHeight ? `height:${page.height}px;overflow:clip` : `min-height:${page.height}px`;
  const layout =
    format === "pdf"
      ? `@page{size:${page.cssWidth} ${page.cssHeight};margin:${edges}}.page+.page{break-before:page}`
      : `.page{box-sizing:border-box;width:${page.width}px;${box};padding:${edges}}`;
  return [
    `:root{${variables};-webkit-print-color-adjust:exact;print-color-adjust:exact}`,
    "html,body{margin:0;padding:0}body{font:14px/1.5 'Open Sans',sans-serif}.page{position:relative}",
    `.page-header{box-sizing:border-box;width:${page.width}px;padding:24px ${right}px 12px ${left}px}`,
    `.page-footer{box-sizing:border-box;width:${page.width}px;padding:12px ${right}px 24px ${left}px}`,
    layout,
  ].join("");
}
