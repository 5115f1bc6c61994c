// The commands for the templates of an account.
import { option, UsageError, versionNumber, type FileCommand, type Options } from "colophon-templates/command";
import { diff, diffVersion } from "colophon-templates/diff";
import { manageApi, type ManageApi } from "colophon-templates/manage-api";
import { pull, pullVersion } from "colophon-templates/pull";
import { pushTemplates } from "colophon-templates/push";
import type { ServiceApi } from "../service-api.ts";
import { accountPath, pathOfId, type Command, type Commands } from "./command.ts";

export const templateCommands: Commands = {
  "template push": {
    usage: "DIR --account ID [--id ID | --name NAME | --all] [--if-version N] [--lenient]",
    run: async (api, { id, ...options }) => {
      const path = accountPath(options);
      if (id !== undefined && options["all"] !== undefined)
        throw new UsageError("--id names one template, so it cannot be given with --all");
      type Named = { folder: string };
      const known = id === undefined ? null : await api.call<Named>("GET", `${path}/templates/${id}`);
      return pushTemplates(accountApi(api, options), { ...options, ...(known && { name: known.folder }) });
    },
  },
  "template pull": onAccount(pull, pullVersion),
  "template diff": onAccount(diff, diffVersion),
  "template list": {
    usage: "--account ID",
    run: async (api, options) => ({ templates: await api.list(`${accountPath(options)}/templates`, "templates") }),
  },
  "template delete": {
    usage: "--id ID",
    run: async (api, options) => api.call("DELETE", await pathOfId(api, options, "template")),
  },
  "template versions": {
    usage: "--id ID",
    run: async (api, options) => ({
      versions: await api.list(`${await pathOfId(api, options, "template")}/versions`, "versions"),
    }),
  },
  "template rollback": {
    usage: "--id ID --to VERSION",
    run: async (api, options) => {
      const version = versionNumber("to", option(options, "to"));
      const path = `${await pathOfId(api, options, "template")}/rollback`;
      type Rollback = { template: { id: string; version: number }; changed: boolean };
      const { template, changed } = await api.call<Rollback>("POST", path, { version });
      return { id: template.id, version: template.version, content: `version ${version}`, changed };
    },
  },
};

/** Returns an author's command as one for the account that `--account` names, with the operator's key. */
function onAccount(
  { usage }: FileCommand,
  act: (account: ManageApi, options: Options) => ReturnType<Command["run"]>,
): Command {
  return {
    usage: `${usage} --account ID`,
    run: (api, options) => act(accountApi(api, options), options),
  };
}

/** Returns the part of the management API for the account that `--account` names. */
function accountApi({ base, key }: ServiceApi, options: Options): ManageApi {
  return manageApi({ base: base + accountPath(options), key });
}
