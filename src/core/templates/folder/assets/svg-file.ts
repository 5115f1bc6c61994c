// Checks an SVG asset: it must be well-formed XML that a browser shows as an image, and must not need another file. As an
// image, an SVG cannot run scripts or load anything, so whatever it would load is missing from the document.
import { SaxesParser } from "saxes";
import { checkImageUri, maxImagePixels } from "../../../images/image-guard.ts";
import { lineCounter } from "../../../line-counter.ts";
import { readStyles } from "../../styles/read-styles.ts";
import { maxProblems } from "../template-files.ts";
import { decodeText } from "../text-file.ts";
import { shortened } from "../../../text.ts";

type Problem = { line: number; reason: string };

const maxSvgBytes = 2_000_000;
/** The parser looks through all open elements to resolve a namespace, so deep nesting would take quadratic time. */
const maxNesting = 256;
const svgNamespace = "http://www.w3.org/2000/svg";
/** The attributes in which `url(...)` names a file or an element. */
const cssAttributes =
  /^(?:style|fill|stroke|filter|mask|clip-path|cursor|marker|marker-(?:start|mid|end)|background(?:-image)?)$/;

/** Returns the problems of an SVG file: all references that cannot be loaded, but at most one syntax error. */
export function svgProblems(bytes: Uint8Array): Problem[] {
  if (bytes.length > maxSvgBytes) return [{ line: 1, reason: `an SVG may be at most ${maxSvgBytes / 1e6} MB` }];
  const decoded = decodeText(bytes);
  return decoded.status === "text" ? readSvg(decoded.text) : [decoded];
}

const unknownEntity = "XML does not define this entity; write the character itself";

/** Thrown to end the parse: the rest of a malformed file makes no sense. */
class Malformed extends Error {}

type Reader = { problems: Problem[]; parser: SaxesParser<{ xmlns: true }>; depth: number; styles: Style | null; pixels: number };
type Style = { line: number; text: string };

function readSvg(text: string): Problem[] {
  const parser = new SaxesParser({ xmlns: true });
  const reader: Reader = { problems: [], parser, depth: 0, styles: null, pixels: 0 };
  listen(reader);
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    reader.problems.push({ line: parser.line, reason: error.message });
  }
  if (reader.pixels > maxImagePixels) {
    reader.problems.push({ line: 1, reason: `the images inside it have more than ${maxImagePixels / 1e6} megapixels` });
  }
  return reader.problems.slice(0, maxProblems);
}

function listen(reader: Reader): void {
  const { parser } = reader;
  const report = (reason: string) => reader.problems.push({ line: parser.line, reason });
  parser.on("error", (error) => {
    const reason = error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    throw new Malformed(`it is not well-formed XML: ${reason === "undefined entity" ? unknownEntity : reason}`);
  });
  parser.on("xmldecl", ({ encoding = "utf-8" }) => {
    if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) report(`it declares the encoding ${encoding}, but must be UTF-8`);
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) throw new Malformed("it declares entities in its DOCTYPE; write their values instead");
  });
  parser.on("processinginstruction", ({ target }) => {
    if (target === "xml-stylesheet") report("it uses another style sheet, which an image cannot load");
  });
  parser.on("opentag", ({ name, local, uri, attributes }) => {
    if (++reader.depth > maxNesting) throw new Malformed(`elements are nested more than ${maxNesting} levels deep`);
    if (reader.depth === 1) checkRoot(name, local, uri);
    if (local === "script") report("it contains a script, which never runs in a document; remove it");
    if (local === "style") reader.styles = { line: parser.line, text: "" };
    for (const attribute of Object.values(attributes)) readAttribute(reader, local, attribute);
  });
  const addText = (text: string) => {
    if (reader.styles) reader.styles.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ local }) => {
    reader.depth--;
    if (local === "style" && reader.styles) readStyleElement(reader, reader.styles);
    if (local === "style") reader.styles = null;
  });
}

function checkRoot(name: string, local: string, uri: string): void {
  if (local !== "svg") throw new Malformed(`its root element must be <svg>, but is <${shortened(name)}>`);
  if (uri !== svgNamespace) throw new Malformed(`its root element needs xmlns="${svgNamespace}"; browsers show no image without it`);
}

function readAttribute(reader: Reader, element: string, { local, value }: { local: string; value: string }): void {
  const { line } = reader.parser;
  const loads = (local === "href" && element !== "a") || (local === "src" && element !== "a");
  if (loads) checkTarget(reader, value, line);
  if (cssAttributes.test(local) && value.includes("(")) {
    for (const { target } of readStyles(value).references) checkTarget(reader, target, line);
  }
}

function readStyleElement(reader: Reader, { line, text }: Style): void {
  const { references, problems } = readStyles(text);
  const lineOf = lineCounter(text);
  for (const { index, reason } of problems) reader.problems.push({ line: line + lineOf(index) - 1, reason });
  for (const { target, start } of references) checkTarget(reader, target, line + lineOf(start) - 1);
}

function checkTarget(reader: Reader, written: string, line: number): void {
  const target = written.trim();
  if (target === "" || target.startsWith("#")) return;
  const report = (reason: string) => reader.problems.push({ line, reason });
  if (!/^data:/i.test(target)) {
    report(`it refers to ${shortened(target)}, which an image cannot load; embed the file as a \`data:\` URI`);
  } else if (/^data:image\//i.test(target)) {
    const check = checkImageUri(target);
    if (check.status === "refused") report(`an image inside it cannot be used: ${check.reason}`);
    else reader.pixels += check.pixels;
  }
}
