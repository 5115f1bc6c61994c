// Checks `sample.json`: it must be data that the API accepts in one request without a warning.
import { shortened } from "colophon-base/text";
import { imageProblems } from "../document-images.ts";
import type { TemplateData } from "../template-data.ts";
import type { Field } from "../template.ts";
import { validateData } from "../validate-data.ts";
import type { JsonFile } from "./json-file.ts";
import { maxProblems, type FileProblem } from "./template-files.ts";

/** Returns the problems of the sample data, and the data as a render would see it. Use that data only if there are no problems. */
export function checkSample(
  fields: Field[],
  sample: Record<string, unknown>,
  { lineOf }: JsonFile,
): { problems: FileProblem[]; data: TemplateData } {
  const { data, missing, mistyped, unknownKeys } = validateData(fields, sample);
  const wrong = [...missing, ...mistyped].map(({ path, message }) => {
    return { path: path.split(".").slice(1), reason: message };
  });
  const unknown = unknownKeys.map((path) => {
    return { path, reason: `\`${shortened(path.join("."))}\` is not a field of the template` };
  });
  const images = imageProblems(wrong.length > 0 ? [] : data.images).map(({ path, reason }) => {
    return { path: path.split("."), reason };
  });
  const problems = [...wrong, ...unknown, ...images].slice(0, maxProblems);
  return { data, problems: problems.map(({ path, reason }) => ({ file: "sample.json", line: lineOf(path), reason })) };
}
