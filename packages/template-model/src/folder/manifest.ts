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
import { comparable, type RuleCheck, ruleCheck, rulesOfType } from "../rules/field-rules.ts";
import { patternWork, type PatternWork, parsePattern } from "../rules/pattern.ts";
import { decimalOf, scalarTypeRules } from "../scalar-types.ts";
import type { Field, TemplateManifest, ScalarType } from "../template.ts";
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
      for (const message of givenProblems(field, field[property], work)) {
        problems.push({ path: [...path, property], reason: `${at}.${property}: ${message}` });
      }
    }
    return problems;
  }).flat();
}

function givenProblems(field: Field, value: unknown, work: PatternWork): string[] {
  if (value === undefined) return [];
  const given = { [field.key]: value };
  const { mistyped, missing, data } = validateData([{ ...field, default: undefined }], given, new Set(), work);
  const wrong = [...mistyped, ...missing];
  if (wrong.length > 0) return wrong.map(({ message }) => message);
  return imageProblems(data.images).map(({ reason }) => reason);
}

/** A problem of a field. `at` is the place inside the field, e.g. `["enum", 3]`. */
type RuleProblem = { at: (string | number)[]; reason: string };

const ruleNames = new Set(Object.values(rulesOfType).flat());

/**
 * Returns the problems of invalid rules: rules for a different type, and rules that no value can satisfy. The problems of `enum` are
 * listed only if the other rules have none.
 */
function ruleProblems(field: Field, work: PatternWork): RuleProblem[] {
  const given = [...ruleNames].filter((name) => field[name] !== undefined);
  if (given.length === 0) return [];
  const { type, items } = field;
  const allowed = [...rulesOfType[type], ...(items ? rulesOfType[items] : [])];
  const owner = items ? `a list of the type ${items}` : `a field of the type ${type}`;
  const wrong = given.filter((name) => !allowed.includes(name));
  if (wrong.length > 0) return wrong.map((name) => ({ at: [name], reason: `${owner} cannot have \`${name}\`` }));
  const problems = [...sizeProblems(field), ...patternProblems(field, work)];
  const scalar = items ?? type;
  if (problems.length > 0 || scalar === "list" || scalar === "object") return problems;
  const bounds = boundProblems(field, scalar, work);
  return bounds.length > 0 ? bounds : enumProblems(field, scalar, work);
}

function sizeProblems({ minLength = 0, maxLength = Infinity, minItems = 0, maxItems = Infinity }: Field) {
  const problemOf = (name: string, minimum: number, maximum: number): RuleProblem[] =>
    minimum > maximum ? [{ at: [name], reason: `must be at least ${minimum}, got ${maximum}` }] : [];
  return [...problemOf("maxLength", minLength, maxLength), ...problemOf("maxItems", minItems, maxItems)];
}

function patternProblems({ pattern }: Field, work: PatternWork): RuleProblem[] {
  if (pattern === undefined) return [];
  const parsed =
    work.stepsLeft > 0 ? parsePattern(pattern, work) : "the patterns of the template are too long in total";
  return typeof parsed === "string" ? [{ at: ["pattern"], reason: parsed }] : [];
}

function boundProblems({ minimum, maximum, ...field }: Field, type: ScalarType, work: PatternWork): RuleProblem[] {
  const problems = valueProblems(minimum, { at: ["minimum"], type, check: null });
  if (problems.length > 0) return problems;
  const check = ruleCheck({ ...field, enum: undefined, minimum }, work);
  return valueProblems(maximum, { at: ["maximum"], type, check });
}

function enumProblems({ enum: values = [], ...field }: Field, type: ScalarType, work: PatternWork): RuleProblem[] {
  const check = ruleCheck(field, work);
  const compared = values.map((value) => comparable(value, type));
  return values.flatMap((value, index) => {
    const at = ["enum", index];
    const problems = valueProblems(value, { at, type, check });
    const isRepeated = problems.length === 0 && compared.indexOf(compared[index]) < index;
    return isRepeated ? [{ at, reason: "is in the list already" }] : problems;
  });
}

type Place = { at: RuleProblem["at"]; type: ScalarType; check: RuleCheck | null };

function valueProblems(value: unknown, { at, type, check }: Place): RuleProblem[] {
  if (value === undefined) return [];
  const { accepts, expected } = scalarTypeRules[type];
  const isDecimal = type === "decimal";
  const broken = accepts(value) ? check?.(isDecimal ? decimalOf(value) : value) : { must: `be ${expected}` };
  return broken ? [{ at, reason: `must ${broken.must}, got ${JSON.stringify(value)}` }] : [];
}
