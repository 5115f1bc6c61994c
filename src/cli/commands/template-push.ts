// The command that pushes a template folder, or all template folders in a folder.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { templateSummary, type FileWarning, type Template } from "colophon-template-model/template";
import type { TemplateFiles } from "colophon-template-model/template-files";
import { pushTemplate } from "../../operations/templates/push-template.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { printable } from "colophon-base/text";
import { errorLine } from "../error-line.ts";
import { problemLines, warningLines } from "colophon-templates/problem-lines";
import { readSharedFolder, readTemplateFolder } from "colophon-templates/template-folder";
import {
  CommandError,
  UsageError,
  isLenient,
  option,
  type CommandReport,
  type CommandResult,
  type Options,
} from "colophon-templates/command";
import { accountOption } from "./command.ts";

/** A push of many templates works on this many at once. More gain nothing, because validation takes processor time. */
const maxConcurrentPushes = 8;

export async function pushTemplates(
  services: OperatorServices,
  options: Options,
): Promise<CommandResult | CommandReport> {
  const directory = option(options, "DIR");
  if (options["all"] === undefined) return pushOne(services, options, directory);
  if (options["id"] !== undefined) throw new UsageError("--id names one template, so it cannot be given with --all");
  return pushAll(services, options, directory);
}

async function pushOne(services: OperatorServices, options: Options, directory: string): Promise<CommandResult> {
  const pushed = await pushFolder(
    services,
    { accountId: () => accountOption(services, options), id: options["id"], lenient: isLenient(options) },
    directory,
  );
  if (pushed.status === "refused") throw new CommandError(pushed.problems.join("\n"));
  const { template, status, warnings, moreWarnings } = pushed;
  const result = { template, changed: status === "changed", warnings };
  return moreWarnings > 0 ? { ...result, moreWarnings } : result;
}

async function pushAll(services: OperatorServices, options: Options, directory: string): Promise<CommandReport> {
  const accountId = await accountOption(services, options);
  const found = await foundTemplates(directory);
  const shared = await readSharedFolder(resolve(directory));
  const push = { accountId: async () => accountId, shared, lenient: isLenient(options) };
  const results: FolderResult[] = [];
  const queue = found.entries();
  const pushQueued = async () => {
    for (const [index, folder] of queue) results[index] = await pushFound(services, push, directory, folder);
  };
  await Promise.all(Array.from({ length: maxConcurrentPushes }, pushQueued));
  return {
    entries: results,
    lines: results.flatMap(resultLines),
    hasFailures: results.some(({ status }) => status === "refused"),
  };
}

/** Returns the folders that contain a `template.json`, by name. Hidden folders and symbolic links are left out. */
async function foundTemplates(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw new CommandError(printable(`${directory} cannot be read: ${errorLine(error)}`));
  });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const names = folders.map(({ name }) => name).filter((name) => existsSync(join(directory, name, "template.json")));
  if (names.length > 0) return names.sort();
  throw new CommandError(printable(`there is no template in ${directory}: no folder in it has a template.json`));
}

/** If `lenient`, mistakes that do not prevent a render are warnings. */
type Push = { accountId(): Promise<string>; id?: string | undefined; shared?: TemplateFiles; lenient: boolean };

type Refused = { status: "refused"; problems: string[] };
type Pushed = {
  status: "changed" | "unchanged";
  template: ReturnType<typeof templateLine>;
  warnings: FileWarning[];
  moreWarnings: number;
};
type FolderResult = { folder: string } & (Refused | Pushed);

/** Never rejects, so that the other templates are pushed. */
async function pushFound(
  services: OperatorServices,
  push: Push,
  directory: string,
  folder: string,
): Promise<FolderResult> {
  try {
    return { folder, ...(await pushFolder(services, push, join(directory, folder))) };
  } catch (error) {
    return { folder, status: "refused", problems: [errorLine(error)] };
  }
}

/** Reads the folder before the account, so that its problems are reported first. */
async function pushFolder(services: OperatorServices, push: Push, directory: string): Promise<Refused | Pushed> {
  const read = await readTemplateFolder(directory, push.shared, { lenient: push.lenient });
  if (read.status === "broken") return { status: "refused", problems: problemLines(read.problems) };
  const { folder, content, moreWarnings } = read;
  const accountId = await push.accountId();
  const result = await pushTemplate(services, { accountId, id: push.id, folder, content });
  if (result.status === "not_found") throw new CommandError(`the account has no template ${push.id}`);
  if (result.status === "overtaken") {
    throw new CommandError("another push changed this template at the same time; push again");
  }
  const status = result.changed ? "changed" : "unchanged";
  const warnings = [...replacementWarnings(folder, result.template, result.previous), ...read.warnings];
  return { status, template: templateLine(result.template), warnings, moreWarnings };
}

/** A push that changes the title may have replaced a different template, whose folder happens to have the same name. */
function replacementWarnings(folder: string, { id, manifest }: Template, previous: Template | null): FileWarning[] {
  if (!previous || previous.manifest.title === manifest.title) return [];
  const { version, manifest: earlier } = previous;
  const undo = `\`template rollback --id ${id} --to ${version}\` undoes it`;
  const message = `this replaces version ${version} of “${folder}”, whose title was “${earlier.title}”; ${undo}`;
  return [{ file: "template.json", line: 1, message }];
}

/** Returns a line for the template, and one for each problem. The warnings of an unchanged template have been shown before. */
function resultLines(result: FolderResult): string[] {
  const name = printable(result.folder);
  const indented = (lines: string[]) => lines.map((line) => `  ${line}`);
  if (result.status === "refused") return [`refused    ${name}`, ...indented(result.problems.map(printable))];
  const { status, template, warnings, moreWarnings } = result;
  const line = `${status.padEnd(9)}  ${name}  version=${template.version}  id=${template.id}`;
  return status === "changed" ? [line, ...indented(warningLines(warnings, moreWarnings))] : [line];
}

export function templateLine(template: Template) {
  return { version: template.version, ...templateSummary(template) };
}
