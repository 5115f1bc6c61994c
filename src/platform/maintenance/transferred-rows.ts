// Validates rows from a different instance, perhaps of a different release, because records and lists use rows without further
// checks. The tables define which columns are numbers, and which may be null.
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parsedJson } from "colophon-base/parsed-json";
import { manifestSchema } from "colophon-template-model/manifest-schema";
import { isDeeperThan, isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import { maxMonthlyRenders, planNames, maxRetentionDays } from "../../core/accounts/plans.ts";
import { formatOfFileKey } from "../../core/documents/document.ts";
import { filenameProblem } from "../../core/documents/filename.ts";
import { linkSeconds } from "../../core/documents/links.ts";
import { metadataProblems } from "../../core/documents/metadata.ts";
import { regions } from "../../core/region.ts";
import { folderNameProblem } from "../../core/templates/template-name.ts";
import type { TransferredRow } from "../../ports/maintenance.ts";

/** In the position of an export, a time has 14 digits. */
const maxNumber = 99_999_999_999_999;
const maxima: Record<string, number> = {
  retentionDays: maxRetentionDays,
  monthlyRenders: maxMonthlyRenders,
  linkSeconds: linkSeconds.max,
};
const maxTextChars = 300_000;

type Rule = [allowed: string, isValid: (text: string) => boolean];
const uuid = matching("an id", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const digest = matching("a SHA-256 in hexadecimal", /^[0-9a-f]{64}$/);

/** A column name has the same meaning in every table. */
const texts: Record<string, Rule> = {
  id: uuid,
  accountId: uuid,
  templateId: uuid,
  batchId: uuid,
  sha256: digest,
  contentHash: digest,
  name: matching("a string of 1 to 200 characters, without control characters", /^\P{Cc}{1,200}$/u),
  plan: oneOf(planNames),
  region: oneOf(regions),
  month: matching("a month such as 2026-11", /^\d{4}-(0[1-9]|1[0-2])$/),
  fileKey: ["the key of a file", (key) => formatOfFileKey(key) !== null],
  filename: ["the name of a file", isFilename],
  manifest: json("a manifest", isManifest),
  metadata: json("metadata", (value) => isPlainObject(value) && metadataProblems(value).length === 0),
  warnings: json("a list of strings", (value) => Array.isArray(value) && value.every(isString)),
  error: json("an error", isError),
  conformance: json("a list of standards", (value) => manifestSchema.shape.conformance.safeParse(value).success),
};

/** Returns which column is invalid and what it must be; null for a valid row. */
export function rowProblem(columns: Record<string, SQLiteColumn>, { table, row }: TransferredRow): string | null {
  const unknown = Object.keys(row).find((name) => !Object.hasOwn(columns, name));
  if (unknown !== undefined) return `${table} has no property ${unknown}`;
  for (const [name, column] of Object.entries(columns)) {
    const allowed = columnProblem(name, column, row[name]);
    if (allowed !== null) return `${table}.${name} must be ${allowed}${column.notNull ? "" : ", or null"}`;
  }
  if (table === "accounts" && (row["deletedAt"] ?? null) !== null) return "the account was being deleted";
  const folderProblem = table === "templates" ? folderNameProblem(String(row["folder"])) : null;
  if (folderProblem !== null) return `templates.folder ${folderProblem}`;
  return table === "documents" ? documentProblem(row) : null;
}

/** An older release does not have the newest columns, which may be null or have a default. */
function columnProblem(name: string, { dataType, notNull, hasDefault, enumValues = [] }: SQLiteColumn, value: unknown) {
  if (value === undefined ? hasDefault || !notNull : value === null && !notNull) return null;
  const max = maxima[name] ?? maxNumber;
  const isWhole = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
  if (dataType === "boolean") return typeof value === "boolean" ? null : "true or false";
  if (dataType === "number") return isWhole ? null : `a whole number from 0 to ${max}`;
  const [allowed, isValid] = enumValues.length > 0 ? oneOf(enumValues) : (texts[name] ?? matching("a string", /^/));
  return typeof value === "string" && value.length <= maxTextChars && isValid(value) ? null : allowed;
}

/** Documents that are being rendered stay on the other instance. */
function documentProblem({ status, format, fileKey, ...row }: TransferredRow["row"]): string | null {
  if (status === "processing") return "documents.status must be one of completed, failed";
  if (formatOfFileKey(String(fileKey)) !== format) return "documents.fileKey is not the key of a file of this format";
  const needed = status === "failed" ? ["error"] : ["completedAt", "pageCount", "fileSize", "sha256", "height"];
  const lacking = needed.find((name) => (row[name] ?? null) === null);
  return lacking === undefined ? null : `documents.${lacking} must not be null if the status is ${String(status)}`;
}

function matching(allowed: string, pattern: RegExp): Rule {
  return [allowed, (text) => pattern.test(text)];
}

function oneOf(values: readonly string[]): Rule {
  return [`one of ${values.join(", ")}`, (text) => values.includes(text)];
}

function json(what: string, isValid: (value: unknown) => boolean): Rule {
  const isJson = (text: string) => {
    const parsed = parsedJson(text);
    return parsed !== null && !isDeeperThan(parsed.value, 2 * maxDataDepth) && isValid(parsed.value);
  };
  return [`JSON of ${what}`, isJson];
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isError(value: unknown): boolean {
  const { code, message, details = [] } = isPlainObject(value) ? value : {};
  const isDetail = (each: unknown) => isPlainObject(each) && isString(each["path"]) && isString(each["message"]);
  return isString(code) && isString(message) && Array.isArray(details) && details.every(isDetail);
}

/** The extension may have been added to a name of the maximum length. */
function isFilename(name: string): boolean {
  return filenameProblem(name) === null || filenameProblem(name.replace(/\.\w+$/, "")) === null;
}

/** A stored manifest is the content of `template.json`, with a page instead of `width` and `height`. */
function isManifest(value: unknown): boolean {
  const { page, pageSize, locales: _locales, ...rest } = isPlainObject(value) ? value : {};
  if (!isPlainObject(page)) return false;
  const size = pageSize === "Custom" ? { width: page["width"], height: page["height"] } : { pageSize };
  return manifestSchema.safeParse({ ...rest, ...size }).success;
}
