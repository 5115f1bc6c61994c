// Checks an SVG asset: it must be well-formed XML that a browser shows as an image, and its elements must not refer to another
// file. As an image, an SVG cannot run scripts or load anything, so whatever it would load is missing from the document.
import { SaxesParser } from "saxes";
import { maxProblems } from "../template-files.ts";
import { decodeText } from "../text-file.ts";
import { shortened } from "colophon-base/text";

type Problem = { line: number; reason: string };

/** The parser looks through all open elements to resolve a namespace, so deep nesting would take quadratic time. */
const maxNesting = 256;
const svgNamespace = "http://www.w3.org/2000/svg";

/** Returns the problems of an SVG file: all references that cannot be loaded, but at most one syntax error. */
export function svgProblems(bytes: Uint8Array): Problem[] {
  const decoded = decodeText(bytes);
  return decoded.status === "text" ? readSvg(decoded.text) : [decoded];
}

const unknownEntity = "XML does not define this entity; write the character itself";

/** Thrown to end the parse: the rest of a malformed file makes no sense. */
class Malformed extends Error {}

function readSvg(text: string): Problem[] {
  const problems: Problem[] = [];
  const parser = new SaxesParser({ xmlns: true });
  listen(parser, problems);
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    problems.push({ line: parser.line, reason: error.message });
  }
  return problems.slice(0, maxProblems);
}

function listen(parser: SaxesParser<{ xmlns: true }>, problems: Problem[]): void {
  let depth = 0;
  parser.on("error", (error) => {
    const reason = error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    throw new Malformed(`it is not well-formed XML: ${reason === "undefined entity" ? unknownEntity : reason}`);
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) throw new Malformed("it declares entities in its DOCTYPE; write their values instead");
  });
  parser.on("opentag", ({ name, local, uri, attributes }) => {
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
    throw new Malformed(`its root element needs xmlns="${svgNamespace}"; browsers show no image without it`);
}
