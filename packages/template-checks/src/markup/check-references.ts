// Finds files that a page refers to without the filter `asset`. Documents load nothing, so such images and fonts are missing.
import { assetName } from "colophon-template-model/asset-names";
import { readStyles } from "colophon-template-model/read-styles";
import { quoted } from "colophon-base/quoted";
import { textBeforeMarks } from "colophon-liquid/marks";
import { similarName } from "colophon-base/similar-name";
import type { Report } from "../finding.ts";
import type { MarkupTag } from "./markup-tags.ts";
import { markupStyles } from "./markup-styles.ts";
import { isDynamic } from "./markup-text.ts";

type ReferenceInput = { report: Report; lineOf: (index: number) => number; assets: ReadonlySet<string> };

/** The attributes that name a file to show, by element. `xlink:href` is the older name of `href`. */
const fileAttributes: Record<string, string[]> = {
  img: ["src", "srcset"],
  source: ["src", "srcset"],
  input: ["src"],
  image: ["href", "xlink:href"],
  use: ["href", "xlink:href"],
  feimage: ["href", "xlink:href"],
  body: ["background"],
  table: ["background"],
  td: ["background"],
  th: ["background"],
};

export function checkTagReferences(tag: MarkupTag, { report, lineOf, assets }: ReferenceInput): void {
  const names = tag.kind === "start" && Object.hasOwn(fileAttributes, tag.name) ? (fileAttributes[tag.name] ?? []) : [];
  for (const { name, value, start } of tag.attributes) {
    if (!names.includes(name)) continue;
    const targets = name === "srcset" ? candidates(value) : [value.trim()];
    for (const target of targets) {
      const problem = fileProblem(
        target,
        assets,
        (file) => `{{ ${JSON.stringify(file).replaceAll('"', "'")} | asset }}`,
      );
      if (problem !== null) report(lineOf(start), problem);
    }
  }
}

/** Returns the URLs of a `srcset`. */
function candidates(value: string): string[] {
  if (/^\s*data:/i.test(value) || isDynamic(value.slice(0, 1))) return [];
  return value.split(/,\s+|,$/).map((candidate) => candidate.trim().split(/\s+/)[0] ?? "");
}

/** Checks the files that are named in the `style` attributes and `<style>` elements of a file. */
export function checkStyleReferences(source: string, { report, lineOf, assets }: ReferenceInput): void {
  for (const { css, start } of markupStyles(source)) {
    for (const { target, start: index } of readStyles(css).references) {
      const problem = fileProblem(target.trim(), assets, (file) => `url({{ '${file}' | asset }})`);
      // A character reference makes the styles shorter than their source, but contains no line end.
      if (problem !== null)
        report(lineOf(start) + lineBreaks(css.slice(0, index)), `${problem}${inStyleSheet(problem)}`);
    }
  }
}

function inStyleSheet(problem: string): string {
  return problem.includes("asset }}") ? ", or move the style to style.css" : "";
}

/** `write` returns how the template refers to a file of `assets/`. */
function fileProblem(target: string, assets: ReadonlySet<string>, write: (file: string) => string): string | null {
  // What begins with Liquid may be a `data:` URI.
  if (target === "" || isDynamic(target.slice(0, 1)) || /^(data:|#)/i.test(target)) return null;
  if (isDynamic(target))
    return `${quoted(`${textBeforeMarks(target)}…`)} is not shown, because documents load nothing; use the filter ${quoted("asset")}`;
  if (/^(https?:)?\/\//i.test(target))
    return `${quoted(target)} is not shown, because documents load nothing; put the file into assets/`;
  const name = target.split(/[?#]/)[0]?.split("/").at(-1) ?? target;
  const file = [assetName(target), name].find((each) => assets.has(each)) ?? similarName(assetName(target), assets);
  return `${quoted(target)} is not shown; ${file === null ? "put the file into assets/ and " : ""}write ${quoted(write(file ?? name))}`;
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}
