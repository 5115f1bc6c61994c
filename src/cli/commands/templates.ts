// The commands for templates.
import { dataTypeModule, dataTypeName, isTypeName } from "../../core/templates/data-type.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { accountOption, CommandError, noTemplate, option, type Commands, type Options } from "./command.ts";
import { pushTemplates, templateLine } from "./template-push.ts";

export const templateCommands: Commands = {
  "template push": {
    usage: "DIR --account ID [--id ID | --all] [--lenient]",
    required: ["account"],
    optional: ["id"],
    flags: ["all", "lenient"],
    positional: "DIR",
    run: pushTemplates,
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
