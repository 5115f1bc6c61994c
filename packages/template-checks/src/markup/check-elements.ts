// Finds elements and attributes that have no effect in a document, because it is static and loads nothing, and file names without the
// filter `asset`.
import { newlinesIn } from "colophon-base/line-counter";
import { similarName } from "colophon-base/similar-name";
import { quoted } from "colophon-base/text";
import { hasMarks, textBeforeMarks } from "colophon-liquid/marks";
import { fitAttribute, smallestSizePx } from "colophon-page/page-geometry";
import { valueAttribute } from "colophon-page/prepared-page";
import { assetName } from "colophon-template-model/asset-names";
import { imageUriProblem } from "colophon-template-model/document-images";
import { isValueName } from "colophon-template-model/page-info";
import { isImport, readStyles } from "colophon-template-model/read-styles";
import type { Report } from "../findings.ts";
import { foreignAttribute, foreignElement } from "./check-foreign.ts";
import { markupStyles, type Attribute, type MarkupTag } from "./read-markup.ts";

/** `reportAt` takes a position in the file instead of a line. `before` is the previous tag. */
export function checkElement(tag: MarkupTag, reportAt: Report, before?: MarkupTag): void {
  if (tag.kind === "end" || hasMarks(tag.name)) return;
  const problem =
    uselessElement(tag) ??
    foreignElement(tag) ??
    unknownElement(tag) ??
    (before?.name === "source" ? null : missingSource(tag));
  if (problem !== null) reportAt(tag.start, problem, "warning");
  for (const attribute of tag.attributes) {
    const wrong = attributeProblem(tag, attribute);
    if (wrong !== null) reportAt(attribute.start, wrong, "warning");
  }
}

function uselessElement({ name, attributes }: MarkupTag): string | null {
  const hasPoster = name === "video" && attributes.some((each) => each.name === "poster");
  const reason = hasPoster ? undefined : useless.get(name);
  if (reason !== undefined) return `${quoted(`<${name}>`)} ${reason}`;
  const isRefresh =
    name === "meta" &&
    attributes.some((each) => each.name === "http-equiv" && each.value.trim().toLowerCase() === "refresh");
  return isRefresh ? `${quoted('<meta http-equiv="refresh">')} is removed, because documents are static` : null;
}

const reasons: [reason: string, names: string][] = [
  ["never runs, because scripts do not run in documents", "script"],
  ["stays empty, because documents cannot contain frames", "iframe frame frameset"],
  ["stays empty, because scripts do not run in documents; draw with SVG", "canvas"],
  ["has no effect, because a document cannot be filled in or sent", "form"],
  ["has no effect, because documents load nothing; put styles into style.css, and fonts into assets/", "base link"],
  ["shows nothing, because documents load nothing", "object embed applet video audio"],
  ["shows nothing, because documents have neither scripts nor shadow roots (`shadowrootmode`)", "template"],
  ["does not move, because documents are static", "marquee animate animatemotion animatetransform set discard"],
  ["loses its brackets and separators; write `<mrow><mo>(</mo>…<mo>,</mo>…<mo>)</mo></mrow>`", "mfenced"],
  ["loses its lines; write `<mrow>` with `border` or `text-decoration` in CSS", "menclose"],
  ["loses its lines and its columns; write `<mtable>` with `border` in CSS", "mstack mlongdiv"],
  ["shows nothing; write the character itself", "mglyph"],
  ["loses its quotation marks; write `<mtext>` with them", "ms"],
  ["becomes an ordinary row, whose first cell is the label; write `<mtr>`", "mlabeledtr"],
  ["aligns nothing; write an `<mtable>`", "maligngroup malignmark"],
];
const useless = new Map(
  reasons.flatMap(([reason, names]) => names.split(" ").map((name): [string, string] => [name, reason])),
);

/** Custom elements have a hyphen in their names. They are displayed like a `span`. */
function unknownElement({ name, isForeign }: MarkupTag): string | null {
  if (isForeign || name.includes("-") || htmlElements.has(name)) return null;
  const similar = similarName(name, htmlElements);
  return `there is no element ${quoted(`<${name}>`)}${similar ? `; did you mean ${quoted(`<${similar}>`)}?` : " in HTML"}`;
}

/** Liquid can print any attribute, CSS can show an image as `content`, and `data-src` has a separate message. */
function missingSource({ name, isForeign, attributes }: MarkupTag): string | null {
  const showsFile = (each: Attribute) =>
    hasMarks(each.name) || (/^data-|src/.test(each.name) ? each.value.trim() !== "" : /content/.test(each.value));
  if (name !== "img" || isForeign || attributes.some(showsFile)) return null;
  const alt = attributes.find((each) => each.name === "alt" && each.value !== "" && !hasMarks(each.value));
  const shown = quoted(alt ? `<img alt="${alt.value}">` : "<img>");
  return `${shown} shows nothing without ${quoted("src")}; write ${quoted(`src="{{ 'logo.png' | asset }}"`)}, with a file in assets/`;
}

function attributeProblem(tag: MarkupTag, { name, value }: Attribute): string | null {
  const foreign = foreignAttribute(name);
  if (foreign !== null) return foreign;
  if (/^on[a-z]+$/.test(name)) return `${quoted(name)} never runs, because scripts do not run in documents`;
  const valueName = name.startsWith(valueAttribute) ? name.slice(valueAttribute.length) : null;
  if (valueName !== null && !hasMarks(valueName) && !isValueName(valueName))
    return `${quoted(name)} sets no value; its name after ${quoted(valueAttribute)} needs a letter, then letters, digits and ${quoted("_")}`;
  if (name === fitAttribute && !hasMarks(value) && smallestSizePx(value) === null)
    return `${quoted(`${name}="${value}"`)} has no effect; it needs the smallest font size in px, pt or mm, such as ${quoted("8px")}`;
  const [, loaded] = /^data-(?:lazy-?)?(src|srcset|original)$/.exec(name) ?? [];
  if (loaded !== undefined && (tag.name === "img" || tag.name === "source") && !hasSource(tag))
    return `${quoted(name)} shows nothing, because scripts do not run in documents; write ${quoted(loaded === "srcset" ? loaded : "src")}`;
  if ((tag.name === "a" || tag.name === "area") && (name === "href" || name === "xlink:href"))
    return linkProblem(value.trim());
  return null;
}

/** Scripts that load images later leave their source empty, or put a small image there. */
function hasSource({ attributes }: MarkupTag): boolean {
  return attributes.some(({ name, value }) => /^src(set)?$/.test(name) && !/^\s*(data:|$)/i.test(value));
}

/** Links with `http`, `https`, `mailto`, `tel` or a fragment are kept. */
function linkProblem(target: string): string | null {
  if (target === "" || target.startsWith("#") || hasMarks(target.slice(0, 1))) return null;
  if (/^(https?:|mailto:|tel:)/i.test(target)) return null;
  const start = textBeforeMarks(target);
  const isHost = /^(www\.|[\w-]+(\.[\w-]+)*\.(com|org|net|eu|de|io)\b)/i.test(start);
  const instead = isHost
    ? `; write ${quoted(`https://${start}`)}`
    : "; a link needs `https:`, `mailto:`, `tel:` or `#`";
  return `the link to ${quoted(start)} is removed, because it leads nowhere from a file${instead}`;
}

const htmlElements = new Set(
  "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd keygen label legend li link listing main map mark marquee menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp math".split(
    " ",
  ),
);

/** The attributes that name a file to display, with their elements. `xlink:href` is the older name of `href`. */
const fileAttributes = new Map([
  ["src", "img source input"],
  ["srcset", "img source"],
  ["href", "image use feimage"],
  ["xlink:href", "image use feimage"],
  ["background", "body table td th"],
]);

export function checkTagReferences(tag: MarkupTag, assets: ReadonlySet<string>, reportAt: Report): void {
  if (tag.kind === "end") return;
  for (const { name, value, start } of tag.attributes) {
    if (!fileAttributes.get(name)?.split(" ").includes(tag.name)) continue;
    for (const target of name === "srcset" ? candidates(value) : [value.trim()]) {
      const write = (file: string) => `{{ ${JSON.stringify(file).replaceAll('"', "'")} | asset }}`;
      const problem = fileProblem(target, assets, write);
      if (problem !== null) reportAt(start, problem);
      const inUri = uriProblem(target, tag.name !== "use");
      if (inUri !== null) reportAt(start, inUri, "warning");
    }
  }
}

/** Returns the URLs of a `srcset`. */
function candidates(value: string): string[] {
  if (/^\s*data:/i.test(value) || hasMarks(value.slice(0, 1))) return [];
  return value.split(/,\s+|,$/).map((candidate) => candidate.trim().split(/\s+/)[0] ?? "");
}

type StylesInput = { report: Report; lineOf: (index: number) => number; assets: ReadonlySet<string> };

/** Checks the files that a template file names in `style` attributes and `<style>` elements. */
export function checkStyleReferences(source: string, { report, lineOf, assets }: StylesInput): void {
  for (const { css, start } of markupStyles(source)) {
    const { references, problems } = readStyles(css);
    // A character reference makes the styles shorter than their source, but contains no line break.
    const lineAt = (index: number) => lineOf(start) + newlinesIn(css.slice(0, index));
    for (const { index, reason } of problems.filter(isImport)) report(lineAt(index), reason);
    for (const { target, start: index } of references) {
      const problem = fileProblem(target.trim(), assets, (file) => `url({{ '${file}' | asset }})`);
      const inUri = uriProblem(target.trim(), false);
      const line = lineAt(index);
      if (inUri !== null) report(line, inUri, "warning");
      if (problem === null) continue;
      const more = problem.includes("asset }}") ? ", or move the style to style.css" : "";
      report(line, problem + more);
    }
  }
}

/** Browsers also show bitmaps and icons. */
function uriProblem(target: string, isImage: boolean): string | null {
  if (!/^data:(?!image\/(bmp|x-icon|vnd\.microsoft\.icon)\b)/i.test(target) || hasMarks(target)) return null;
  return imageUriProblem(target, isImage);
}

/** `write` returns how the template should refer to a file in `assets/`. */
function fileProblem(target: string, assets: ReadonlySet<string>, write: (file: string) => string): string | null {
  // A URL that begins with Liquid may be a `data:` URI.
  // Code of a different engine, such as `{#asset logo.png}`, has a separate message.
  if (target === "" || hasMarks(target.slice(0, 1)) || /^(data:|#|\{[#$!]|<)/i.test(target)) return null;
  const [, path] = /^\$([A-Za-z_][\w.]*)$/.exec(target) ?? [];
  if (path !== undefined)
    return `${quoted(target)} is not shown; write ${quoted(`{{ ${path} }}`)} for an image in the data`;
  if (hasMarks(target))
    return `${quoted(`${textBeforeMarks(target)}…`)} is not shown, because documents load nothing; use the filter ${quoted("asset")}`;
  if (/^(https?:)?\/\//i.test(target))
    return `${quoted(target)} is not shown, because documents load nothing; put the file into assets/`;
  const name = target.split(/[?#]/)[0]?.split("/").at(-1) ?? target;
  const file = [assetName(target), name].find((each) => assets.has(each)) ?? similarName(assetName(target), assets);
  return `${quoted(target)} is not shown; ${file === null ? "put the file into assets/ and " : ""}write ${quoted(write(file ?? name))}`;
}
