// Hostile files of template folders: each folder is either accepted, or refused with the file, the line and a reason in plain
// language.
import { expect, it } from "vitest";
import { filesOf, firstProblem } from "colophon-test-kit/hostile-folder";
import { bytesOf, type Files } from "colophon-test-kit/template-files";
import { validateTemplate } from "../../src/folder/validate-template.ts";
import { assets, liquid, styles } from "./hostile/contents.ts";
import { manifests, samples } from "./hostile/data.ts";
import { names } from "./hostile/names.ts";
import { encodings, jsonFiles } from "./hostile/texts.ts";

const folders = [names, encodings, jsonFiles, manifests, samples, styles, assets, liquid].flat();

/** Technical terms that a person who pushes a template need not know. */
const programWords =
  /\bE[A-Z]{3,}\b|\bundefined\b|\[object|call stack|Unexpected token|Invalid input|[a-z]Expected|\bzod\b/;

function problemsOf(changed: Files) {
  const files = filesOf(changed).map(([path, content]) => ({ path, bytes: bytesOf(content) }));
  const result = validateTemplate({ files, problems: [] });
  return result.status === "broken" ? result.problems : [];
}

it.each(folders.filter(([, , problem]) => problem !== ""))("a folder is refused when %s", (_what, files, problem) => {
  const problems = problemsOf(files);

  expect(firstProblem(problems, problem)).toBe(problem);
  expect(problems.filter(({ reason }) => programWords.test(reason))).toEqual([]);
});

it.each(folders.filter(([, , problem]) => problem === ""))("a folder is accepted if %s", (_what, files) => {
  expect(problemsOf(files)).toEqual([]);
});
