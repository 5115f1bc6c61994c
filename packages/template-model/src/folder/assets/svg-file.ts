// Checks an SVG asset: it must be well-formed XML that a browser displays as an image, and its elements must not refer to other files. As
// an image, an SVG cannot run scripts or load anything, so references would be missing from the document.
import { SaxesParser } from "saxes";
import { shortened } from "colophon-base/text";
import { maxProblems } from "../template-files.ts";
import { decodeText } from "../text-file.ts";

type Problem = { line: number; reason: string };

/** The parser searches all open elements to resolve a namespace, so deep nesting would take quadratic time. */
const maxNesting = 64;
const svgNamespace = "http://www.w3.org/2000/svg";

/** The total maximum for all files. They take up to half a second of processor time, during which no other request is served. */
const maxParts = 300_000;
const tooManyParts = `the SVG files up to this one have more than ${maxParts.toLocaleString("en-US")} elements, attributes, comments and references; combine paths, or make it a PNG or WebP image`;

/** The number of elements, attributes, comments, character references etc. that have been read in all files. */
export type SvgCount = { parts: number };

/** Returns the problems of an SVG file: all references that cannot be loaded, and at most one syntax error. */
export function svgProblems(bytes: Uint8Array, count: SvgCount): Problem[] {
  if (count.parts > maxParts) return [{ line: 1, reason: tooManyParts }];
  const decoded = decodeText(bytes);
  return decoded.status === "text" ? readSvg(decoded.text, count) : [decoded];
}

const unknownEntity = "XML does not define this entity; write the character itself";

/** Thrown to end the parsing, because the rest of a malformed file is meaningless. */
class Malformed extends Error {}

function readSvg(text: string, count: SvgCount): Problem[] {
  const problems: Problem[] = [];
  count.parts += text.split("&").length - 1;
  const parser = new SaxesParser({ xmlns: true });
  listen(parser, problems, count);
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    problems.push({ line: parser.line, reason: error.message });
    // The attributes of a malformed tag have not been counted.
    count.parts += text.length / 8;
  }
  return problems.slice(0, maxProblems);
}

function listen(parser: SaxesParser<{ xmlns: true }>, problems: Problem[], count: SvgCount): void {
  let depth = 0;
  const add = (parts: number) => {
    count.parts += parts;
    if (count.parts > maxParts) throw new Malformed(tooManyParts);
  };
  for (const event of ["comment", "cdata", "processinginstruction"] as const) parser.on(event, () => add(1));
  parser.on("error", (error) => {
    const reason = error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    throw new Malformed(`it is not well-formed XML: ${reason === "undefined entity" ? unknownEntity : reason}`);
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) throw new Malformed("it declares entities in its DOCTYPE; write their values instead");
  });
  parser.on("opentag", ({ name, local, uri, attributes }) => {
    add(1 + Object.keys(attributes).length);
    if (++depth > maxNesting) throw new Malformed(`elements are nested more than ${maxNesting} levels deep`);
    if (depth === 1) checkRoot(name, local, uri);
    for (const { local: attribute, value } of local === "a" ? [] : Object.values(attributes)) {
      if ((attribute !== "href" && attribute !== "src") || /^\s*(?:$|#|data:)/i.test(value)) continue;
      const reason = `it refers to ${shortened(value)}, which an image cannot load; embed the file as a \`data:\` URI`;
      problems.push({ line: parser.line, reason });
    }
  });
  parser.on("closetag", () => {
    depth--;
  });
}

function checkRoot(name: string, local: string, uri: string): void {
  if (local !== "svg") throw new Malformed(`its root element must be <svg>, but is <${shortened(name)}>`);
  if (uri !== svgNamespace)
    throw new Malformed(`its root element needs xmlns="${svgNamespace}"; without it, browsers show no image`);
}
