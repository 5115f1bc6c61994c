// Validates template folders for tests.
import { templateFiles, type Files } from "colophon-test-kit/template-files";
import type { FileProblem } from "../../src/folder/template-files.ts";
import { validateTemplate } from "../../src/folder/validate-template.ts";

/** Functions for the folder `base` with some of its files changed. `unread` are the problems of files that could not be read. */
export function foldersLike(base: Files) {
  const validated = (changes: Files, unread: FileProblem[] = []) =>
    validateTemplate({ files: templateFiles({ ...base, ...changes }), problems: unread });
  return {
    contentOf(changes: Files = {}, unread: FileProblem[] = []) {
      const result = validated(changes, unread);
      if (result.status === "broken") throw new Error(JSON.stringify(result.problems));
      return result.content;
    },
    /** Returns the problems as `file:line: reason`. */
    problemsOf(changes: Files, unread: FileProblem[] = []): string[] {
      const result = validated(changes, unread);
      const problems = result.status === "broken" ? result.problems : [];
      return problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
    },
  };
}
