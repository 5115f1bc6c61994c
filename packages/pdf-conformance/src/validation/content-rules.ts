// The rules for content: the streams of pages, forms, patterns and glyphs, with the resources that they use.
import { PdfError } from "colophon-pdf/pdf-error";
import { each, pathPaints, readContent, type Operation } from "colophon-pdf/read-content";
import { isName, isReference, isString, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import {
  checkBlending,
  checkDevice,
  checkGraphicsState,
  checkImage,
  checkInlineImage,
  checkIntent,
  checkShading,
  checkSpace,
  type Colours,
} from "./colour-rules.ts";
import { decoded, dictionaryAt, streamOf, textOf, type Stream } from "./file.ts";
import { readFont, type Font } from "./fonts.ts";
import { isReplaced, nestedMark, type Mark } from "./mark-rules.ts";
import { checkLimits, maxNameBytes } from "./object-rules.ts";
import { checkIndex, noLanguage, type TagIndex } from "./tag-rules.ts";

/** What several pages use is checked once. `checked` has the numbers of these objects. */
export type Rules = Colours & {
  boxFont: string;
  /** Whether every glyph needs a text. */
  isUnicode: boolean;
  hasLanguage: boolean;
  /** Null if the standards do not ask for tags. */
  tags: TagIndex | null;
  checked: Set<string | number>;
  fonts: Map<PdfDictionary | number, Font>;
};

type State = { font: Font | null; mode: number; hasColour: boolean };
type Content = {
  rules: Rules;
  resources: PdfDictionary;
  saved: State[];
  state: State;
  mark: Mark | null;
  outer: (Mark | null)[];
  owners: PdfValue;
};

type Place = { mark: Mark | null; key?: PdfValue | undefined };

export function checkContent(above: Rules, bytes: Uint8Array, resources: PdfDictionary, { mark, key }: Place): void {
  const { file, report, tags } = above;
  const rules = { ...above, spaces: dictionaryAt(file, resources.get("ColorSpace")) };
  const state = { font: null, mode: 0, hasColour: mark === null };
  const owners = tags && mark ? tags.owners(key) : null;
  const content: Content = { rules, resources, saved: [], state, mark: tags && mark, outer: [], owners };
  const limit = ({ from, to, hasLongNumber, operands }: Operation) => {
    if (hasLongNumber || to - from > maxNameBytes) for (const value of operands()) checkLimits(value, report);
  };
  const visitorOf = (handle: Handler) => (operation: Operation) => {
    limit(operation);
    handle(content, operation);
  };
  const visitors = Object.entries(handlers).map(([operator, handle]) => [operator, visitorOf(handle)] as const);
  try {
    readContent(bytes, { ...Object.fromEntries(visitors), others: limit });
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    report("6.2.2-1", `Content cannot be read: ${error.message}.`);
  }
  if (content.outer.length > 0 && content.mark) report("6.7", "Marked content has no end.");
  for (const [kind, check] of resourceChecks)
    for (const value of dictionaryAt(file, resources.get(kind)).values()) if (isNew(rules, value)) check(rules, value);
}

function isNew({ checked }: Rules, value: PdfValue): boolean {
  if (!isReference(value)) return true;
  const { size } = checked;
  return checked.add(value.number).size > size;
}

const resourceChecks = Object.entries<(rules: Rules, value: PdfValue) => void>({
  XObject(rules, value) {
    const stream = streamOf(rules.file, value);
    const kind = textOf(stream?.dictionary.get("Subtype"));
    if (stream && kind === "Image") checkImage(rules, stream);
    else if (!stream || kind !== "Form") rules.report("6.2.9-3", "An object is neither an image nor a form.");
  },
  Pattern: checkPattern,
  ExtGState: checkState,
  Shading: checkShading,
  ColorSpace: (rules, value) => checkSpace(rules, value),
});

export function checkForm(rules: Rules, form: Stream, mark: Mark | null): void {
  const [{ file, report, tags }, { dictionary }] = [rules, form];
  if (textOf(dictionary.get("Subtype2")) === "PS" || dictionary.has("PS") || dictionary.has("OPI"))
    report("6.2.9-1", "A form contains PostScript, or refers to a different file.");
  if (dictionary.has("Ref")) report("6.2.9-2", "A form refers to a different file.");
  const [key, group] = [dictionary.get("StructParents"), dictionaryAt(file, dictionary.get("Group"))];
  if (tags?.claimed.has(form.number)) checkIndex(file, tags, form.number, key, report);
  if (group.has("CS")) checkSpace(rules, group.get("CS"));
  if (textOf(group.get("S")) === "Transparency") checkBlending(rules);
  checkStream(rules, form, dictionary.get("Resources"), { mark, key });
}

function checkStream(rules: Rules, stream: Stream, resources: PdfValue | undefined, place: Place): void {
  const bytes = decoded(rules.file, stream);
  if (bytes) checkContent(rules, bytes, dictionaryAt(rules.file, resources), place);
  else rules.report("6.1.1-1", "Content cannot be read.");
}

function checkPattern(rules: Rules, value: PdfValue): void {
  const stream = streamOf(rules.file, value);
  if (stream) checkStream(rules, stream, stream.dictionary.get("Resources"), { mark: null });
  else checkShading(rules, dictionaryAt(rules.file, value).get("Shading"));
}

function checkState(rules: Rules, value: PdfValue): void {
  const mask = checkGraphicsState(rules, dictionaryAt(rules.file, value));
  const form = streamOf(rules.file, mask);
  if (form && isNew(rules, mask)) checkForm(rules, form, null);
}

/** Checks an object that content shows. Forms are read once for each kind of marks around them. */
function paintObject(content: Content, name: PdfValue | undefined): void {
  const { rules, mark } = content;
  const value = resource(content, "XObject", name);
  const form = streamOf(rules.file, value);
  if (!form || textOf(form.dictionary.get("Subtype")) !== "Form") return checkMark(content);
  const marks = `${form.number} ${mark && `${mark.tag !== null} ${mark.isArtifact} ${mark.hasLanguage}`}`;
  const shown = `${form.number}`;
  const [wasRead, wasShown] = [rules.checked.has(marks), rules.checked.has(shown)];
  rules.checked.add(marks).add(shown);
  if (!wasRead) checkForm(rules, form, mark);
  if (wasShown && mark && form.dictionary.has("StructParents"))
    rules.report("7.20-2", "Tagged content is shown twice.");
}

/** Until content sets a colour, it paints in black, which is a grey. */
function paint(content: Content): void {
  if (content.rules.output === "" && !content.state.hasColour) checkDevice(content.rules, "DeviceGray");
  checkMark(content);
}

function checkMark({ rules, mark }: Content): void {
  if (mark && mark.tag === null && !mark.isArtifact)
    rules.report("7.1-3", "Something is painted that is neither tagged nor decoration.");
}

function begin(content: Content, { operands }: Operation): void {
  const { rules, mark, outer, owners } = content;
  outer.push(mark);
  if (!mark) return;
  const [name, entries] = operands();
  const properties = isName(entries) ? resource(content, "Properties", entries) : entries;
  const about = dictionaryAt(rules.file, properties);
  const mcid = about.get("MCID");
  const tag = typeof mcid === "number" && Array.isArray(owners) ? (owners[mcid] ?? null) : null;
  content.mark = nestedMark(rules, mark, { name: textOf(name), about, tag });
}

const maxNesting = 28;

/** Most operators draw lines and set colours, and parsing their numbers would take longer than everything else. */
type Handler = (content: Content, operation: Operation) => void;

const handlers: Record<string, Handler> = {
  q({ rules, saved, state }) {
    if (saved.push({ ...state }) <= maxNesting) return;
    rules.report("6.1.13-8", `Content saves its state more than ${maxNesting} times, one inside the other.`);
  },
  Q: (content) => (content.state = content.saved.pop() ?? content.state),
  Tf: onFirst((content, name) => (content.state.font = fontOf(content.rules, resource(content, "Font", name)))),
  Tr: onFirst((content, mode) => (content.state.mode = Number(mode))),
  TJ: onFirst((content, list) => Array.isArray(list) && list.forEach((text) => show(content, text))),
  ...each("Tj '", onFirst(show)),
  '"': onLast(show),
  ...each(pathPaints, paint),
  ...each("BMC BDC", begin),
  EMC(content) {
    const isOpen = content.outer.length > 0;
    if (content.mark && !isOpen) content.rules.report("6.7", "Marked content ends before it begins.");
    if (isOpen) content.mark = content.outer.pop() ?? null;
  },
  ...each("k K", (content) => setDevice(content, "DeviceCMYK")),
  ...each("rg RG", (content) => setDevice(content, "DeviceRGB")),
  ...each("g G", (content) => setDevice(content, "DeviceGray")),
  ...each("cs CS", onFirst(setSpace)),
  ...each(
    "scn SCN",
    onLast((content, name) => isName(name) && resource(content, "Pattern", name)),
  ),
  Do: onFirst(paintObject),
  gs: onFirst((content, name) => resource(content, "ExtGState", name)),
  sh(content, { operand }) {
    resource(content, "Shading", operand(0));
    paint(content);
  },
  ri: onFirst(({ rules }, name) => checkIntent(name, rules.report)),
  ID: ({ rules }, { operands }) => checkInlineImage(rules, operands()),
};

type ValueHandler = (content: Content, value: PdfValue | undefined) => unknown;

function onFirst(handle: ValueHandler): Handler {
  return (content, { operand }) => void handle(content, operand(0));
}

function onLast(handle: ValueHandler): Handler {
  return (content, { operand }) => void handle(content, operand(-1));
}

/** Returns the resource that an operator names. */
function resource({ rules, resources }: Content, kind: string, name: PdfValue | undefined): PdfValue | undefined {
  const value = dictionaryAt(rules.file, resources.get(kind)).get(textOf(name));
  if (rules.file.resolve(value) === null && !streamOf(rules.file, value))
    rules.report("6.2.2-2", "Content uses a resource that is not beside it.");
  return value;
}

function setDevice({ rules, state }: Content, space: Parameters<typeof checkDevice>[1]): void {
  checkDevice(rules, space);
  state.hasColour = true;
}

function setSpace(content: Content, name: PdfValue | undefined): void {
  content.state.hasColour = true;
  if (/^(Device(RGB|Gray|CMYK)|Pattern)$/.test(textOf(name))) checkSpace(content.rules, name);
  else resource(content, "ColorSpace", name);
}

function show(content: Content, text: PdfValue | undefined): void {
  const { rules, mark, state } = content;
  if (!isString(text)) return;
  paint(content);
  if (mark && !rules.hasLanguage && !mark.hasLanguage) rules.report("7.2-34", `A text ${noLanguage}`);
  if (state.font) state.font.check(text.text, state.mode, () => isReplaced(rules.file, mark));
  else rules.report("6.1.1-1", "A text has no font.");
}

function fontOf(rules: Rules, value: PdfValue | undefined): Font {
  const key = isReference(value) ? value.number : dictionaryAt(rules.file, value);
  const known = rules.fonts.get(key);
  if (known) return known;
  const font = readFont(rules, dictionaryAt(rules.file, value));
  rules.fonts.set(key, font);
  for (const procedure of font.procedures) checkStream(rules, procedure, font.resources, { mark: null });
  return font;
}
