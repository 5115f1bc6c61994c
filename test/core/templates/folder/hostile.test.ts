// Hostile files of template folders: each folder is either accepted, or refused with the file, the line and a reason in plain
// language.
import { expect, it } from "vitest";
import { validateTemplate } from "../../../../src/core/templates/folder/validate-template.ts";
import type { HostileFolder } from "../../../fixtures/hostile-folder.ts";
import { bytesOf, validFiles } from "../../../fixtures/template-files.ts";
import { assets, liquid, styles } from "./hostile/contents.ts";
import { manifests, samples } from "./hostile/data.ts";
import { limits } from "./hostile/limits.ts";
import { names } from "./hostile/names.ts";
import { encodings, jsonFiles } from "./hostile/texts.ts";

const folders = [
  ...names,
  ...encodings,
  ...jsonFiles,
  ...manifests,
  ...samples,
  ...styles,
  ...assets,
  ...liquid,
  ...limits,
];

/** Technical terms that a person who pushes a template need not know. */
const programWords =
  /\bE[A-Z]{3,}\b|\bundefined\b|\[object|call stack|Unexpected token|Invalid input|[a-z]Expected|\bzod\b/;

/** Returns the problems of a folder whose page reads no field, because many of the folders have fields of their own. */
function problemsOf({ files = {} }: HostileFolder) {
  const all = Object.entries({ ...validFiles, "pages/1.liquid": "<p>Hello</p>", ...files });
  const contents = all.flatMap(([path, content]) => (content === null ? [] : [{ path, bytes: bytesOf(content) }]));
  const result = validateTemplate({ files: contents, problems: [] });
  return result.status === "broken" ? result.problems : [];
}

const rows = folders.map((hostile) => [hostile.what, hostile] as const);

it.each(rows.filter(([, { problem }]) => problem))(
  "a folder is refused with a reason in plain words when %s",
  (_what, hostile) => {
    const problems = problemsOf(hostile);

    const { column: _, ...first } = problems[0] ?? {};
    expect(first).toEqual({ ...hostile.problem, reason: expect.stringMatching(hostile.problem?.reason ?? "") });
    expect(problems.filter(({ reason }) => programWords.test(reason))).toEqual([]);
  },
);

it.each(rows.filter(([, { problem }]) => !problem))("a folder is accepted although %s", (_what, hostile) => {
  expect(problemsOf(hostile)).toEqual([]);
});
