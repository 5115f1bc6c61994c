// Makes the manifest of a template from its `template.json`.
import type { z } from "zod";
import { shortened } from "colophon-base/text";
import {
  customGeometry,
  lengthPx,
  marginsFit,
  overrideGeometry,
  paperGeometry,
  type Margin,
  type PaperSize,
} from "colophon-page/page-geometry";
import { imageProblems } from "../document-images.ts";
import { foldFields } from "../fields.ts";
import { patternWork, type PatternWork } from "../rules/pattern.ts";
import { ruleProblems } from "../rules/rule-problems.ts";
import type { Field, TemplateManifest } from "../template.ts";
import { validateData } from "../validate-data.ts";
import { manifestMessage } from "./manifest-messages.ts";
import { manifestSchema } from "./manifest-schema.ts";
import { maxProblems } from "./template-files.ts";

/** A problem in a manifest. `path` is the location of the problem in `template.json`. */
type ManifestProblem = { path: (string | number)[]; reason: string };

const defaultMarginPx = 48;
const maxUnknownKeys = 20;

/** `styles` are the names of the shared style sheets, which are not part of the manifest. */
export type ParsedManifest = { manifest: TemplateManifest | null; styles: string[]; problems: ManifestProblem[] };

/** Returns the manifest, or null together with the problems. */
export function parseManifest(json: unknown): ParsedManifest {
  const result = manifestSchema.safeParse(json, { error: manifestMessage });
  if (!result.success) {
    const problems = result.error.issues.slice(0, maxProblems).flatMap(issueProblems);
    return { manifest: null, styles: [], problems };
  }
  const { styles, width, height, pageSize, margin, fields, ...rest } = result.data;
  const isCustom = width !== undefined && height !== undefined;
  const paper = isCustom ? customGeometry(width, height) : paperGeometry(pageSize as PaperSize, rest.orientation);
  const page = overrideGeometry(paper, height === undefined ? {} : { height });
  const manifest: TemplateManifest = {
    ...rest,
    // A page with the width of a paper size but the height "auto" does not have that paper size.
    pageSize: height === undefined ? (pageSize as PaperSize) : "Custom",
    page,
    margin: marginPx(margin),
    fields,
  };
  const problems = fieldProblems(fields);
  if (!marginsFit(page, manifest.margin)) {
    problems.push({ path: ["margin"], reason: "margin: the margins leave no room on the page" });
  }
  return { manifest: problems.length > 0 ? null : manifest, styles, problems };
}

function issueProblems(issue: z.core.$ZodIssue): ManifestProblem[] {
  const path = issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  const at = path.join(".");
  if (issue.code !== "unrecognized_keys") return [{ path, reason: `${at || "template.json"}: ${issue.message}` }];
  return issue.keys.slice(0, maxUnknownKeys).map((key) => ({
    path: [...path, key],
    reason: `${at || "template.json"}: ${JSON.stringify(shortened(key))} is not a known property`,
  }));
}

function marginPx(margin: { [edge in keyof Margin]?: number | string | undefined }): Margin {
  const px = (edge: number | string | undefined) =>
    edge === undefined ? defaultMarginPx : Math.round(typeof edge === "number" ? edge : (lengthPx(edge) ?? 0));
  return { top: px(margin.top), right: px(margin.right), bottom: px(margin.bottom), left: px(margin.left) };
}

/**
 * Returns the problems that the schema does not find: a key must be unique among the fields at the same level, and a default or an
 * example must be a valid value for its field, and its rules must make sense. The problems of inner fields come before their parent's.
 */
function fieldProblems(fields: Field[]): ManifestProblem[] {
  const work = patternWork();
  return foldFields<ManifestProblem[]>(fields, ({ field, siblings, path, inner }) => {
    const at = path.join(".");
    const problems = inner.flat();
    if (siblings.find(({ key }) => key === field.key) !== field) {
      problems.push({ path: [...path, "key"], reason: `${at}: the key "${field.key}" is used twice` });
    }
    const rules = ruleProblems(field, work);
    for (const { at: place, reason } of rules) {
      problems.push({ path: [...path, ...place], reason: `${[at, ...place].join(".")}: ${reason}` });
    }
    if (rules.length > 0) return problems;
    for (const property of ["default", "example"] as const) {
      for (const message of valueProblems(field, field[property], work)) {
        problems.push({ path: [...path, property], reason: `${at}.${property}: ${message}` });
      }
    }
    return problems;
  }).flat();
}

function valueProblems(field: Field, value: unknown, work: PatternWork): string[] {
  if (value === undefined) return [];
  const given = { [field.key]: value };
  const { mistyped, missing, data } = validateData([{ ...field, default: undefined }], given, new Set(), work);
  const wrong = [...mistyped, ...missing];
  if (wrong.length > 0) return wrong.map(({ message }) => message);
  return imageProblems(data.images).map(({ reason }) => reason);
}
