// The zod schema of a test case, a file in the folder `tests` of a template. A case without anything in it is a test, too: the sample
// must give a document without a warning.
import { z } from "zod";
import { manifestMessage } from "colophon-template-model/manifest-messages";
import { shortened } from "colophon-base/text";
import { renderRequest } from "../dev/messages.ts";

const { data, format, locale, width, height } = renderRequest.shape;
const page = z.int().min(1);
const text = z.string().trim().min(1).max(1_000);
const anywhere = text.transform((text) => ({ page: null, text }));
const textError = 'must be a text, or { "page", "text" }';
const texts = z.array(z.union([anywhere, z.strictObject({ page, text })], { error: textError })).default([]);
const range = z.strictObject({ min: page.optional(), max: page.optional() });
const rangeError = 'must be a number of pages, or { "min", "max" }';
const picturesError = "must be true, or a list of the pages of which there are pictures";
const timeError = 'must be a time such as "2026-03-31T12:00:00Z"';
const samplePattern = /^(sample\.json|samples\/[^/]+\.json)$/;
const sampleError = 'must be "sample.json" or a file in `samples` such as "samples/long.json"';

const expectations = z.strictObject({
  /** The number of pages. */
  pages: z.union([page, range], { error: rangeError }).default({}),
  /** Texts that must occur, in this order. */
  texts,
  absentTexts: texts,
  /** A part of each warning that the document must have. It must have no others. */
  warnings: z.array(text).default([]),
  pictures: z.union([z.literal(true), z.array(page)], { error: picturesError }).default([]),
  /** The share of the pixels of a picture that may differ. */
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
    ...{ format, locale, width, height },
    /** What `"now"` means. Without it, that changes from run to run. */
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
  // Messages about a request name the property themselves.
  const place = issue.message.startsWith("`") || path.length === 0 ? "" : `${path.join(".")}: `;
  if (issue.code !== "unrecognized_keys") return [{ path, reason: place + issue.message }];
  const known = Object.keys(path[0] === "expect" ? expectations.shape : caseSchema.shape).join(", ");
  return issue.keys.slice(0, 20).map((key) => ({
    path: [...path, key],
    reason: `${place}${JSON.stringify(shortened(key))} is not a known property; the properties are ${known}`,
  }));
}
