// `diff DIR`: lists the differences between a template folder and a version on a service, in the format of `diff`.
import { createTwoFilesPatch, OMIT_HEADERS } from "diff";
import { counted, printable } from "colophon-base/text";
import { decodeText } from "colophon-template-model/text-file";
import { CommandError, option, type CommandReport, type FileCommand, type Options } from "../command.ts";
import { problemLines } from "../folder/problem-lines.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";
import { onService, versionFiles, type AccountApi } from "../service/service.ts";

/** A file that a push would change. `patch` is null if the file is not text or has too many changes to show. */
type Difference =
  | { file: string; change: "added" | "removed" }
  | { file: string; change: "changed"; patch: string[] | null };

/** The maximum number of printed lines of a patch. `--json` prints all of them. */
const maxLines = 500;
/** The number of changed lines, and the time in ms, after which comparing a file stops. */
const limits = { context: 3, headerOptions: OMIT_HEADERS, maxEditLength: 5_000, timeout: 2_000 };

export const diff: FileCommand = {
  usage: "DIR [--name NAME] [--version N]",
  runOnFiles: (options) => onService((api) => diffVersion(api, options)),
};

export async function diffVersion(api: AccountApi, options: Options): Promise<CommandReport> {
  const read = await readTemplateFolder(option(options, "DIR"), undefined, { lenient: true });
  if (read.status === "broken") throw new CommandError(problemLines(read.problems).join("\n"));
  const name = options["name"] ?? read.folder;
  const { version, files } = await versionFiles(api, name, options);
  const [before, after] = [files, read.files].map((all) => new Map(all.map(({ path, bytes }) => [path, bytes])));
  const entries = differences(before ?? new Map(), after ?? new Map());
  const none = printable(`no differences from version ${version} of “${name}”`);
  return {
    entries,
    lines: entries.length > 0 ? entries.flatMap(linesOf) : [none],
    hasFailures: entries.length > 0,
  };
}

type Files = ReadonlyMap<string, Uint8Array>;

function differences(before: Files, after: Files): Difference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((file): Difference[] => {
    const [old, current] = [before.get(file), after.get(file)];
    if (!old || !current) return [{ file, change: old ? "removed" : "added" }];
    return Buffer.compare(old, current) === 0 ? [] : [{ file, change: "changed", patch: patchOf(old, current) }];
  });
}

function patchOf(old: Uint8Array, current: Uint8Array): string[] | null {
  const [before, after] = [decodeText(old), decodeText(current)];
  if (before.status !== "text" || after.status !== "text") return null;
  const patch = createTwoFilesPatch("", "", before.text, after.text, "", "", limits);
  return patch === undefined ? null : patch.replace(/\n$/, "").split("\n");
}

function linesOf(difference: Difference): string[] {
  const line = printable(`${difference.change.padEnd(7)}  ${difference.file}`);
  if (difference.change !== "changed" || difference.patch === null) return [line];
  const shownLines = difference.patch
    .slice(0, maxLines)
    .map((each) => `  ${each.split("\t").map(printable).join("\t")}`);
  const more = difference.patch.length - shownLines.length;
  return [line, ...shownLines, ...(more > 0 ? [`  and ${counted(more, "more line")}`] : [])];
}
