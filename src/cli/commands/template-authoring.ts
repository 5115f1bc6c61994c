// The commands with which an author begins a template. They work on files alone, without a service.
import { cp, lstat, readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { fieldsJson } from "colophon-templates/fields-json";
import { inferFields } from "colophon-templates/infer-fields";
import { parseJsonFile } from "colophon-template-model/json-file";
import { maxFileBytes } from "colophon-template-model/template-files";
import { decodeText } from "colophon-template-model/text-file";
import { isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import type { Field, FileWarning } from "colophon-template-model/template";
import { projectRoot } from "../bindings.ts";
import { problemLines } from "../templates/problem-lines.ts";
import { CommandError, option, type FileCommands, type Options } from "./command.ts";

/** The template that `template init` copies if no other is named. */
const starter = fileURLToPath(new URL("../templates/starter", import.meta.url).href);
const samples = join(projectRoot, "templates");
/** A picture for the documentation of this project, which is not part of the template. */
const preview = "preview.png";

export const templateAuthoringCommands: FileCommands = {
  "template init": {
    usage: "DIR [--from SAMPLE]",
    required: [],
    optional: ["from"],
    positional: "DIR",
    runOnFiles: init,
  },
  "template infer": {
    usage: "FILE",
    required: [],
    positional: "FILE",
    runOnFiles: infer,
    text: ({ fields }: Inferred) => fieldsJson(fields),
  },
};

type Inferred = { fields: Field[]; warnings: FileWarning[] };

/** Copies a sample template to a new folder. */
async function init(options: Options) {
  const from = options["from"];
  const names = await sampleNames();
  if (from !== undefined && !names.includes(from)) {
    throw new CommandError(`there is no sample ${JSON.stringify(from)}; the samples are ${names.join(", ")}`);
  }
  const directory = option(options, "DIR");
  if (!(await isUnused(directory))) {
    throw new CommandError(`${directory} exists already; name a folder that does not exist or is empty`);
  }
  const source = from === undefined ? starter : join(samples, from);
  await cp(source, directory, { recursive: true, filter: (path) => basename(path) !== preview });
  return { folder: directory, files: await filesIn(directory) };
}

async function sampleNames(): Promise<string[]> {
  const entries = await readdir(samples, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function isUnused(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats === null || (stats.isDirectory() && (await readdir(path)).length === 0);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
}

/** Returns the fields that a JSON file's data would satisfy. What could not be inferred becomes a warning. */
async function infer(options: Options): Promise<Inferred> {
  const file = option(options, "FILE");
  const { value, lineOf } = await dataIn(file);
  const { fields, notes } = inferFields(value);
  const warnings = notes.map(({ path, message }) => ({ file, line: lineOf(path), message }));
  return { fields, warnings };
}

async function dataIn(file: string) {
  const text = await textIn(file);
  const parsed = parseJsonFile(text, maxDataDepth);
  if (parsed.status === "malformed") {
    throw new CommandError(problemLines(parsed.problems.map((problem) => ({ file, ...problem }))).join("\n"));
  }
  const { value, lineOf } = parsed.json;
  if (!isPlainObject(value)) throw new CommandError(`${file}:1: the file must contain a JSON object`);
  return { value, lineOf };
}

async function textIn(file: string): Promise<string> {
  const maxBytes = maxFileBytes("sample.json");
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile()) throw new CommandError(`there is no file ${file}`);
  if (stats.size > maxBytes) throw new CommandError(`${file} is larger than ${maxBytes.toLocaleString("en-US")} bytes`);
  const decoded = decodeText(await readFile(file));
  if (decoded.status === "text") return decoded.text;
  throw new CommandError(`${file}:${decoded.line}: ${decoded.reason}`);
}
