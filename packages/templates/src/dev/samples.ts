// Reads the sample data of a template folder: the mandatory `sample.json`, and the optional files in `samples/`. A push ignores
// that folder, so a sample with a problem does not make the template unusable.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { checkSample } from "colophon-template-model/check-content";
import type { JsonObjectResult } from "colophon-template-model/json-file";
import type { Field, TemplateContent } from "colophon-template-model/template";
import { maxFileBytes, type FileProblem } from "colophon-template-model/template-files";
import { listFolder, readEntry } from "../folder/folder-entries.ts";
import { dataFile } from "../folder/json-object.ts";

/** `data` is null if the file has problems. */
export type SampleFile = {
  file: string;
  digest: string;
  data: Record<string, unknown> | null;
  problems: FileProblem[];
};

const defaultSample = "sample.json";
const samplesFolder = "samples";
const maxSamples = 50;

/** Returns the samples of a valid template, `sample.json` first and the others by name. */
export async function readSamples(directory: string, { manifest, sampleData }: TemplateContent): Promise<SampleFile[]> {
  const first = { file: defaultSample, digest: digestOf(sampleData), data: sampleData, problems: [] };
  const listed = await listFolder(join(directory, samplesFolder), maxSamples * 2);
  if (listed.status === "refused") {
    const problems = [{ file: samplesFolder, line: 1, reason: listed.reason }];
    return [first, { file: samplesFolder, digest: "", data: null, problems }];
  }
  const names = listed.status === "listed" ? listed.names.map(String) : [];
  const samples = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  const files = samples.slice(0, maxSamples).map((name) => `${samplesFolder}/${name}`);
  const others = files.map((file) => readSample(directory, file, manifest.fields));
  return [first, ...(await Promise.all(others))];
}

async function readSample(directory: string, file: string, fields: Field[]): Promise<SampleFile> {
  const read = await readDataFile(directory, file);
  if (read.status === "broken") return { file, digest: "", data: null, problems: read.problems };
  const problems = checkSample(fields, read.value, read.json).problems.map((problem) => ({ ...problem, file }));
  return { file, digest: digestOf(read.value), data: problems.length > 0 ? null : read.value, problems };
}

/** Reads a JSON object from a file in the folder that does not belong to the template. */
export async function readDataFile(directory: string, file: string): Promise<JsonObjectResult> {
  const read = await readEntry(join(directory, file), maxFileBytes(defaultSample));
  if (read.status === "read") return dataFile(file, read.bytes);
  const reason = read.status === "missing" ? "the file is missing" : read.reason;
  return { status: "broken", problems: [{ file, line: 1, reason }] };
}

function digestOf(data: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 16);
}
