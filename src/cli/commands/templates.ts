// The commands for templates.
import { option } from "colophon-templates/command";
import { accountOption, noTemplate, type Commands } from "./command.ts";
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
      return { templates: templates.map(({ folder, ...template }) => ({ folder, ...templateLine(template) })) };
    },
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
