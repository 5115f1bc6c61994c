// Runs the test cases of template folders. While one document is compared, the next one is rendered.
import type { TemplateContent } from "colophon-template-model/template";
import { browserLauncher } from "../browser/browser.ts";
import { problemLines } from "../folder/problem-lines.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";
import { diskFonts, localRenderer } from "../render/local-renderer.ts";
import { compileFolder, stderrLog } from "../render/render-folder.ts";
import { documentInspector } from "./inspector.ts";
import { readCases } from "./read-cases.ts";
import { failedResult, runCase, type CaseParts, type CaseResult } from "./run-case.ts";

/** `only` is the name of the only case to run. */
export type TestOptions = { only?: string | undefined; isUpdate?: boolean; lenient?: boolean };

/** One document is rendered and one is compared. */
const maxConcurrentCases = 2;

/** Returns the results of all folders. That of a folder which is not a valid template has its problems. */
export async function runFolders(directories: string[], options: TestOptions): Promise<CaseResult[]> {
  const launcher = await browserLauncher();
  const fonts = diskFonts(stderrLog);
  const renderer = localRenderer(launcher, fonts, stderrLog);
  const inspector = documentInspector(launcher);
  const results: CaseResult[] = [];
  try {
    for (const directory of directories) {
      const read = await readTemplateFolder(directory, undefined, { lenient: options.lenient ?? false });
      if (read.status === "broken") {
        results.push(failedResult(directory, "template", problemLines(read.problems)));
        continue;
      }
      const parts = { renderer, fonts, log: stderrLog, inspector };
      results.push(...(await runCases(parts, directory, read.content, options)));
    }
    return results;
  } finally {
    await Promise.all([renderer.stop(), inspector.stop()]);
  }
}

/** Returns the results by name of the case. Stops if `mayBegin`, which is asked before each of them, says no. */
export async function runCases(
  parts: CaseParts,
  directory: string,
  content: TemplateContent,
  { only, isUpdate = false }: TestOptions,
  mayBegin: () => Promise<boolean> = async () => true,
): Promise<CaseResult[]> {
  const all = await readCases(directory, content);
  const cases = all.filter(({ name }) => only === undefined || name === only);
  const run = { directory, folder: await compileFolder(content), isUpdate };
  const results: CaseResult[] = [];
  const queue = cases.entries();
  const runQueued = async () => {
    for (const [index, each] of queue) {
      if (!(await mayBegin())) return;
      results[index] = await runCase(parts, run, each);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentCases }, runQueued));
  return results;
}
