// The command that starts a new template. It works only on files, without a service.
import { cp, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileWarning } from "colophon-template-model/template";
import { draftPage, fieldsJson } from "../authoring/draft-files.ts";
import { dataOf, inferFields, labelOf } from "../authoring/infer-fields.ts";
import { CommandError, option, UsageError, type FileCommand, type Options } from "../command.ts";
import { jsonObjectIn } from "../folder/json-object.ts";

/** The template that `template init` copies by default. */
const starter = fileURLToPath(new URL("../../starter", import.meta.url).href);
/** The styles and footer of a template whose fields are inferred from data. */
const draft = fileURLToPath(new URL("../../draft", import.meta.url).href);
const samples = fileURLToPath(new URL("../../../../templates", import.meta.url).href);
/** A picture for the documentation of this project, which is not part of the template. */
const preview = "preview.png";

export const init: FileCommand = {
  usage: "DIR [--from SAMPLE | --data FILE]",
  runOnFiles: createFolder,
};

type Draft = { files: Record<string, string>; warnings: FileWarning[] };

/** Copies a sample template to a new folder, or creates one that shows all the data. */
async function createFolder(options: Options) {
  const { from, data } = options;
  if (from !== undefined && data !== undefined) throw new UsageError("give either --from or --data");
  const names = await sampleNames();
  if (from !== undefined && !names.includes(from)) {
    throw new UsageError(`there is no sample ${JSON.stringify(from)}; the samples are ${names.join(", ")}`);
  }
  const directory = option(options, "DIR");
  if (!(await isUnused(directory))) {
    throw new CommandError(`${directory} already exists; name a folder that does not exist or is empty`);
  }
  const drafted = data === undefined ? null : await draftOf(directory, data);
  const source = from === undefined ? (drafted ? draft : starter) : join(samples, from);
  await cp(source, directory, { recursive: true, filter: (path) => basename(path) !== preview });
  if (drafted) await mkdir(join(directory, "pages"));
  for (const [file, text] of Object.entries(drafted?.files ?? {})) await writeFile(join(directory, file), text);
  return { folder: directory, files: await filesIn(directory), ...(drafted && { warnings: drafted.warnings }) };
}

/** Values whose field could not be inferred become warnings. */
async function draftOf(directory: string, file: string): Promise<Draft> {
  const { value, json } = await jsonObjectIn(file);
  const { fields, notes } = inferFields(value);
  const title = labelOf(
    basename(resolve(directory))
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
      .trim() || "document",
  );
  const manifest = `"title": ${JSON.stringify(title)},\n  "pageSize": "A4",\n  "fields": ${fieldsJson(fields, "  ")}`;
  return {
    files: {
      "template.json": `{\n  ${manifest}\n}\n`,
      "sample.json": `${JSON.stringify(dataOf(fields, value), null, 2)}\n`,
      "pages/1.liquid": draftPage(title, fields),
    },
    warnings: notes.map(({ path, message }) => ({ file, line: json.lineOf(path), message })),
  };
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
