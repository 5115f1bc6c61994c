// The commands for the versions of a template: list them, write one to a folder, compare, and go back to one.
import { contentFiles } from "../../core/templates/authoring/content-files.ts";
import { fileChanges } from "../../core/templates/authoring/file-changes.ts";
import type { TemplateFile } from "../../core/templates/folder/template-files.ts";
import type { Template } from "../../core/templates/template.ts";
import { rollBackTemplate } from "../../operations/templates/roll-back-template.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { changeKind, changeText } from "../templates/change-text.ts";
import { problemLines } from "../templates/problem-lines.ts";
import { readTemplateFolder } from "../templates/template-folder.ts";
import { writeTemplateFolder } from "../templates/write-folder.ts";
import {
  CommandError,
  folderExists,
  isLenient,
  iso,
  noTemplate,
  option,
  type Commands,
  type Options,
} from "./command.ts";

export const templateVersionCommands: Commands = {
  "template versions": {
    usage: "--id ID",
    required: ["id"],
    run: async ({ templates }, options) => ({ versions: (await versionsOf(templates, options)).map(versionLine) }),
  },
  "template rollback": {
    usage: "--id ID --to VERSION",
    required: ["id", "to"],
    run: rollBack,
  },
  "template pull": {
    usage: "DIR --id ID [--version VERSION]",
    required: ["id"],
    optional: ["version"],
    positional: "DIR",
    run: pull,
  },
  "template diff": {
    usage: "DIR --id ID [--version VERSION] [--lenient]",
    required: ["id"],
    optional: ["version"],
    flags: ["lenient"],
    positional: "DIR",
    run: diff,
    text: ({ version, files }: Difference) =>
      files.length === 0
        ? `the folder has the same content as version ${version}`
        : files.map(({ text }) => text).join("\n"),
  },
};

type Templates = OperatorServices["templates"];

async function rollBack(services: OperatorServices, options: Options) {
  const id = templateId(options);
  const version = versionOption(options, "to") ?? 0;
  const result = await rollBackTemplate(services, { id, version });
  if (result.status === "not_found") throw noTemplate(id);
  if (result.status === "no_version") throw noVersion(version, result.newest);
  if (result.status === "overtaken") throw new CommandError("a push changed this template at the same time; try again");
  return { id, version: result.template.version, content: `version ${version}`, changed: result.changed };
}

/** Writes the files of a version to a new folder. */
async function pull({ templates }: OperatorServices, options: Options) {
  const { version, files } = await storedFiles(templates, options);
  const directory = option(options, "DIR");
  if (!(await writeTemplateFolder(directory, files))) throw folderExists(directory);
  return { id: templateId(options), version, folder: directory, files: files.map(({ path }) => path) };
}

/** `text` is a unified diff, or a line with the sizes of a file that is not text. */
type ChangedFile = { file: string; change: "added" | "removed" | "changed"; text: string };
type Difference = { id: string; version: number; changed: boolean; files: ChangedFile[] };

/** Compares a version with a folder. The files of the folder are compared as a push would store them. */
async function diff({ templates }: OperatorServices, options: Options): Promise<Difference> {
  const read = await readTemplateFolder(option(options, "DIR"), undefined, { lenient: isLenient(options) });
  if (read.status === "broken") throw new CommandError(problemLines(read.problems).join("\n"));
  const { version, files } = await storedFiles(templates, options);
  const changes = fileChanges(files, contentFiles(read.content)).map((change) => ({
    file: change.path,
    change: changeKind(change),
    text: changeText(change),
  }));
  return { id: templateId(options), version, changed: changes.length > 0, files: changes };
}

async function storedFiles(
  templates: Templates,
  options: Options,
): Promise<{ version: number; files: TemplateFile[] }> {
  const template = await versionOf(templates, options);
  return { version: template.version, files: contentFiles(await templates.content(template)) };
}

/** Returns the version that the options name, or the newest one. */
async function versionOf(templates: Templates, options: Options): Promise<Template> {
  const [newest, ...older] = await versionsOf(templates, options);
  const number = versionOption(options, "version") ?? newest.version;
  const found = [newest, ...older].find(({ version }) => version === number);
  if (!found) throw noVersion(number, newest.version);
  return found;
}

/** Returns all versions of the template, newest first. */
async function versionsOf(templates: Templates, options: Options): Promise<[Template, ...Template[]]> {
  const id = templateId(options);
  const [newest, ...older] = await templates.listVersions(id);
  if (!newest) throw noTemplate(id);
  return [newest, ...older];
}

function templateId(options: Options): string {
  return option(options, "id").toLowerCase();
}

function versionOption(options: Options, name: string): number | null {
  const text = options[name];
  if (text === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CommandError(`--${name} must be the number of a version, got ${JSON.stringify(text)}`);
}

function versionLine({ version, contentHash, manifest, pagesCount, updatedAt }: Template) {
  return { version, createdAt: iso(updatedAt), title: manifest.title, pagesCount, contentHash };
}

function noVersion(version: number, newest: number): CommandError {
  return new CommandError(`the template has no version ${version}; its versions are 1 to ${newest}`);
}
