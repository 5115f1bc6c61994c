// Finds the assets that are named in Liquid files. A computed name is known only at render time.
import { suggestion } from "colophon-base/similar-name";
import { printable, shortened } from "colophon-base/text";
import type { LiquidProblem, ParsedLiquid } from "colophon-liquid/liquid";
import { allNodes } from "colophon-liquid/syntax";
import { assetName } from "../../asset-names.ts";
import { maxProblems } from "../template-files.ts";

/** Returns the quoted names whose first filter is `asset`, in file order. */
export function namedAssets({ nodes }: ParsedLiquid): { name: string; line: number }[] {
  return [...allNodes(nodes)].flatMap((node) => {
    if (node.kind !== "output" && node.kind !== "assign") return [];
    const { value, filters } = node.expression;
    const isNamed = value.kind === "literal" && typeof value.value === "string" && filters[0]?.name === "asset";
    return isNamed ? [{ name: assetName(String(value.value)), line: filters[0]?.line ?? node.line }] : [];
  });
}

/** Returns a problem for each named asset that the template does not have. */
export function unknownAssets(files: readonly ParsedLiquid[], names: ReadonlySet<string>): LiquidProblem[] {
  const uses = files.flatMap((parsed) => namedAssets(parsed).map((use) => ({ ...use, file: parsed.file })));
  return uses
    .filter(({ name }) => !names.has(name))
    .slice(0, maxProblems)
    .map(({ file, line, name }) => {
      return { file, line, reason: `there is no file assets/${printable(shortened(name))}${suggestion(name, names)}` };
    });
}
