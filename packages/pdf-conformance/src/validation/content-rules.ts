import { latin1 } from "colophon-pdf/characters";
// The rules for content: the streams of pages, forms, patterns and glyphs, with the resources that they use.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { readContent } from "colophon-pdf/read-content";
import { isName, isReference, isString, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { checkGraphicsState, checkImage, checkIntent, checkShading, checkSpace, cmykMessage } from "./colour-rules.ts";
import { decoded, dictionaryAt, streamOf, textOf, type Stream } from "./file.ts";
import { readFont, type Font } from "./fonts.ts";
import { checkLimits, maxNameBytes } from "./object-rules.ts";

/** What several pages use is checked once. `checked` has the numbers of these objects. */
export type Rules = {
  file: FinishedPdf;
  isUnicode: boolean;
  isTagged: boolean;
  boxFont: string;
  report: Report;
  checked: Set<number>;
  fonts: Map<PdfDictionary | number, Font>;
};

type TextState = { font: Font | null; mode: number };
type Content = { rules: Rules; resources: PdfDictionary; saved: TextState[]; state: TextState };

export function checkContent(rules: Rules, bytes: Uint8Array, resources: PdfDictionary): void {
  const { file, report } = rules;
  for (const [kind, check] of resourceChecks)
    for (const value of dictionaryAt(file, resources.get(kind)).values()) if (isNew(rules, value)) check(rules, value);
  const content: Content = { rules, resources, saved: [], state: { font: null, mode: 0 } };
  const hasLongNumber = longNumber.test(latin1(bytes, 0, bytes.length));
  readContent(bytes, ({ operator, operands, from, to }) => {
    const handle = handlers.get(operator);
    // Most operators draw lines, and parsing their numbers would take longer than everything else.
    if (!handle && !hasLongNumber && to - from <= maxNameBytes) return;
    const values = operands();
    for (const value of values) checkLimits(value, report);
    handle?.(content, values.at(-1), values[0]);
  });
}

/** Also matches some strings, but no content without a number that is out of range. */
const longNumber = /(?<![\da-f.<])\d{10}/i;

function isNew({ checked }: Rules, value: PdfValue): boolean {
  if (!isReference(value)) return true;
  const { size } = checked;
  return checked.add(value.number).size > size;
}

const resourceChecks = Object.entries<(rules: Rules, value: PdfValue) => void>({
  XObject: checkObject,
  Pattern: checkPattern,
  ExtGState: checkState,
  Shading: ({ file, report }, value) => checkShading(file, value, report),
  ColorSpace: ({ file, report }, value) => checkSpace(file, value, report),
});

function checkObject(rules: Rules, value: PdfValue): void {
  const stream = streamOf(rules.file, value);
  const kind = textOf(stream?.dictionary.get("Subtype"));
  if (stream && kind === "Image") checkImage(rules.file, stream, rules.report);
  else if (stream && kind === "Form") checkForm(rules, stream);
  else rules.report("6.2.9-3", "An object is neither an image nor a form.");
}

function checkForm(rules: Rules, form: Stream): void {
  const { file, report } = rules;
  const { dictionary } = form;
  if (["Subtype2", "PS", "OPI", "Ref"].some((key) => dictionary.has(key)))
    report("6.2.9-1", "A form contains PostScript, or refers to a different file.");
  const space = dictionaryAt(file, dictionary.get("Group")).get("CS");
  if (space !== undefined) checkSpace(file, space, report);
  checkStream(rules, form, dictionary.get("Resources"));
}

function checkStream(rules: Rules, stream: Stream, resources: PdfValue | undefined): void {
  const bytes = decoded(rules.file, stream);
  if (bytes) checkContent(rules, bytes, dictionaryAt(rules.file, resources));
  else rules.report("6.1.7.2-1", "Content cannot be read.");
}

function checkPattern(rules: Rules, value: PdfValue): void {
  const { file, report } = rules;
  const stream = streamOf(file, value);
  if (stream) checkStream(rules, stream, stream.dictionary.get("Resources"));
  else checkShading(file, dictionaryAt(file, value).get("Shading"), report);
}

function checkState(rules: Rules, value: PdfValue): void {
  const mask = checkGraphicsState(rules.file, dictionaryAt(rules.file, value), rules.report);
  if (mask !== null && isNew(rules, mask)) checkObject(rules, mask);
}

const maxNesting = 28;

type Handler = (content: Content, last: PdfValue | undefined, first: PdfValue | undefined) => void;

const handlers = new Map(
  Object.entries<Handler>({
    q({ rules, saved, state }) {
      if (saved.push({ ...state }) <= maxNesting) return;
      rules.report("6.1.13-8", `Content saves its state more than ${maxNesting} times, one inside the other.`);
    },
    Q(content) {
      content.state = content.saved.pop() ?? content.state;
    },
    Tf(content, _, name) {
      content.state.font = fontOf(content.rules, resource(content, "Font", name));
    },
    Tr(content, mode) {
      content.state.mode = Number(mode);
    },
    Tj: show,
    "'": show,
    '"': show,
    TJ: (content, list) => Array.isArray(list) && list.forEach((text) => show(content, text)),
    k: ({ rules }) => rules.report("6.2.4.3-3", cmykMessage),
    K: ({ rules }) => rules.report("6.2.4.3-3", cmykMessage),
    cs: setSpace,
    CS: setSpace,
    scn: (content, last) => isName(last) && resource(content, "Pattern", last),
    SCN: (content, last) => isName(last) && resource(content, "Pattern", last),
    Do: (content, name) => resource(content, "XObject", name),
    gs: (content, name) => resource(content, "ExtGState", name),
    sh: (content, name) => resource(content, "Shading", name),
    ri: ({ rules }, name) => checkIntent(name, rules.report),
    BI: ({ rules }) => rules.report("6.1.10-1", "An image is part of the content, which is not supported."),
  }),
);

/** Returns the resource that an operator names. */
function resource({ rules, resources }: Content, kind: string, name: PdfValue | undefined): PdfValue | undefined {
  const value = dictionaryAt(rules.file, resources.get(kind)).get(textOf(name));
  if (value === undefined) rules.report("6.2.2-2", "Content uses a resource that is not beside it.");
  return value;
}

function setSpace(content: Content, name: PdfValue | undefined): void {
  const { file, report } = content.rules;
  if (/^(Device(RGB|Gray|CMYK)|Pattern)$/.test(textOf(name))) checkSpace(file, name, report);
  else resource(content, "ColorSpace", name);
}

function show({ rules, state: { font, mode } }: Content, text: PdfValue | undefined): void {
  if (!isString(text)) return;
  if (font) font.check(text.text, mode);
  else rules.report("6.2.2-1", "A text has no font.");
}

function fontOf(rules: Rules, value: PdfValue | undefined): Font {
  const key = isReference(value) ? value.number : dictionaryAt(rules.file, value);
  const known = rules.fonts.get(key);
  if (known) return known;
  const font = readFont(rules, dictionaryAt(rules.file, value));
  rules.fonts.set(key, font);
  for (const procedure of font.procedures) checkStream(rules, procedure, font.resources);
  return font;
}
