// Reads the sample data of a template folder: `sample.json`, which every template has, and the optional files in
// `samples/`. A push ignores that folder, so a sample with a problem does not make the template unusable.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { checkSample } from "colophon-template-model/sample-data";
import { parseJsonFile } from "colophon-template-model/json-file";
import { maxFileBytes, type FileProblem } from "colophon-template-model/template-files";
import { decodeText } from "colophon-template-model/text-file";
import { isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import type { Field, TemplateContent } from "colophon-template-model/template";
import { listFolder, readEntry } from "../folder/folder-entries.ts";

/** `data` is null if the file has problems. */
export type SampleFile = {
  file: string;
  digest: string;
  data: Record<string, unknown> | null;
  problems: FileProblem[];
};

export const defaultSample = "sample.json";
const samplesFolder = "samples";
const maxSamples = 50;

/** Returns the samples of a valid template, `sample.json` first and the others by name. */
export async function readSamples(directory: string, { manifest, sampleData }: TemplateContent): Promise<SampleFile[]> {
  const first = { file: defaultSample, digest: digestOf(sampleData), data: sampleData, problems: [] };
  const folder = join(directory, samplesFolder);
  const listed = await listFolder(folder, maxSamples * 2);
  if (listed.status === "refused") return [first, broken(samplesFolder, 1, listed.reason)];
  const names = listed.status === "listed" ? listed.names.map(String) : [];
  const samples = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  const others = samples.slice(0, maxSamples).map((name) => readSample(folder, name, manifest.fields));
  return [first, ...(await Promise.all(others))];
}

async function readSample(folder: string, name: string, fields: Field[]): Promise<SampleFile> {
  const file = `${samplesFolder}/${name}`;
  const read = await readEntry(join(folder, name), maxFileBytes(defaultSample));
  if (read.status !== "read") return broken(file, 1, read.status === "missing" ? "the file is missing" : read.reason);
  const decoded = decodeText(read.bytes);
  if (decoded.status !== "text") return broken(file, decoded.line, decoded.reason);
  const parsed = parseJsonFile(decoded.text, maxDataDepth);
  if (parsed.status === "malformed") {
    return { ...broken(file, 1, ""), problems: parsed.problems.map((problem) => ({ file, ...problem })) };
  }
  const { value } = parsed.json;
  if (!isPlainObject(value)) return broken(file, 1, "the file must contain a JSON object");
  const { problems } = checkSample(fields, value, parsed.json);
  const data = problems.length > 0 ? null : value;
  return { file, digest: digestOf(value), data, problems: problems.map((problem) => ({ ...problem, file })) };
}

function broken(file: string, line: number, reason: string): SampleFile {
  return { file, digest: "", data: null, problems: [{ file, line, reason }] };
}

function digestOf(data: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 16);
}
