// The commands for the templates of an account.
import { option, UsageError } from "colophon-templates/command";
import { manageApi } from "colophon-templates/manage-api";
import { pushTemplates } from "colophon-templates/push";
import { accountPath, pathOfId, type Commands } from "./command.ts";

export const templateCommands: Commands = {
  "template push": {
    usage: "DIR --account ID [--id ID | --name NAME | --all] [--lenient]",
    required: ["account"],
    optional: ["id", "name"],
    flags: ["all", "lenient"],
    positional: "DIR",
    run: async (api, { id, ...options }) => {
      const path = accountPath(options);
      if (id !== undefined && options["all"] !== undefined)
        throw new UsageError("--id names one template, so it cannot be given with --all");
      type Named = { folder: string };
      const known = id === undefined ? null : await api.call<Named>("GET", `${path}/templates/${id}`);
      const account = manageApi({ base: api.base + path, key: api.key });
      return pushTemplates(account, { ...options, ...(known && { name: known.folder }) });
    },
  },
  "template list": {
    usage: "--account ID",
    required: ["account"],
    run: async (api, options) => ({ templates: await api.list(`${accountPath(options)}/templates`, "templates") }),
  },
  "template delete": {
    usage: "--id ID",
    required: ["id"],
    run: async (api, options) => api.call("DELETE", await pathOfId(api, options, "template")),
  },
  "template versions": {
    usage: "--id ID",
    required: ["id"],
    run: async (api, options) => ({
      versions: await api.list(`${await pathOfId(api, options, "template")}/versions`, "versions"),
    }),
  },
  "template rollback": {
    usage: "--id ID --to VERSION",
    required: ["id", "to"],
    run: async (api, options) => {
      const version = versionNumber(option(options, "to"));
      const path = `${await pathOfId(api, options, "template")}/rollback`;
      type Rollback = { template: { id: string; version: number }; changed: boolean };
      const { template, changed } = await api.call<Rollback>("POST", path, { version });
      return { id: template.id, version: template.version, content: `version ${version}`, changed };
    },
  },
};

function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--to must be the number of a version, got ${JSON.stringify(text)}`);
}
