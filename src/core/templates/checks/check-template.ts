// Finds mistakes in a template that compiles: paths that lead nowhere, arguments that filters cannot use, and fields that
// nothing reads. No data is needed, because requests can only give the fields that `template.json` declares.
import type { CompiledTemplate } from "../compile-template.ts";
import type { Finding } from "./finding.ts";
import { checkPaths, unusedFields } from "./paths/check-paths.ts";

/** `assets` are the names of all assets, used or not. `lineOf` returns the line of a path in `template.json`. */
type CheckInput = {
  template: Pick<CompiledTemplate, "manifest" | "pages" | "header" | "footer">;
  assets: ReadonlySet<string>;
  lineOf: (path: (string | number)[]) => number;
};

export function checkTemplate({ template, assets, lineOf }: CheckInput): Finding[] {
  const { manifest, pages, header, footer } = template;
  const files = [...pages, header, footer].filter((file) => file !== null);
  const { findings, used } = checkPaths(files, manifest.fields, assets);
  const unused = unusedFields(manifest.fields, used, lineOf).map((finding): Finding => ({ ...finding, file: "template.json" }));
  return [...findings, ...unused];
}
