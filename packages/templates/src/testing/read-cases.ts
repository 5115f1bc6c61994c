// Reads the test cases of a template folder: the files `tests/*.json`, and the data of each. A push ignores that folder, and a case
// with a problem fails without keeping the others from running.
import { join } from "node:path";
import { tooManyReason } from "colophon-template-model/entry-reasons";
import { checkSample } from "colophon-template-model/sample-data";
import type { TemplateContent } from "colophon-template-model/template";
import { maxEntries, type FileProblem } from "colophon-template-model/template-files";
import { isPlainObject } from "colophon-template-model/template-data";
import { readDataFile, readSamples, type SampleFile } from "../dev/samples.ts";
import { listFolder } from "../folder/folder-entries.ts";
import { parseCase, type CaseInput } from "./case-schema.ts";

/** `name` is the name of the file without `.json`. A case with problems cannot run. */
export type TestCase = { name: string } & (
  | { status: "valid"; input: CaseInput; data: Record<string, unknown> }
  | { status: "broken"; problems: FileProblem[] }
);

/** Returns the cases of a valid template, by name; none if it has no folder `tests`. */
export async function readCases(directory: string, content: TemplateContent): Promise<TestCase[]> {
  const listed = await listFolder(join(directory, "tests"), maxEntries + 1);
  const names = listed.status === "listed" ? listed.names.map(String) : [];
  const reason = listed.status === "refused" ? listed.reason : names.length > maxEntries ? tooManyReason : null;
  if (reason !== null) return [{ name: "tests", status: "broken", problems: [{ file: "tests", line: 1, reason }] }];
  const samples = await readSamples(directory, content);
  const files = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  return Promise.all(files.map((file) => readCase(directory, file, content, samples)));
}

async function readCase(
  directory: string,
  fileName: string,
  { manifest }: TemplateContent,
  samples: SampleFile[],
): Promise<TestCase> {
  const name = fileName.slice(0, -".json".length);
  const file = `tests/${fileName}`;
  const broken = (problems: Omit<FileProblem, "file">[]): TestCase => {
    return { name, status: "broken", problems: problems.map((problem) => ({ ...problem, file })) };
  };
  const read = await readDataFile(directory, file);
  if (read.status === "broken") return broken(read.problems);
  const { lineOf } = read.json;
  const { input, problems } = parseCase(read.value);
  if (!input) return broken(problems.map(({ path, reason }) => ({ line: lineOf(path), reason })));
  const sample = samples.find((each) => each.file === input.sample);
  if (!sample) return broken([{ line: lineOf(["sample"]), reason: `there is no file ${input.sample}` }]);
  if (!input.data && !sample.data) return { name, status: "broken", problems: sample.problems };
  const data = input.data ?? mergePatch(sample.data ?? {}, input.patch ?? {});
  const key = input.data ? "data" : "patch";
  const json = { ...read.json, lineOf: (path: (string | number)[]) => lineOf([key, ...path]) };
  // Data of a sample is checked more strictly than data that must be refused or have warnings.
  const isCorrect = input.expect.error === undefined && input.expect.warnings.length === 0;
  const wrong = isCorrect ? checkSample(manifest.fields, data, json).problems : [];
  return wrong.length > 0 ? broken(wrong) : { name, status: "valid", input, data };
}

/** JSON Merge Patch (RFC 7386): null removes a property, objects are merged, and everything else is replaced. */
function mergePatch(target: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const patched = Object.entries(patch).map(([key, value]) => {
    const before = isPlainObject(target[key]) ? target[key] : {};
    return [key, isPlainObject(value) ? mergePatch(before, value) : value] as const;
  });
  const merged = new Map([...Object.entries(target), ...patched]);
  return Object.fromEntries([...merged].filter(([key, value]) => value !== null || patch[key] !== null));
}
