// Maps the values of `font-family` and `font`, and values that they may refer to by `var()`, onto the families of a document.
import { tokenize, type CSSToken } from "@csstools/css-tokenizer";
import { isGenericFamily, kindOfFamily } from "./known-families.ts";
import { familyList, followingFamilies, ownFamily, serviceFamily } from "./service-families.ts";
import { listItems, valueParts, type Part } from "./value-parts.ts";

/** Values with deeper fallbacks inside fallbacks are not supported. */
const maxNesting = 8;
/** No browser knows this function, so it ignores the declaration, or the value counts as invalid. */
export const invalidValue = "colophon-invalid()";

const wideKeywords = new Set(["initial", "inherit", "unset", "revert", "revert-layer", "default"]);
const systemFonts = /^(?:caption|icon|menu|message-box|small-caption|status-bar|-webkit-(?:mini-|small-)?control)$/i;
const sizeKeywords = /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|math)$/i;
const fontKeywords =
  /^(?:normal|italic|oblique|small-caps|bold|bolder|lighter|(?:(?:ultra|extra|semi)-)?(?:condensed|expanded))$/i;
const mathFunctions = /^(?:calc|min|max|clamp|round|mod|rem|abs|sign|pow|sqrt|hypot|log|exp|sin|cos|tan|calc-size)$/;

const variablePrefix = "--colophon-font-";

/** Whether a font in mapped styles refers to a custom property. */
export function refersToVariables(mappedCss: string): boolean {
  return mappedCss.includes(`var(${variablePrefix}`);
}

/** The name under which the mapped value of a custom property is declared beside the property itself. */
export function familyVariable(name: string): string {
  return `${variablePrefix}${name.slice(2).replace(/[^\w\u0080-\uffff-]/g, escapedCharacter)}`;
}

function escapedCharacter(character: string): string {
  return `\\${(character.codePointAt(0) ?? 0).toString(16)} `;
}

/**
 * The custom property by which the styles of a document make code smaller. In a browser, only the value `monospace` does that.
 */
export const monospaceScale = "--colophon-scale";

/** Returns the value of `monospaceScale` that belongs to a value of `font-family`. */
export function scaleOf(value: readonly CSSToken[]): string {
  const parts = valueParts(value);
  const [first] = parts;
  const word = parts.length === 1 && first?.type === "word" ? first.name.toLowerCase() : "";
  if (word === "monospace") return "initial";
  return word === "revert" || word === "revert-layer" ? "revert-layer" : "1";
}

/** Returns the value of `font-family`, without `!important`. */
export function mappedFontFamily(value: readonly CSSToken[]): string {
  const parts = valueParts(value);
  const keyword = wideKeyword(parts);
  if (keyword !== null) return mappedKeyword(keyword);
  return mappedList(parts, 0)?.join(",") ?? invalidValue;
}

/** Returns the value of an attribute that names families: `font-family` in SVG, and `face`. */
export function mappedAttribute(value: string): string {
  return mappedFontFamily(tokenize({ css: value }).slice(0, -1));
}

/** Returns the value of `font`, without `!important`. */
export function mappedFont(value: readonly CSSToken[]): string {
  const parts = valueParts(value);
  const [first] = parts;
  const keyword = wideKeyword(parts);
  if (keyword === "initial") return `medium ${familyList("sans")}`;
  if (keyword !== null) return mappedKeyword(keyword);
  // Browsers differ in the sizes of these fonts.
  if (parts.length === 1 && first?.type === "word" && systemFonts.test(first.name))
    return `medium ${familyList("sans")}`;
  return mappedShorthand(parts, 0, true) ?? invalidValue;
}

/** Returns what the value of a custom property is when `font-family` or `font` refers to it. */
export function mappedVariable(value: readonly CSSToken[]): string {
  return mappedFragment(value, 0) ?? invalidValue;
}

/** Returns the mapped names of families; null if one of them contains more than a name. */
export function ownFamilies(tokens: readonly CSSToken[]): string[] | null {
  const names = listItems(valueParts(tokens)).map(familyName);
  return names.every((name) => name !== null) ? names.map(({ name }) => ownFamily(name)) : null;
}

/** Returns the name of a family that is one string or one or more words. */
export function familyName(item: readonly Part[]): { name: string; isGeneric: boolean } | null {
  const parts = item.filter(({ type }) => type !== "space");
  const [first] = parts;
  if (!first) return null;
  if (first.type === "string") return parts.length === 1 ? { name: first.name, isGeneric: false } : null;
  if (parts.some(({ type }) => type !== "word")) return null;
  const name = parts.map((part) => part.name).join(" ");
  return { name, isGeneric: parts.length === 1 && isGenericFamily(name) };
}

function wideKeyword(parts: readonly Part[]): string | null {
  const [first] = parts;
  const word = parts.length === 1 && first?.type === "word" ? first.name.toLowerCase() : "";
  return wideKeywords.has(word) ? word : null;
}

/** `revert` leads to the browser's own styles, whose place the first layer of a document takes. */
function mappedKeyword(keyword: string): string {
  if (keyword === "initial") return familyList("sans");
  return keyword === "revert" ? "revert-layer" : keyword;
}

/** Returns the families with those that follow every list. */
function mappedList(parts: readonly Part[], depth: number): string[] | null {
  const families = mappedItems(listItems(parts), depth);
  return families && [...families, ...followingFamilies(families)];
}

function mappedItems(items: readonly (readonly Part[])[], depth: number): string[] | null {
  const families = new Set<string>();
  for (const item of items) {
    const mapped = mappedItem(item, depth, items.length > 1);
    if (!mapped) return null;
    for (const family of mapped) families.add(family);
  }
  return [...families];
}

function mappedItem(item: readonly Part[], depth: number, isInList: boolean): string[] | null {
  const family = familyName(item);
  if (family) {
    const { name, isGeneric } = family;
    if (isInList && wideKeyword(item) !== null) return null;
    const kind = kindOfFamily(name);
    const own = isGeneric ? [] : [ownFamily(name)];
    return kind === null ? own : [...own, serviceFamily(kind)];
  }
  const texts = item.map((part) => {
    if (part.type === "word" || part.type === "string") return ownFamily(part.name);
    if (part.type === "function") return mappedFunction(part, depth);
    return part.type === "space" ? " " : null;
  });
  return item.length > 0 && texts.every((text) => text !== null) ? [texts.join("")] : null;
}

/** Only `var()` and `env()` can stand for families in every version of Chromium. */
function mappedFunction({ name, arguments: inside }: Part, depth: number): string | null {
  if ((name !== "var" && name !== "env") || depth >= maxNesting) return null;
  const comma = inside.findIndex(([, text]) => text === ",");
  const [reference, ...rest] = valueParts(comma < 0 ? inside : inside.slice(0, comma));
  if (reference?.type !== "word" || (name === "var" && (rest.length > 0 || !reference.name.startsWith("--"))))
    return null;
  const variable =
    name === "var" ? familyVariable(reference.name) : [reference, ...rest].map(({ text }) => text).join("");
  if (comma < 0) return `${name}(${variable})`;
  const fallback = mappedFragment(inside.slice(comma + 1), depth + 1);
  return fallback === null ? null : `${name}(${variable},${fallback})`;
}

/** Maps what may be a part of a value: families, or what precedes them in `font`, or both. */
function mappedFragment(tokens: readonly CSSToken[], depth: number): string | null {
  const parts = valueParts(tokens);
  if (parts.length === 0 || wideKeyword(parts) !== null) return parts.map(({ text }) => text).join("");
  if (sizeAt(parts) >= 0) return mappedShorthand(parts, depth, false);
  const items = listItems(parts);
  const texts = items.map((item) => {
    if (item.every(isBeforeFamilies)) return mappedHead(item, depth);
    return mappedItem(item, depth, items.length > 1)?.join(",") ?? null;
  });
  return texts.every((text) => text !== null) ? texts.join(",") : null;
}

/** Maps the value of `font`. If `isWhole` is false, it may lack families. */
function mappedShorthand(parts: readonly Part[], depth: number, isWhole: boolean): string | null {
  const start = familiesAt(parts);
  const head = mappedHead(parts.slice(0, start), depth);
  const rest = parts.slice(start);
  if (head === null || (isWhole && rest.length === 0 && !head.includes("var("))) return null;
  if (rest.length === 0 && !isWhole) return head;
  // The families may be in a variable at the end of the head.
  const [first, ...others] = rest;
  const isContinued = first === undefined || first.type === "comma";
  const items = first === undefined ? [] : listItems(isContinued ? others : rest);
  const families = mappedItems(items, depth);
  if (!families) return null;
  const list = [...families, ...(isWhole ? followingFamilies(families) : [])].join(",");
  return isContinued ? `${head.trimEnd()},${list}` : `${head} ${list}`;
}

/** Returns the index of the part at which the families begin. It may be a comma, or the end. */
function familiesAt(parts: readonly Part[]): number {
  const size = sizeAt(parts);
  const next = (from: number) => {
    const found = parts.findIndex(({ type }, index) => index >= from && type !== "space");
    return found < 0 ? parts.length : found;
  };
  if (size >= 0) {
    const after = next(size + 1);
    return parts[after]?.type === "slash" ? next(next(after + 1) + 1) : after;
  }
  const comma = parts.findIndex(({ type }) => type === "comma");
  const end = comma < 0 ? parts.length : comma;
  const last = parts.slice(0, end).findLastIndex(({ type }) => !["word", "string", "space"].includes(type));
  return last < 0 ? 0 : Math.min(next(last + 1), end);
}

/** Returns the index of the font size; -1 if a variable may contain it. */
function sizeAt(parts: readonly Part[]): number {
  const comma = parts.findIndex(({ type }) => type === "comma");
  const head = comma < 0 ? parts : parts.slice(0, comma);
  const isWord = ({ type, name }: Part) => type === "word" && sizeKeywords.test(name);
  const index = head.findIndex((part) => part.type === "size" || isMath(part) || isWord(part));
  const isOnlyKeyword = head.length === 1 && head[0] !== undefined && isWord(head[0]);
  return isOnlyKeyword && comma < 0 ? -1 : index;
}

function isMath({ type, name }: Part): boolean {
  return type === "function" && mathFunctions.test(name);
}

function isBeforeFamilies(part: Part): boolean {
  if (part.type === "word") return fontKeywords.test(part.name) || sizeKeywords.test(part.name);
  return ["space", "slash", "size", "number", "angle"].includes(part.type) || isMath(part);
}

/** Maps what precedes the families in `font`. */
function mappedHead(parts: readonly Part[], depth: number): string | null {
  const texts = parts.map((part) => {
    if (part.type === "function" && !isMath(part)) return mappedFunction(part, depth);
    if (isMath(part)) return `${part.text}${part.arguments.map(([, text]) => text).join("")})`;
    return part.type === "other" || part.type === "comma" || part.type === "string" ? null : part.text;
  });
  return texts.every((text) => text !== null) ? texts.join("") : null;
}
