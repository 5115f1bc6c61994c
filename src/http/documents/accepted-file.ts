// Decides by the header `Accept` (RFC 9110, section 12.5.1) whether the response to a create is the file instead of JSON.
import { parseAccept, type Accept } from "hono/utils/accept";
import { contentTypeOf, documentFormats, type DocumentFormat } from "colophon-page/document-format";
import { validationError } from "../../core/errors.ts";
import type { HttpContext } from "../context.ts";

/**
 * Returns true if the header accepts a file of this format, and does not accept JSON, neither by name nor by a wildcard. A
 * header that accepts neither files nor JSON does not matter, because JSON is what everybody else gets. Throws
 * VALIDATION_ERROR if the header accepts files, but not of this format.
 */
export function wantsFile(context: HttpContext, format: DocumentFormat): boolean {
  const ranges = parseAccept(context.req.header("Accept") ?? "");
  const files = documentFormats.filter((each) => isAccepted(ranges, contentTypeOf(each)));
  if (files.length === 0 || isAccepted(ranges, "application/json")) return false;
  if (files.includes(format)) return true;
  const asked = files.map(contentTypeOf).join(" or ");
  const message = `\`Accept\` asks for ${asked}, but \`format\` is "${format}", which is ${contentTypeOf(format)}.`;
  throw validationError([{ path: "Accept", message }]);
}

/** The most specific range that matches the type decides. A range with `q=0` refuses the type. */
function isAccepted(ranges: Accept[], type: string): boolean {
  for (const pattern of [[type], [`${type.split("/")[0]}/*`], ["*/*", "*"]]) {
    const matching = ranges.filter((range) => pattern.includes(range.type.toLowerCase()));
    if (matching.length > 0) return matching.some(({ q }) => q > 0);
  }
  return false;
}
