// The files of a version as the service has stored them. What it sent is validated as an upload would be.
import type { TemplateFile } from "colophon-template-model/template-files";
import { readTemplateZip } from "colophon-template-model/template-zip";
import { CommandError, versionOption, type Options } from "../command.ts";
import { problemLines } from "../folder/problem-lines.ts";
import { namedTemplate, type AccountApi } from "./service.ts";

/** Returns the files of the version that `--version` names, or else of the newest. */
export async function versionFiles(
  api: AccountApi,
  name: string,
  options: Options,
): Promise<{ version: number; files: TemplateFile[] }> {
  const path = namedTemplate(name);
  const newest = async () => (await api.call("GET /templates/{template}", { path })).version;
  const version = versionOption(options, "version") ?? (await newest());
  const { blob } = await api.file("GET /templates/{template}/versions/{version}/files", { path: { ...path, version } });
  const { files, problems } = readTemplateZip(new Uint8Array(await blob.arrayBuffer()));
  if (problems.length === 0) return { version, files };
  throw new CommandError(
    ["the service sent files that are not those of a template:", ...problemLines(problems)].join("\n"),
  );
}
