// `push DIR`: sends a template folder, or all template folders in a folder, to a service.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { printable } from "colophon-base/text";
import type { TemplateRecord } from "colophon-client/manage";
import type { FileWarning } from "colophon-template-model/template";
import type { TemplateFiles } from "colophon-template-model/template-files";
import { templateZip } from "colophon-template-model/template-zip";
import {
  CommandError,
  UsageError,
  isLenient,
  option,
  versionOption,
  type CommandReport,
  type CommandResult,
  type FileCommand,
  type Options,
} from "../command.ts";
import { problemLines, warningLines } from "../folder/problem-lines.ts";
import { readSharedFolder, readTemplateFolder } from "../folder/template-folder.ts";
import { commandError, namedTemplate, onService, shownTemplate, type AccountApi } from "../service/service.ts";

const maxConcurrentPushes = 4;

export const push: FileCommand = {
  usage: "DIR [--name NAME] [--if-version N] [--lenient] | DIR --all [--lenient]",
  runOnFiles: (options) => onService((api) => pushTemplates(api, options)),
};

/** Pushes the folder `DIR` or, with `all`, the folders in it. */
export async function pushTemplates(api: AccountApi, options: Options): Promise<CommandResult | CommandReport> {
  if (options["all"] === undefined) return pushOne(api, options);
  if (options["name"] === undefined && options["if-version"] === undefined) return pushAll(api, options);
  throw new UsageError("--name and --if-version are for a single template, so they cannot be given with --all");
}

async function pushOne(api: AccountApi, options: Options) {
  const [name, ifVersion] = [options["name"], versionOption(options, "if-version")];
  const pushed = await pushFolder(api, { name, ifVersion, lenient: isLenient(options) }, option(options, "DIR"));
  if (pushed.status === "refused") throw new CommandError(pushed.problems.join("\n"));
  const { template, status, warnings } = pushed;
  return { template, changed: status === "changed", warnings };
}

async function pushAll(api: AccountApi, options: Options): Promise<CommandReport> {
  const directory = option(options, "DIR");
  const folders = await foundTemplates(directory);
  const shared = await readSharedFolder(resolve(directory));
  const results: FoundResult[] = [];
  const queue = folders.entries();
  const pushQueued = async () => {
    for (const [index, folder] of queue) {
      // A folder that fails does not prevent the others from being pushed.
      const refused = (failure: unknown): Refused => {
        const error = commandError(failure, api);
        if (error instanceof CommandError) return { status: "refused", problems: error.message.split("\n") };
        throw error;
      };
      const push = { shared, lenient: isLenient(options) };
      results[index] = { folder, ...(await pushFolder(api, push, join(directory, folder)).catch(refused)) };
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentPushes }, pushQueued));
  const hasFailures = results.some(({ status }) => status === "refused");
  return { entries: results, lines: results.flatMap(resultLines), hasFailures };
}

/** Returns the folders that contain a `template.json`, by name. Hidden folders and symbolic links are left out. */
export async function foundTemplates(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new CommandError(printable(`the folder ${directory} cannot be read`));
  });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const names = folders.map(({ name }) => name).filter((name) => existsSync(join(directory, name, "template.json")));
  if (names.length > 0) return names.sort();
  throw new CommandError(printable(`there is no template in ${directory}: no folder in it has a template.json`));
}

/** If `lenient`, mistakes that do not prevent a render are warnings. */
type Push = { name?: string | undefined; ifVersion?: number | undefined; shared?: TemplateFiles; lenient: boolean };

type Refused = { status: "refused"; problems: string[] };
type Pushed = { status: "changed" | "unchanged"; template: TemplateRecord; warnings: FileWarning[] };
type FoundResult = { folder: string } & (Refused | Pushed);

async function pushFolder(
  api: AccountApi,
  { name, ifVersion, shared, lenient }: Push,
  directory: string,
): Promise<Refused | Pushed> {
  const read = await readTemplateFolder(directory, shared, { lenient });
  if (read.status === "broken") return { status: "refused", problems: problemLines(read.problems) };
  const { template, changed, previousTitle } = await api.call("PUT /templates/{template}", {
    path: namedTemplate(name ?? read.folder),
    query: lenient ? { lenient: "1" } : {},
    header: ifVersion === undefined ? {} : { "If-Match": `"${ifVersion}"` },
    body: new Blob([templateZip(read.files)], { type: "application/zip" }),
  });
  const warnings = [...replacementWarnings(template, changed ? previousTitle : null), ...read.warnings];
  return { status: changed ? "changed" : "unchanged", template: shownTemplate(template), warnings };
}

/** A push that changes the title may have replaced a different template whose folder happens to have the same name. */
function replacementWarnings({ folder, title, version }: TemplateRecord, previous: string | null): FileWarning[] {
  if (previous === null || previous === title) return [];
  const undo = `\`rollback ${folder} --to ${version - 1}\` undoes it`;
  const message = `this replaces version ${version - 1} of “${folder}”, whose title was “${previous}”; ${undo}`;
  return [{ file: "template.json", line: 1, message }];
}

/** Returns a line for the template, and one for each problem. Warnings of an unchanged template have been shown before. */
function resultLines(result: FoundResult): string[] {
  const name = printable(result.folder);
  const indented = (lines: string[]) => lines.map((line) => `  ${line}`);
  if (result.status === "refused") return [`refused    ${name}`, ...indented(result.problems.map(printable))];
  const { status, template, warnings } = result;
  const line = `${status.padEnd(9)}  ${name}  version=${template.version}  id=${printable(template.id)}`;
  return status === "changed" ? [line, ...indented(warningLines(warnings))] : [line];
}
