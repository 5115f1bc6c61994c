// The commands with which an author begins a template. They work on files alone, without a service.
import { cp, lstat, readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { fieldsJson } from "../authoring/fields-json.ts";
import { inferFields } from "../authoring/infer-fields.ts";
import type { Field, FileWarning } from "colophon-template-model/template";
import { jsonObjectIn } from "../folder/json-object.ts";
import { CommandError, option, type FileCommands, type Options } from "../command.ts";

/** The template that `template init` copies if no other is named. */
const starter = fileURLToPath(new URL("../../starter", import.meta.url).href);
const samples = fileURLToPath(new URL("../../../../templates", import.meta.url).href);
/** A picture for the documentation of this project, which is not part of the template. */
const preview = "preview.png";

export const authoringCommands: FileCommands = {
  init: {
    usage: "DIR [--from SAMPLE]",
    required: [],
    optional: ["from"],
    positional: "DIR",
    runOnFiles: init,
  },
  infer: {
    usage: "FILE",
    required: [],
    positional: "FILE",
    runOnFiles: infer,
    text: ({ fields }) => fieldsJson(fields as Field[]),
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
  const { value, lineOf } = await jsonObjectIn(file);
  const { fields, notes } = inferFields(value);
  const warnings = notes.map(({ path, message }) => ({ file, line: lineOf(path), message }));
  return { fields, warnings };
}
