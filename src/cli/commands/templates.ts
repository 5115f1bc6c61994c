// The commands for templates.
import { dataTypeModule, dataTypeName, isTypeName } from "../../core/templates/data-type.ts";
import { templateSummary, type Template } from "../../core/templates/template.ts";
import { pushTemplate } from "../../operations/templates/push-template.ts";
import { problemLines } from "../templates/problem-lines.ts";
import { readTemplateFolder } from "../templates/template-folder.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { accountOption, CommandError, option, type CommandResult, type Commands, type Options } from "./command.ts";

export const templateCommands: Commands = {
  "template push": {
    usage: "DIR --account ID [--id ID] [--lenient]",
    required: ["account"],
    optional: ["id"],
    flags: ["lenient"],
    positional: "DIR",
    run: push,
  },
  "template list": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => {
      const templates = await services.templates.listAll(await accountOption(services, options));
      return { templates: templates.map(templateLine) };
    },
  },
  "template types": {
    usage: "--id ID [--name Invoice]",
    required: ["id"],
    optional: ["name"],
    run: types,
    text: ({ types }) => String(types).trimEnd(),
  },
  "template delete": {
    usage: "--id ID",
    required: ["id"],
    run: async ({ templates }, options) => {
      const id = option(options, "id");
      if (!(await templates.remove(id))) throw noTemplate(id);
      return { id, deleted: true };
    },
  },
};

async function push(services: OperatorServices, options: Options): Promise<CommandResult> {
  const read = await readTemplateFolder(option(options, "DIR"), undefined, { lenient: options["lenient"] === "on" });
  if (read.status === "broken") {
    throw new CommandError(problemLines(read.problems).join("\n"));
  }
  const accountId = await accountOption(services, options);
  const { folder, content, warnings, moreWarnings } = read;
  const result = await pushTemplate(services, { accountId, id: options["id"], folder, content });
  if (result.status === "not_found") throw new CommandError(`the account has no template ${options["id"]}`);
  if (result.status === "overtaken") {
    throw new CommandError("another push changed this template at the same time; push again");
  }
  const pushed = { template: templateLine(result.template), changed: result.changed, warnings };
  return moreWarnings > 0 ? { ...pushed, moreWarnings } : pushed;
}

/** Returns the TypeScript type of the data of the template's newest version. */
async function types({ templates }: OperatorServices, options: Options) {
  const id = option(options, "id").toLowerCase();
  const template = await templates.findById(id);
  if (!template) throw noTemplate(id);
  const name = options["name"] ?? dataTypeName(template.manifest.title);
  if (!isTypeName(name)) {
    throw new CommandError(
      `--name must begin with a capital letter and consist of letters, digits and _, got ${JSON.stringify(name)}`,
    );
  }
  return { name, version: template.version, types: dataTypeModule(template, name) };
}

function noTemplate(id: string): CommandError {
  return new CommandError(`there is no template ${id}`);
}

function templateLine(template: Template) {
  return { version: template.version, ...templateSummary(template) };
}
