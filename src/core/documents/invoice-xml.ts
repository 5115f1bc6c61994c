// Checks the XML of an electronic invoice before it is embedded: its syntax and its root. Its content is not checked.
import { SaxesParser } from "saxes";
import { shortened } from "colophon-base/text";

const rootName = "CrossIndustryInvoice";
const rootNamespace = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
/** An invoice has about ten levels. The parser looks up a prefix in all elements around it. */
const maxNesting = 100;

class Refusal extends Error {}

/** Returns why the XML is refused, as the end of a sentence; null if it is accepted. */
export function invoiceXmlProblem(xml: string): string | null {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on("error", ({ message }) => {
    const reason = message.replace(/^\d+:\d+: |\.$/g, "");
    throw new Refusal(
      `must be well-formed XML, but in line ${parser.line} there is an error: ${shortened(reason, 100)}`,
    );
  });
  parser.on("doctype", () => {
    throw new Refusal("must not have a DOCTYPE");
  });
  parser.on("xmldecl", ({ version, encoding = "UTF-8" }) => {
    if (version !== "1.0") throw new Refusal("must be XML 1.0");
    if (encoding.toUpperCase() !== "UTF-8") throw new Refusal("must not declare an encoding other than UTF-8");
  });
  parser.on("opentag", ({ local, uri }) => {
    if (++depth > maxNesting) throw new Refusal(`has elements that are nested more than ${maxNesting} levels deep`);
    if (depth === 1 && (local !== rootName || uri !== rootNamespace))
      throw new Refusal(`must have the root \`${rootName}\` in the namespace ${rootNamespace}`);
  });
  parser.on("closetag", () => {
    depth--;
  });
  try {
    parser.write(xml).close();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
