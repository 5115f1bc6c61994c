// Finds values that are printed as the source of an image, but are none.
import type { FilteredExpression, Node } from "../../../liquid/syntax/tree.ts";
import { quoted } from "../../styles/support/style-message.ts";
import type { FileCheck } from "./file-check.ts";
import { expressionText } from "./expression-text.ts";
import { describe, type ValueType } from "./value-type.ts";

/** A longer start of a tag is not looked at. */
const maxTagChars = 500;

const beforeSource = /(?:<(?:img|input|source)\s(?:[^<>]*\s)?src|<image\s(?:[^<>]*\s)?(?:xlink:)?href)\s*=\s*["']?$|\burl\(\s*["']?$/i;

/** Returns the end of the markup before the node that follows `node`, without what is known only when the file is rendered. */
export function markupBefore(earlier: string, node: Node): string {
  return (earlier + (node.kind === "text" ? node.text : " ")).slice(-maxTagChars);
}

type Printed = { type: ValueType; expression: FilteredExpression; line: number };

/** `before` is the markup before the output. */
export function checkImageSource({ report }: FileCheck, before: string, { type, expression, line }: Printed): void {
  if (!beforeSource.test(before)) return;
  const { value, filters } = expression;
  const shown = quoted([expressionText(value), ...filters.map(({ name }) => name)].join(" | "));
  const at = value.kind === "path" ? value.line : line;
  if (type.kind === "string" && type.format === "text") {
    report(at, `${shown} is text, so an image at a URL in it is not shown; its field should have the type ${quoted("image")}`, "warning");
  } else if (type.kind === "number" || type.kind === "boolean" || isOtherText(type)) {
    report(at, `${shown} is ${describe(type)}, not an image`);
  }
}

function isOtherText(type: ValueType): boolean {
  return type.kind === "string" && type.format !== undefined && type.format !== "image" && type.format !== "text";
}
