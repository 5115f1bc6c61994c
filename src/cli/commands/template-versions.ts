// The commands for the versions of a template: list them, and go back to one.
import type { Template } from "colophon-template-model/template";
import { rollBackTemplate } from "../../operations/templates/roll-back-template.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { CommandError, UsageError, option, type Options } from "colophon-templates/command";
import { iso, noTemplate, type Commands } from "./command.ts";

export const templateVersionCommands: Commands = {
  "template versions": {
    usage: "--id ID",
    required: ["id"],
    run: listVersions,
  },
  "template rollback": {
    usage: "--id ID --to VERSION",
    required: ["id", "to"],
    run: rollBack,
  },
};

async function listVersions({ templates }: OperatorServices, options: Options) {
  const id = templateId(options);
  const versions = await templates.listVersions(id);
  if (versions.length === 0) throw noTemplate(id);
  return { versions: versions.map(versionLine) };
}

async function rollBack(services: OperatorServices, options: Options) {
  const id = templateId(options);
  const version = versionNumber(option(options, "to"));
  const result = await rollBackTemplate(services, { id, version });
  if (result.status === "not_found") throw noTemplate(id);
  if (result.status === "no_version") {
    throw new CommandError(`the template has no version ${version}; its versions are 1 to ${result.newest}`);
  }
  if (result.status === "overtaken") throw new CommandError("a push changed this template at the same time; try again");
  return { id, version: result.template.version, content: `version ${version}`, changed: result.changed };
}

function templateId(options: Options): string {
  return option(options, "id").toLowerCase();
}

function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--to must be the number of a version, got ${JSON.stringify(text)}`);
}

function versionLine({ version, contentHash, manifest, pagesCount, updatedAt }: Template) {
  return { version, createdAt: iso(updatedAt), title: manifest.title, pagesCount, contentHash };
}
