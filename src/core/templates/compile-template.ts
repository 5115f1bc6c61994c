// Compiles a template version: parses its Liquid, and inlines the assets into the styles. Callers cache the result.
import type { Formatter } from "../liquid/filter-call.ts";
import { parseLiquid, type LiquidProblem, type ParsedLiquid } from "../liquid/liquid.ts";
import type { TemplateContent, TemplateManifest } from "./template.ts";

export type CompiledTemplate = {
  manifest: TemplateManifest;
  pages: ParsedLiquid[];
  header: ParsedLiquid | null;
  footer: ParsedLiquid | null;
  /** The styles. Every `url(logo.svg)` in them has been replaced by the asset's `data:` URI. */
  css: string;
  /** The assets as `data:` URIs, by name. The URIs need no escaping in HTML. */
  assetUris: ReadonlyMap<string, string>;
  /** The formatters that renders have created so far; see `FilterScope`. */
  formatters: Map<string, Formatter>;
  /**
   * An estimate of the memory that the compiled template takes: the total length of the styles, the assets and the
   * pages.
   */
  sizeBytes: number;
};

export type CompileResult =
  | { status: "compiled"; template: CompiledTemplate }
  | { status: "broken"; problems: LiquidProblem[] };

export function compileTemplate(content: TemplateContent): CompileResult {
  const problems: LiquidProblem[] = [];
  const assetUris = urisOf(content);
  const parsed = (file: string, source: string): ParsedLiquid => {
    problems.push(...unknownAssets(assetUris, file, source));
    const outcome = parseLiquid(file, source);
    if (outcome.status === "ok") return outcome.value;
    problems.push(outcome.problem);
    return { file, nodes: [] };
  };
  const pages = content.pages.map(({ name, source }) => parsed(`pages/${name}`, source));
  const header = content.header === null ? null : parsed("header.liquid", content.header);
  const footer = content.footer === null ? null : parsed("footer.liquid", content.footer);
  const css = inlineStyles(content.css, assetUris, problems);
  if (problems.length > 0) return { status: "broken", problems };
  const { manifest } = content;
  const texts = [css, ...assetUris.values(), ...content.pages.map(({ source }) => source)];
  const sizeBytes = texts.reduce((sum, { length }) => sum + length, 0);
  const formatters = new Map<string, Formatter>();
  return { status: "compiled", template: { manifest, pages, header, footer, css, assetUris, formatters, sizeBytes } };
}

/** Returns the asset's name in `assets/`. A template may write it as `logo.svg`, `./logo.svg` or `assets/logo.svg`. */
export function assetName(name: string): string {
  return name.replace(/^\.\//, "").replace(/^assets\//, "");
}

function urisOf({ assets }: TemplateContent): Map<string, string> {
  return new Map(
    Object.entries(assets).map(([name, { contentType, base64 }]) => [name, `data:${contentType};base64,${base64}`]),
  );
}

function unknownAssets(assetUris: ReadonlyMap<string, string>, file: string, source: string): LiquidProblem[] {
  // Only literal names are checked, because a computed name is known only when the template is rendered.
  return [...source.matchAll(/(?:\{\{-?|=)\s*(['"])([^'"]*)\1\s*\|\s*asset\b/g)].flatMap((match) =>
    assetUris.has(assetName(match[2] ?? ""))
      ? []
      : [{ file, line: lineAt(source, match.index), reason: `there is no file assets/${assetName(match[2] ?? "")}` }],
  );
}

function inlineStyles(css: string, assetUris: ReadonlyMap<string, string>, problems: LiquidProblem[]): string {
  const report = (index: number, reason: string) =>
    problems.push({ file: "style.css", line: lineAt(css, index), reason });
  const breakout = css.search(/<\/style/i);
  if (breakout >= 0) report(breakout, "`</style` would end the style sheet");
  const external = css.search(/@import\b/i);
  if (external >= 0) report(external, "`@import` is not supported; put the styles into style.css");
  return css.replace(cssUrl, (whole, double: string, single: string, bare: string, index: number) => {
    const target = double ?? single ?? bare;
    if (/^(data:|#)/i.test(target)) return whole;
    const uri = assetUris.get(assetName(target));
    if (uri !== undefined) return `url("${uri}")`;
    report(index, `there is no file assets/${assetName(target)}; style.css can use only files in assets/`);
    return whole;
  });
}

const cssUrl = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^'")\s]+))\s*\)/gi;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
