// Joins the shared style sheets that `template.json` names and the template's own style sheet.
import { similarName } from "colophon-base/similar-name";
import { styleAssets } from "../../styles/style-assets.ts";
import type { StyleAsset } from "../../template.ts";
import type { FileProblem } from "../template-files.ts";
import type { OpenedFolder } from "./opened-folder.ts";

export type StyleSheet = { file: string; css: string };

/** All styles in one text. `problems` are the styles' problems, in the order of the sheets. */
export type JoinedStyles = { sheets: StyleSheet[]; css: string; assets: StyleAsset[]; problems: FileProblem[] };

/** The shared sheets come first, so that the template's own styles override them. */
export function styleSheets(folder: OpenedFolder, names: string[], lineOf: (index: number) => number): StyleSheet[] {
  const shared = names.flatMap((name, index): StyleSheet[] => {
    const file = `shared/styles/${name}`;
    const css = folder.text(file);
    if (css !== null) return [{ file, css }];
    if (folder.isMissing(file)) {
      const known = folder.inside("shared/styles").map(({ path }) => path);
      const similar = similarName(name, known);
      const reason = `styles.${index}: there is no file ${file}${similar === null ? "" : `; did you mean "${similar}"?`}`;
      folder.problems.push({ file: "template.json", line: lineOf(index), reason });
    }
    return [];
  });
  return [...shared, { file: "style.css", css: folder.text("style.css") ?? "" }];
}

/** `names` are the names of the assets that the styles can use. */
export function joinedStyles(sheets: StyleSheet[], names: ReadonlySet<string>): JoinedStyles {
  const joined: JoinedStyles = { sheets, css: "", assets: [], problems: [] };
  for (const [index, { file, css }] of sheets.entries()) {
    if (index > 0) joined.css += "\n";
    const offset = joined.css.length;
    joined.css += css;
    const { assets, problems } = styleAssets(css, names);
    for (const { start, end, name } of assets) joined.assets.push({ start: start + offset, end: end + offset, name });
    for (const problem of problems) joined.problems.push({ file, ...problem });
  }
  return joined;
}
