// A template version made ready to render: Liquid parsed, assets inlined into the styles. Done once per version.
import { parseLiquid, type LiquidProblem, type ParsedLiquid } from "./liquid.ts";
import type { TemplateContent } from "./template.ts";

export type CompiledTemplate = {
  content: TemplateContent;
  pages: ParsedLiquid[];
  header: ParsedLiquid | null;
  footer: ParsedLiquid | null;
  /** The styles with every `url(logo.svg)` replaced by the asset itself. */
  css: string;
};

export type CompileResult =
  | { status: "compiled"; template: CompiledTemplate }
  | { status: "broken"; problems: LiquidProblem[] };

export function compileTemplate(content: TemplateContent): CompileResult {
  const problems: LiquidProblem[] = [];
  const parsed = (file: string, source: string): ParsedLiquid => {
    problems.push(...unknownAssets(content, file, source));
    const outcome = parseLiquid(file, source);
    if (outcome.status === "ok") return outcome.value;
    problems.push(outcome.problem);
    return { file, nodes: [] };
  };
  const pages = content.pages.map(({ name, source }) => parsed(`pages/${name}`, source));
  const header = content.header === null ? null : parsed("header.liquid", content.header);
  const footer = content.footer === null ? null : parsed("footer.liquid", content.footer);
  const css = inlineStyles(content, problems);
  return problems.length > 0
    ? { status: "broken", problems }
    : { status: "compiled", template: { content, pages, header, footer, css } };
}

/** `name` as a template writes it: `logo.svg`, `./logo.svg` and `assets/logo.svg` are the same file. */
export function assetName(name: string): string {
  return name.replace(/^\.\//, "").replace(/^assets\//, "");
}

/** The asset as a `data:` URI, or null when the template has none of that name. */
export function assetUri(content: TemplateContent, name: string): string | null {
  const key = assetName(name);
  const asset = Object.hasOwn(content.assets, key) ? content.assets[key] : undefined;
  return asset ? `data:${asset.contentType};base64,${asset.base64}` : null;
}

function unknownAssets(content: TemplateContent, file: string, source: string): LiquidProblem[] {
  // A name that the template puts together is only known when it is rendered.
  return [...source.matchAll(/(?:\{\{-?|=)\s*(['"])([^'"]*)\1\s*\|\s*asset\b/g)].flatMap((match) =>
    assetUri(content, match[2] ?? "") === null
      ? [{ file, line: lineAt(source, match.index), reason: `there is no file assets/${assetName(match[2] ?? "")}` }]
      : [],
  );
}

function inlineStyles(content: TemplateContent, problems: LiquidProblem[]): string {
  const { css } = content;
  const report = (index: number, reason: string) =>
    problems.push({ file: "style.css", line: lineAt(css, index), reason });
  const breakout = css.search(/<\/style/i);
  if (breakout >= 0) report(breakout, "`</style` would end the style sheet");
  const external = css.search(/@import\b/i);
  if (external >= 0) report(external, "`@import` is not available; put the styles into style.css");
  return css.replace(cssUrl, (whole, double: string, single: string, bare: string, index: number) => {
    const target = double ?? single ?? bare;
    if (/^(data:|#)/i.test(target)) return whole;
    const uri = assetUri(content, target);
    if (uri === null) report(index, `there is no file assets/${assetName(target)}; nothing is fetched from elsewhere`);
    return uri === null ? whole : `url("${uri}")`;
  });
}

const cssUrl = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^'")\s]+))\s*\)/gi;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
