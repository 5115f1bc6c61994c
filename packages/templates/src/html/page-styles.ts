// Prepares the styles of an HTML page for `style.css`: inserts imported style sheets, makes assets of files, and leaves out the rules that
// cannot be used.
import { posix } from "node:path";
import { parse, type Atrule, type CssNode } from "css-tree";
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/text";
import { readStyles } from "colophon-template-model/read-styles";
import { withEdits, type StyleEdit } from "colophon-template-model/reference-styles";
import type { FileWarning } from "colophon-template-model/template";
import { maxFileBytes } from "colophon-template-model/template-files";
import { nodesIn, readStyleNodes, startOf } from "../styles/css-syntax.ts";
import { findAsset, type FoundAssets } from "./found-assets.ts";
import { decodedFile, readLocal } from "./local-files.ts";

/** The styles that have been read so far. `open` are the style sheets that are being read, each imported by the one before. */
export type ImportedStyles = {
  assets: FoundAssets;
  warnings: FileWarning[];
  open: string[];
  sheets: number;
  chars: number;
};

/** `folder` is the folder of the file inside the page's folder, and `line` is the first line of the styles in the file. */
export type StylePlace = { file: string; folder: string; line: number };

type Sheet = { styles: ImportedStyles; css: string; place: StylePlace; leaveOut(index: number, what: string): void };

const maxSheets = 200;

/** Returns the styles for `style.css`, or for a `style` attribute in a Liquid file. */
export async function preparedStyles(
  styles: ImportedStyles,
  css: string,
  place: StylePlace,
  form: "rules" | "style" = "rules",
): Promise<string> {
  const lineAt = lineCounter(css);
  const leaveOut = (index: number, what: string) =>
    styles.warnings.push({
      file: place.file,
      line: place.line + lineAt(index) - 1,
      message: `${what}, and was left out`,
    });
  const sheet: Sheet = { styles, css, place, leaveOut };
  const root = styleNodes(css, form);
  const edits = root ? [...(await importEdits(sheet, root)), ...(await fontEdits(sheet, root))] : [];
  const ranges = [...edits];
  for (const { target, start, end } of readStyles(css).references) {
    if (ranges.some((edit) => start >= edit.start && start < edit.end)) continue;
    const found = await findAsset(styles.assets, target, place.folder, "image");
    if (found.status === "refused") leaveOut(start, `${quoted(target)} cannot be used (${found.reason})`);
    const name = found.status === "found" ? found.name : "";
    const shown = form === "rules" ? `url("${name}")` : `url({{ '${name}' | asset }})`;
    if (name !== null)
      edits.push({ ...functionAround(css, start, end), text: found.status === "found" ? shown : "none" });
  }
  return withEdits(
    css,
    edits.sort((a, b) => a.start - b.start),
  ).trim();
}

/** The parser recurses, so it does not read styles that are nested deeply. */
function styleNodes(css: string, form: "rules" | "style"): CssNode | null {
  const isDeep = readStyles(css).problems.some(({ reason }) => reason.includes("nested"));
  return isDeep ? null : readStyleNodes(css, form);
}

function replacement(node: CssNode, text: string): StyleEdit {
  return { start: startOf(node), end: node.loc?.end.offset ?? 0, text };
}

/** Returns the range of a file's name with the `url()` around it, if there is one. */
function functionAround(css: string, start: number, end: number): { start: number; end: number } {
  const before = /(?:url|src)\(\s*$/i.exec(css.slice(Math.max(0, start - 50), start))?.[0];
  const after = /^\s*\)/.exec(css.slice(end, end + 50))?.[0];
  return before && after ? { start: start - before.length, end: end + after.length } : { start, end };
}

/** Returns the styles of a file; an empty string if it cannot be used or is not for prints. */
export async function styleFile(
  styles: ImportedStyles,
  reference: string,
  place: StylePlace,
  media: string,
): Promise<string> {
  const { file, line } = place;
  const leaveOut = (reason: string) => {
    styles.warnings.push({ file, line, message: `the style sheet ${quoted(reference)} was left out: ${reason}` });
    return "";
  };
  if (isForScreens(media)) return leaveOut(`it is only for ${quoted(media)}`);
  const read = await readLocal(styles.assets.root, place.folder, reference);
  if (read.status === "refused") return leaveOut(read.reason);
  const { path, bytes } = read;
  const isTooMuch = ++styles.sheets > maxSheets || styles.chars + bytes.length > maxFileBytes("style.css");
  if (isTooMuch || styles.open.includes(path))
    return leaveOut(isTooMuch ? "there are too many styles" : "it imports itself");
  styles.chars += bytes.length;
  const css = decodedFile(bytes, /^@charset "([\w-]+)"/);
  if (css === null) return leaveOut("it does not match its declared encoding; save it as UTF-8");
  styles.open.push(path);
  const prepared = await preparedStyles(styles, css, { file: path, folder: posix.dirname(path), line: 1 });
  styles.open.pop();
  return inMedia(prepared, media);
}

/** Returns whether the media query is never true for a print. */
export function isForScreens(media: string): boolean {
  const others = /^\s*(?:only\s+)?(?:screen|speech|aural|braille|handheld|projection|tty|tv)\b/i;
  return media.split(",").every((query) => others.test(query));
}

export function inMedia(css: string, media: string): string {
  return css === "" || /^\s*(?:(?:all|print)\s*)?$/i.test(media) ? css : `@media ${media.trim()} {\n${css}\n}`;
}

/** Browsers follow `@import` only at the beginning. Conditions other than media queries are not supported. */
async function importEdits({ styles, css, place, leaveOut }: Sheet, root: CssNode): Promise<StyleEdit[]> {
  const edits: StyleEdit[] = [];
  const lineAt = lineCounter(css);
  let isBeginning = true;
  for (const node of root.type === "StyleSheet" ? root.children : []) {
    const name = node.type === "Atrule" ? node.name.toLowerCase() : node.type;
    const edit = replacement(node, "");
    if (name === "charset" || name === "import") edits.push(edit);
    isBeginning &&= /^(?:charset|import|layer|Comment)$/.test(name);
    if (name !== "import") continue;
    const rule = css.slice(edit.start, edit.end);
    const [target] = nodesIn(parse(rule, { positions: true }), "Url", "String");
    const media = rule
      .slice(target?.loc?.end.offset ?? 0)
      .replace(/;\s*$/, "")
      .trim();
    const from = { ...place, line: place.line + lineAt(edit.start) - 1 };
    if (isBeginning && target && !/^(?:layer|supports)\b/i.test(media))
      edit.text = await styleFile(styles, target.value, from, media);
    else leaveOut(edit.start, `${quoted(rule)} cannot be followed`);
  }
  return edits;
}

/** Keeps the first source of each `@font-face` rule that can be used, as a browser does. A rule without one is left out. */
async function fontEdits({ styles, css, place, leaveOut }: Sheet, root: CssNode): Promise<StyleEdit[]> {
  const edits: StyleEdit[] = [];
  for (const rule of nodesIn(root, "Atrule").filter(({ name }) => name.toLowerCase() === "font-face")) {
    const sources = sourcesIn(rule);
    const reasons: string[] = [];
    let kept: string | null = null;
    for (const { value, loc } of sources.toReversed().flatMap((source) => nodesIn(source, "Url"))) {
      const found = await findAsset(styles.assets, value, place.folder, "font");
      if (found.status === "refused") reasons.push(`${quoted(value)}: ${found.reason}`);
      else kept = found.name === null ? css.slice(loc?.start.offset, loc?.end.offset) : `url("${found.name}")`;
      if (kept !== null) break;
    }
    const isLost = kept === null && reasons.length > 0;
    if (isLost) leaveOut(startOf(rule), `no file of this \`@font-face\` can be used (${reasons.join("; ")})`);
    const last = sources.at(-1);
    if (isLost) edits.push(replacement(rule, ""));
    for (const node of kept === null ? [] : sources) edits.push(replacement(node, node === last ? `src: ${kept}` : ""));
  }
  return edits;
}

function sourcesIn({ block }: Atrule) {
  const declarations = [...(block?.children ?? [])].filter((node) => node.type === "Declaration");
  return declarations.filter(({ property }) => property.toLowerCase() === "src");
}
