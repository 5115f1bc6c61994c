// Compiles a template version: parses its Liquid, inlines the assets into the styles, and rewrites page references.
// Callers cache the result.
import { documentFilters } from "colophon-liquid-filters/filters";
import {
  bytesPerParsedChar,
  maxParsedChars,
  messageCatalog,
  type MessageCatalog,
  type MessageTexts,
} from "colophon-liquid-filters/messages";
import { parseLiquid, runAtOnce, type Formatter, type LiquidProblem, type ParsedLiquid } from "colophon-liquid/liquid";
import {
  filesUsedBy,
  maxCodeChars,
  maxTokens,
  mistakeLimit,
  namesRead,
  readsVariable,
  tooManyTokens,
  type Parts,
} from "colophon-liquid/syntax";
import { filePlaceholder, type InlinedFile } from "colophon-page/resolve-files";
import { isValueName, maxValueNames, namesSetIn, tooManyValueNames } from "./document/margins/page-info.ts";
import { charactersOf, type TextCharacters } from "./document/text-characters.ts";
import { pageReferenceEdits, inlinedStyleChars, inlineStyleAssets } from "./styles/reference-styles.ts";
import type { LocaleFile, TemplateContent, TemplateManifest } from "./template.ts";

export type CompiledTemplate = {
  manifest: TemplateManifest;
  pages: ParsedLiquid[];
  header: ParsedLiquid | null;
  footer: ParsedLiquid | null;
  /** The parts that these files use. */
  parts: Parts;
  /** Whether the header and the footer may read `page`, and so may differ from page to page. */
  readsPage: { header: boolean; footer: boolean };
  /** The names `NAME` of `page.values.NAME` that they may read. */
  valueNames: string[];
  /**
   * The styles. Every `url(logo.svg)` is replaced with a placeholder for a file in `styleFiles`, and page references are
   * replaced with attributes that the page script sets.
   */
  css: string;
  styleFiles: readonly InlinedFile[];
  /** The length of the styles including their files. */
  styleChars: number;
  /** The characters that the styles can show. */
  styleCharacters: TextCharacters;
  /** The assets as `data:` URIs, by name. The URIs need no escaping in HTML. */
  assetUris: ReadonlyMap<string, string>;
  /** The messages of the filter `t`; null if there are none. */
  messages: MessageCatalog | null;
  /** The formatters that renders have created so far; see `FilterScope`. */
  formatters: Map<string, Formatter>;
  /**
   * An estimate of the memory that the compiled template takes: the total length of the styles, the assets, the pages and the parts, and
   * the memory of the messages.
   */
  sizeBytes: number;
};

export type CompileResult =
  | { status: "compiled"; template: CompiledTemplate }
  /** `template` is only for checks; it is null if something could not be parsed or is too large. */
  | { status: "broken"; problems: LiquidProblem[]; template: CompiledTemplate | null };

/** Missing assets and parts are reported when a folder is pushed. Using one makes the render fail. */
export function compileTemplate(content: TemplateContent): CompileResult {
  const problems: LiquidProblem[] = [];
  const limit = mistakeLimit();
  let isWhole = true;
  const assetUris = urisOf(content);
  const parsed = (file: string, source: string): ParsedLiquid => {
    const outcome = parseLiquid(file, source, { filters: documentFilters, limit });
    problems.push(...outcome.problems);
    if (outcome.parsed) return outcome.parsed;
    isWhole = false;
    return { file, nodes: [], layout: null, tokenCount: 0, codeChars: 0, unparsed: null };
  };
  const pages = content.pages.map(({ name, source }) => parsed(`pages/${name}`, source));
  const header = content.header === null ? null : parsed("header.liquid", content.header);
  const footer = content.footer === null ? null : parsed("footer.liquid", content.footer);
  const parts = new Map((content.parts ?? []).map(({ file, source }) => [partName(file), parsed(file, source)]));
  const files = [...pages, header, footer, ...parts.values()].filter((file) => file !== null);
  const total = (key: "tokenCount" | "codeChars") => files.reduce((sum, file) => sum + file[key], 0);
  const tooLarge =
    total("tokenCount") > maxTokens ? tooManyTokens : total("codeChars") > maxCodeChars ? tooMuchCode : null;
  if (tooLarge !== null) problems.push({ file: "pages", line: 1, reason: tooLarge });
  if (!isWhole || tooLarge !== null) return { status: "broken", problems, template: null };
  const styleFiles = filesOf(content, assetUris);
  const placeholders = new Map([...styleFiles].map(([name, { placeholder }]) => [name, placeholder]));
  const css = inlineStyleAssets(content.css, content.styleAssets, placeholders, pageReferenceEdits(content.css));
  const sources = [...content.pages, ...(content.parts ?? [])].map(({ source }) => source);
  const margins = [header, footer].filter((file) => file !== null);
  const valueNames = valueNamesOf(margins, parts, sources);
  if (valueNames.length > maxValueNames)
    problems.push({ file: margins[0]?.file ?? "", line: 1, reason: tooManyValueNames });
  const { manifest } = content;
  const texts = [css, ...assetUris.values(), ...sources];
  const sizeBytes = texts.reduce((sum, { length }) => sum + length, 0) + messagesBytes(content);
  const messages = content.locales ? messageCatalog(languagesOf(content.locales)) : null;
  const mayReadPage = (file: ParsedLiquid | null) =>
    file !== null && filesUsedBy(file, parts).some((used) => readsVariable(used, "page"));
  const readsPage = { header: mayReadPage(header), footer: mayReadPage(footer) };
  const template: CompiledTemplate = {
    manifest,
    pages,
    header,
    footer,
    parts,
    readsPage,
    valueNames,
    css,
    styleFiles: [...styleFiles.values()],
    styleChars: inlinedStyleChars(content.css, content.styleAssets, assetUris),
    styleCharacters: runAtOnce(charactersOf([css])),
    assetUris,
    messages,
    formatters: new Map(),
    sizeBytes,
  };
  return problems.length > 0 ? { status: "broken", problems, template } : { status: "compiled", template };
}

function valueNamesOf(margins: ParsedLiquid[], parts: Parts, sources: string[]): string[] {
  const files = new Set(margins.flatMap((file) => filesUsedBy(file, parts)));
  const read = Array.from(files, (file) => namesRead(file, ["page", "values"]) ?? namesSetIn(sources));
  return [...new Set(read.flat())].filter(isValueName).sort();
}

/** Returns the part's name in templates: `row` for `parts/row.liquid`. */
export function partName(file: string): string {
  return file.replace(/^.*\//, "").replace(/\.liquid$/, "");
}

/**
 * Returns the files that the styles use, by asset name. The placeholders occur nowhere else in the styles, and do not vary, so
 * that equal styles remain equal.
 */
function filesOf({ css, styleAssets }: TemplateContent, uris: ReadonlyMap<string, string>): Map<string, InlinedFile> {
  const id = (attempt: number) => `00000000-0000-0000-0000-${String(attempt).padStart(12, "0")}`;
  let attempt = 0;
  while (css.includes(id(attempt))) attempt++;
  const names = [...new Set(styleAssets.map(({ name }) => name))];
  return new Map(
    names.map((name, index) => [name, { placeholder: filePlaceholder(id(attempt), index), uri: uris.get(name) ?? "" }]),
  );
}

const tooMuchCode = `the outputs and tags of the template have more than ${maxCodeChars.toLocaleString("en-US")} characters in total`;

/** Returns the assets as `data:` URIs, by name. */
export function urisOf({ assets }: Pick<TemplateContent, "assets">): Map<string, string> {
  return new Map(
    Object.entries(assets).map(([name, { contentType, base64 }]) => [name, `data:${contentType};base64,${base64}`]),
  );
}

/** Returns the messages of files that a push has validated. */
function languagesOf(locales: readonly LocaleFile[]): Map<string, MessageTexts> {
  return new Map(
    locales.map(({ locale, source }) => {
      return [locale, new Map(textsIn(JSON.parse(source) as object, ""))];
    }),
  );
}

/** Returns the messages of an object by key, such as `invoice.due`. A push has validated the file; see `used-locales.ts`. */
function textsIn(object: object, outer: string): [key: string, text: string][] {
  return Object.entries(object).flatMap(([name, inner]: [string, unknown]) => {
    return typeof inner === "string" ? [[outer + name, inner]] : textsIn(inner as object, `${outer}${name}.`);
  });
}

/** A file's keys and messages, with their entries in a map, take up to this many bytes per character of the file. */
const bytesPerChar = 12;

/** Returns an estimate of the memory of the messages, including parsed messages. */
function messagesBytes({ locales = [] }: Pick<TemplateContent, "locales">): number {
  const chars = locales.reduce((sum, { source }) => sum + source.length, 0);
  return chars * bytesPerChar + Math.min(chars, maxParsedChars) * bytesPerParsedChar;
}
