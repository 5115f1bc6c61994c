// Runs the test cases of template folders. While one document is compared, the next one is rendered.
import { basename, resolve } from "node:path";
import { messageOf } from "colophon-base/message-of";
import { shortened } from "colophon-base/text";
import { contentTypeOf } from "colophon-page/document-format";
import type { TemplateContent } from "colophon-template-model/template";
import { problemLines, refusalLines } from "../folder/problem-lines.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";
import {
  compileFolder,
  localParts,
  type FolderRender,
  type FolderRenderParts,
  type FolderTemplate,
  renderFolder,
} from "../render/render-folder.ts";
import { failuresOf } from "./expectations.ts";
import { documentInspector, type Inspector } from "./inspector.ts";
import { changedPictures, pictureFailure, readPictures, updatePictures, type ComparedPicture } from "./pictures.ts";
import { readCases, type Expectations, type TestCase } from "./read-cases.ts";

/** `only` is the name of the only case to run. */
export type TestOptions = { only?: string | undefined; isUpdate?: boolean; lenient?: boolean };

/** At most two documents are in progress: one is rendered while the other is compared. */
const maxConcurrentCases = 2;

/** Returns the results of all folders. For a folder that is not a valid template, the result contains its problems. */
export async function runFolders(directories: string[], options: TestOptions): Promise<CaseResult[]> {
  const { launcher, ...render } = await localParts();
  const parts = { ...render, inspector: documentInspector(launcher) };
  const results: CaseResult[] = [];
  try {
    for (const directory of directories) {
      const read = await readTemplateFolder(directory, undefined, { lenient: options.lenient ?? false });
      if (read.status === "ok") results.push(...(await runCases(parts, directory, read.content, options)));
      else results.push(failedResult(directory, "template", problemLines(read.problems)));
    }
    return results;
  } finally {
    await Promise.all([parts.renderer.stop(), parts.inspector.stop()]);
  }
}

/** Returns the results by case name. Stops when `mayBegin`, which is called before each case, returns false. */
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

type CaseParts = FolderRenderParts & { inspector: Inspector };

type CaseRun = { directory: string; folder: FolderTemplate; isUpdate: boolean };

/** `folder` is the name of the template's folder. */
export type CaseResult = {
  folder: string;
  name: string;
  description: string;
  /** Empty if the case has passed. */
  failures: string[];
  durationMs: number;
  /** The pictures that did not match, before an update. */
  pictures: ComparedPicture[];
  /** The changes that an update made to pictures. */
  updates: string[];
};

/** Never rejects. */
async function runCase(parts: CaseParts, run: CaseRun, testCase: TestCase): Promise<CaseResult> {
  const startMs = performance.now();
  const result = failedResult(run.directory, testCase.name, []);
  try {
    if (testCase.status === "valid") await compare(parts, run, testCase, result);
    else result.failures = problemLines(testCase.problems);
  } catch (error) {
    result.failures = [`The case could not run: ${shortened(messageOf(error), 300)}`];
  }
  return { ...result, durationMs: performance.now() - startMs };
}

/** Returns the result of a case whose document was not compared. */
function failedResult(directory: string, name: string, failures: string[]): CaseResult {
  const folder = basename(resolve(directory));
  return { folder, name, description: "", failures, durationMs: 0, pictures: [], updates: [] };
}

/** Adds the comparison to the result. */
async function compare(
  parts: CaseParts,
  { directory, folder, isUpdate }: CaseRun,
  { name, input, data }: TestCase & { status: "valid" },
  result: CaseResult,
): Promise<void> {
  const { description, expect, now, format, locale, width, height } = input;
  result.description = description;
  const chosen = Object.entries({ locale, width, height }).filter(([, value]) => value !== undefined);
  const request = { data, format, deviceScaleFactor: 2, ...Object.fromEntries(chosen) };
  const rendered = await renderFolder(parts, folder, request, now === undefined ? undefined : Date.parse(now));
  if (rendered.status === "failed" || expect.error !== undefined) {
    result.failures = refusalFailures(rendered, expect);
    return;
  }
  const { metadata, file, warnings } = rendered;
  const expected = await readPictures(directory, name);
  const { texts, pictures } = await parts.inspector.inspect({
    file: `data:${contentTypeOf(format)};base64,${Buffer.from(file.bytes).toString("base64")}`,
    width: metadata.width,
    pages: expect.pictures === true ? "all" : expect.pictures,
    expected,
  });
  result.failures = failuresOf(expect, { pageCount: metadata.pageCount, warnings, texts });
  result.pictures = changedPictures(name, pictures, expected, expect.tolerance);
  if (isUpdate) result.updates = await updatePictures(directory, result.pictures);
  else result.failures.push(...pictureFailures(result.pictures, file.browserVersion));
}

function refusalFailures(rendered: FolderRender, { error }: Expectations): string[] {
  if (rendered.status === "rendered") return [`There is a document, expected an error that contains “${error}”.`];
  const [message = "", ...others] = refusalLines(rendered);
  const [{ file, line: at } = {}] = rendered.problems;
  const line = file === undefined ? message : `${file}:${at}: ${message}`;
  if (error === undefined) return [`There is no document: ${line}`, ...others];
  return line.includes(error) ? [] : [`The error does not contain “${error}”: ${line}`];
}

/** A different browser paints letters differently, so a difference need not come from the template. */
function pictureFailures(changed: ComparedPicture[], browserVersion: string): string[] {
  const { CHROME_PATH: path, CHROMIUM_VERSION: version = "current" } = process.env;
  const isOther = Boolean(path) || version !== "current";
  const hint = `This run used ${browserVersion}, not the browser of this installation, which may be why pictures differ.`;
  return [...changed.map(pictureFailure), ...(isOther && changed.length > 0 ? [hint] : [])];
}
