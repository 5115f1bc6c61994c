// The command that starts a new template. It works only on files, without a service.
import { cp, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileWarning, Field, FieldType } from "colophon-template-model/template";
import { dataOf, inferFields, labelOf } from "../authoring/infer-fields.ts";
import { CommandError, option, UsageError, type FileCommand, type Options } from "../command.ts";
import { jsonObjectIn } from "../folder/json-object.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";
import { importedPage } from "../html/imported-page.ts";

/** The template that `template init` copies by default. */
const starter = fileURLToPath(new URL("../../starter", import.meta.url).href);
/** The styles and footer of a template whose fields are inferred from data. */
const draft = fileURLToPath(new URL("../../draft", import.meta.url).href);
const samples = fileURLToPath(new URL("../../../../templates", import.meta.url).href);
/** A picture for the documentation of this project, which is not part of the template. */
const preview = "preview.png";

export const init: FileCommand = {
  usage: "DIR [--from SAMPLE | --data FILE] [--html FILE]",
  runOnFiles: createFolder,
};

/** The fields of sample data. Values whose field could not be inferred become warnings. */
type Inferred = { fields: Field[]; sample: string; warnings: FileWarning[] };

/** Copies a sample template to a new folder, or creates one that shows all the data or a finished page. */
async function createFolder(options: Options) {
  const { from, data, html } = options;
  if (from !== undefined && (data !== undefined || html !== undefined)) {
    throw new UsageError("give --from without --data and --html");
  }
  const names = await sampleNames();
  if (from !== undefined && !names.includes(from)) {
    throw new UsageError(`there is no sample ${JSON.stringify(from)}; the samples are ${names.join(", ")}`);
  }
  const directory = option(options, "DIR");
  if (!(await isUnused(directory))) {
    throw new CommandError(`${directory} already exists; name a folder that does not exist or is empty`);
  }
  const inferred = data === undefined ? null : await inferredFrom(data);
  if (html !== undefined) return createFromPage(directory, html, inferred ?? noData);
  const source = from === undefined ? (inferred ? draft : starter) : join(samples, from);
  await cp(source, directory, { recursive: true, filter: (path) => basename(path) !== preview });
  if (inferred) await mkdir(join(directory, "pages"));
  const files = inferred ? draftOf(titleOf(directory), inferred) : {};
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
  return { folder: directory, files: await filesIn(directory), ...(inferred && { warnings: inferred.warnings }) };
}

/** The warnings name what was left out, and what a push of the folder would say. */
async function createFromPage(directory: string, page: string, { fields, sample, warnings: inData }: Inferred) {
  const { title, locale, files, warnings: inPage } = await importedPage(page);
  const warnings = [...inPage, ...inData];
  const names = { title: (title ?? titleOf(directory)).slice(0, 200), ...(locale && { locale }) };
  const manifest = manifestJson({ ...names, pageSize: "A4" }, fields);
  const contents = { "template.json": manifest, "sample.json": sample, ...files };
  for (const [file, content] of Object.entries(contents)) {
    await mkdir(join(directory, dirname(file)), { recursive: true });
    await writeFile(join(directory, file), content);
  }
  const checked = await readTemplateFolder(resolve(directory));
  const problems = checked.status === "broken" ? checked.problems : [];
  const found = [...problems.map(({ reason, ...place }) => ({ ...place, message: reason })), ...checked.warnings];
  const next =
    problems.length > 0 ? `check ${directory}` : `render ${directory} -o ${basename(resolve(directory))}.pdf`;
  const isNew = ({ file, message }: FileWarning, index: number) =>
    warnings.findIndex((each) => each.file === file && each.message === message) === index;
  const all = [...warnings.filter(isNew), ...found.filter(({ message }) => !message.includes(missingSource))];
  return { folder: directory, files: await filesIn(directory), next, warnings: all };
}

/** A message about an image whose file was left out says that already. */
const missingSource = "shows nothing without `src`";

function titleOf(directory: string): string {
  const words = basename(resolve(directory)).replace(/[^\p{L}\p{M}\p{N}]+/gu, " ");
  return labelOf(words.trim() || "document");
}

const noData: Inferred = { fields: [], sample: "{}\n", warnings: [] };

async function inferredFrom(file: string): Promise<Inferred> {
  const { value, json } = await jsonObjectIn(file);
  const { fields, notes } = inferFields(value);
  return {
    fields,
    sample: `${JSON.stringify(dataOf(fields, value), null, 2)}\n`,
    warnings: notes.map(({ path, message }) => ({ file, line: json.lineOf(path), message })),
  };
}

function draftOf(title: string, { fields, sample }: Inferred): Record<string, string> {
  return {
    "template.json": manifestJson({ title, pageSize: "A4" }, fields),
    "sample.json": sample,
    "pages/1.liquid": draftPage(title, fields),
  };
}

function manifestJson(members: object, fields: readonly Field[]): string {
  const json = JSON.stringify(members, null, 2).replace(/\n\}$/, "");
  return `${json},\n  "fields": ${fieldsJson(fields, "  ")}\n}\n`;
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

/** A table of objects with more properties does not fit on paper. */
const maxColumns = 6;

/** Names with a fixed meaning in Liquid, even if the data has such a key. */
const liquidNames = new Set(["true", "false", "nil", "null", "empty", "blank", "document"]);

/** `title` must not contain special characters of HTML or Liquid; labels and keys never do. */
function draftPage(title: string, fields: readonly Field[]): string {
  const shownFields = fields.filter(({ key }) => !liquidNames.has(key));
  return [`<h1>${title}</h1>`, ...definitions(shownFields, "", 0), ""].join("\n");
}

/** `parent` precedes the keys in Liquid, such as `seller.`; `loops` is the number of enclosing loops. */
function definitions(fields: readonly Field[], parent: string, loops: number): string[] {
  const lines = fields.flatMap((field) => [
    `<dt>${field.label}</dt>`,
    ...(field.fields || field.items
      ? around("<dd>", valueOf(field, parent + field.key, loops), "</dd>")
      : [`<dd>${output(field.type, parent + field.key)}</dd>`]),
  ]);
  return around("<dl>", lines, "</dl>");
}

/** Returns the lines for an object or a list. */
function valueOf({ type, items, fields = [] }: Field, path: string, loops: number): string[] {
  if (type === "object") return definitions(fields, `${path}.`, loops);
  const item = loops === 0 ? "item" : `item${loops + 1}`;
  const loop = (lines: string[]) => around(`{% for ${item} in ${path} %}`, lines, "{% endfor %}");
  if (items) return around("<ul>", loop([`<li>${output(items, item)}</li>`]), "</ul>");
  const isTable = fields.length <= maxColumns && fields.every((field) => !field.fields && !field.items);
  if (!isTable) return loop(definitions(fields, `${item}.`, loops + 1));
  const heads = fields.map(({ label }) => `<th scope="col">${label}</th>`);
  const cells = fields.map(({ key, type: cell }) => `<td>${output(cell, `${item}.${key}`)}</td>`);
  const head = around("<thead>", [`<tr>${heads.join("")}</tr>`], "</thead>");
  const body = around("<tbody>", loop([`<tr>${cells.join("")}</tr>`]), "</tbody>");
  return around("<table>", [...head, ...body], "</table>");
}

function output(type: FieldType, path: string): string {
  if (type === "image") return `{% if ${path} %}<img src="{{ ${path} }}" alt="">{% endif %}`;
  const filters: Partial<Record<FieldType, string>> = {
    text: " | newline_to_br",
    number: " | number",
    date: ' | date: "long"',
    datetime: ' | date: "yMMMMdjm"',
  };
  return `{{ ${path}${filters[type] ?? ""} }}`;
}

function around(first: string, lines: string[], last: string): string[] {
  return [first, ...lines.map((line) => `  ${line}`), last];
}

/** Returns the JSON of field definitions, one per line. `indent` is the indentation of the first line. */
function fieldsJson(fields: readonly Field[], indent = ""): string {
  const lines = fields.map((field) => `${indent}  ${fieldJson(field, `${indent}  `)}`);
  return lines.length === 0 ? "[]" : ["[", lines.join(",\n"), `${indent}]`].join("\n");
}

/** Properties that a push would add by itself are left out. */
function fieldJson(field: Field, indent: string): string {
  const { key, label, type, required, description, fields, ...rest } = field;
  const json = onOneLine({
    key,
    ...(label === key ? {} : { label }),
    type,
    ...(required ? { required } : {}),
    ...rest,
    ...(description === "" ? {} : { description }),
  });
  return fields ? `${json.slice(0, -2)}, "fields": ${fieldsJson(fields, indent)} }` : json;
}

/** Returns JSON with a space after each comma and colon. Line breaks in strings are escaped, so none is lost. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
