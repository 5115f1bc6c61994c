// Reads the test cases of a template folder: the files `tests/*.json`, and their data. A push ignores that folder, and a case with
// a problem fails without preventing the others from running.
import { join } from "node:path";
import { z } from "zod";
import { shortened } from "colophon-base/text";
import { checkSample } from "colophon-template-model/check-content";
import { manifestMessage } from "colophon-template-model/manifest-messages";
import type { TemplateContent } from "colophon-template-model/template";
import { isPlainObject } from "colophon-template-model/template-data";
import { tooManyReason, maxEntries, type FileProblem } from "colophon-template-model/template-files";
import { renderRequest } from "../dev/messages.ts";
import { readDataFile, readSamples, type SampleFile } from "../dev/samples.ts";
import { listFolder } from "../folder/folder-entries.ts";

/** `name` is the file name without `.json`. A case with problems cannot run. */
export type TestCase = { name: string } & (
  | { status: "valid"; input: CaseInput; data: Record<string, unknown> }
  | { status: "broken"; problems: FileProblem[] }
);

/** Returns the cases of a valid template, by name; empty if it has no folder `tests`. */
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
  // A sample's data is checked more strictly than data that must be refused or cause warnings.
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

const { data, format, locale, width, height } = renderRequest.shape;
const page = z.int().min(1);
const text = z.string().trim().min(1).max(1_000);
const anywhere = text.transform((text) => ({ page: null, text }));
const textError = 'must be a string, or { "page", "text" }';
const texts = z.array(z.union([anywhere, z.strictObject({ page, text })], { error: textError })).default([]);
const range = z.strictObject({ min: page.optional(), max: page.optional() });
const rangeError = 'must be a number of pages, or { "min", "max" }';
const picturesError = "must be true, or a list of the pages that have pictures";
const timeError = 'must be a time such as "2026-03-31T12:00:00Z"';
const samplePattern = /^(sample\.json|samples\/[^/]+\.json)$/;
const sampleError = 'must be "sample.json" or a file in `samples` such as "samples/long.json"';

const expectations = z.strictObject({
  /** The number of pages. */
  pages: z.union([page, range], { error: rangeError }).default({}),
  /** Texts that must occur in this order. */
  texts,
  absentTexts: texts,
  /** A part of each expected warning. Any other warning is a failure. */
  warnings: z.array(text).default([]),
  pictures: z.union([z.literal(true), z.array(page)], { error: picturesError }).default([]),
  /** The fraction of a picture's pixels that may differ. */
  tolerance: z.number().min(0).max(1).default(0),
  /** A part of the message with which the data must be refused. */
  error: text.optional(),
});

const caseSchema = z
  .strictObject({
    description: text.default(""),
    sample: z.string().regex(samplePattern, sampleError).default("sample.json"),
    /** Replaces the sample. */
    data,
    /** A JSON Merge Patch (RFC 7386) of the sample. */
    patch: data,
    format,
    locale,
    width,
    height,
    /** The time of `"now"`; by default, the time of the run. */
    now: z.iso.datetime({ offset: true, error: timeError }).optional(),
    expect: expectations.prefault({}),
  })
  .check(({ value, issues }) => {
    const { data, patch, format, expect } = value;
    const refuse = (path: string[], message: string) => issues.push({ code: "custom", input: value, path, message });
    if (data && patch) refuse(["patch"], "changes a sample, so it cannot be given together with `data`");
    const hasTexts = expect.texts.length + expect.absentTexts.length > 0;
    const hasPages = typeof expect.pages === "number" || Object.keys(expect.pages).length > 0;
    const { min = 1, max = min } = typeof expect.pages === "number" ? {} : expect.pages;
    if (min > max) refuse(["expect", "pages"], "has a `min` above its `max`");
    const hasOthers = hasTexts || hasPages || expect.pictures === true || expect.pictures.length > 0;
    if (expect.error !== undefined && hasOthers)
      refuse(["expect"], "expects an error, so there is no document with pages, texts or pictures");
    if (format !== "pdf" && hasTexts) refuse(["expect"], "an image has no texts; use `pictures`, or the format pdf");
  });

export type CaseInput = z.output<typeof caseSchema>;
export type Expectations = CaseInput["expect"];

type Problem = { path: (string | number)[]; reason: string };

export function parseCase(json: unknown): { input: CaseInput | null; problems: Problem[] } {
  const result = caseSchema.safeParse(json, { error: manifestMessage });
  if (result.success) return { input: result.data, problems: [] };
  return { input: null, problems: result.error.issues.flatMap(issueProblems) };
}

function issueProblems(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  // Messages about a request already name the property.
  const place = issue.message.startsWith("`") || path.length === 0 ? "" : `${path.join(".")}: `;
  if (issue.code !== "unrecognized_keys") return [{ path, reason: place + issue.message }];
  const known = Object.keys(path[0] === "expect" ? expectations.shape : caseSchema.shape).join(", ");
  return issue.keys.slice(0, 20).map((key) => ({
    path: [...path, key],
    reason: `${place}${JSON.stringify(shortened(key))} is not a known property; the properties are ${known}`,
  }));
}
