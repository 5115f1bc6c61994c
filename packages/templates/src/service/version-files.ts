// The files of a version as the service has stored them. What it sent is validated as an upload would be.
import type { TemplateFile } from "colophon-template-model/template-files";
import { readTemplateZip } from "colophon-template-model/template-zip";
import { CommandError, versionOption, type Options } from "../command.ts";
import { problemLines } from "../folder/problem-lines.ts";
import type { ManageApi } from "./manage-api.ts";

/** Returns the files of the version that `--version` names, or else of the newest. */
export async function versionFiles(
  api: ManageApi,
  name: string,
  options: Options,
): Promise<{ version: number; files: TemplateFile[] }> {
  const version = versionOption(options, "version") ?? (await api.listVersions(name))[0]?.version;
  if (version === undefined) throw new CommandError("the template has no versions");
  const { files, problems } = readTemplateZip(await api.getFiles(name, version));
  if (problems.length === 0) return { version, files };
  throw new CommandError(
    ["the service sent files that are not those of a template:", ...problemLines(problems)].join("\n"),
  );
}
