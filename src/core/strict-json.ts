// Parses JSON and finds values that parsing would change: `JSON.parse` checks the syntax and creates the value, and a scan of the same
// input finds everything that the value does not preserve.
import { scanJson, type JsonFinding } from "colophon-base/json-scan";
import { parsedJson } from "colophon-base/parsed-json";
import { shortened } from "colophon-base/text";
import { jsonSyntaxProblem, type JsonProblem } from "colophon-template-model/json-file";
import type { ErrorDetail } from "./errors.ts";

export type StrictJson =
  | { status: "parsed"; value: unknown }
  | ({ status: "malformed" } & JsonProblem)
  /** At most this number of problems is reported. */
  | { status: "refused"; problems: ErrorDetail[] }
  /** The value is nested more than `maxDepth` levels deep. It was not scanned completely, so it must not be used. */
  | { status: "too_deep"; value: unknown };

const maxProblems = 20;
const maxSegmentChars = 60;
const maxPathChars = 200;
const maxNumberChars = 40;

/**
 * V8 uses the number itself as the hash of keys such as `1000000000`, so a caller can choose keys that collide. An object then takes
 * time in proportion to the square of their number: eleven seconds for the 45,000 keys that fit into a body.
 */
const maxNumericKeys = 2_000;
const numericKey = /"(?:\d|\\u003\d){6,15}"\s*:/g;
const tooManyNumericKeys: ErrorDetail = {
  path: "",
  message: `The body has more than 2,000 keys that are numbers of six or more digits. Send a list of objects instead.`,
};

export function parseStrictJson(text: string, maxDepth: number): StrictJson {
  const numericKeys = text.match(numericKey)?.length ?? 0;
  if (numericKeys > maxNumericKeys) return { status: "refused", problems: [tooManyNumericKeys] };
  const parsed = parsedJson(text);
  if (!parsed) return { status: "malformed", ...jsonSyntaxProblem(text, maxDepth) };
  const { value } = parsed;
  const { problems, tooDeepAt } = scanJson(text, { maxDepth, maxProblems });
  if (problems.length > 0) return { status: "refused", problems: problems.map(describe) };
  if (tooDeepAt >= 0) return { status: "too_deep", value };
  return { status: "parsed", value };
}

function describe({ kind, path: segments, number }: JsonFinding): ErrorDetail {
  const path = pathOf(segments);
  const subject = path === "" ? "The JSON value" : `\`${path}\``;
  const written = shortened(number, maxNumberChars);
  const messages: Record<JsonFinding["kind"], string> = {
    duplicate_key: `${subject} occurs more than once; each key of an object must be unique.`,
    lone_surrogate: `${subject} contains a lone surrogate (\\ud800 to \\udfff without its pair), which is not a character.`,
    too_large: `${subject} is ${written}, but the largest number is about 1.8e308 (double precision).`,
    changed_integer: `${subject} is ${written}, which double precision would change to ${Number(number)}; send it as a string or with at most 15 digits.`,
  };
  return { path, message: messages[kind] };
}

/** Joins the segments as in `data.items.3.price`, and truncates segments that are too long for a message. */
function pathOf(segments: (string | number)[]): string {
  const path = segments.map((segment) => String(segment).slice(0, maxSegmentChars)).join(".");
  return path.slice(0, maxPathChars).toWellFormed();
}
