// The commands for the templates of an account.
import { option, UsageError, versionNumber, type FileCommand, type Options } from "colophon-templates/command";
import { diff, diffVersion } from "colophon-templates/diff";
import { pull, pullVersion } from "colophon-templates/pull";
import { pushTemplates } from "colophon-templates/push";
import { onService, type AccountApi } from "colophon-templates/service";
import { accountOf, ownerOf, type Command, type Commands } from "./command.ts";

export const templateCommands: Commands = {
  "template push": {
    usage: "DIR --account ID [--id ID | --name NAME | --all] [--if-version N] [--lenient]",
    run: async (api, { id, ...options }) => {
      const account = accountOf(api, options);
      if (id !== undefined && options["all"] !== undefined)
        throw new UsageError("--id names one template, so it cannot be given with --all");
      const path = { template: id ?? "" };
      const template = id === undefined ? null : await account.call("GET /templates/{template}", { path });
      return onService(
        (api) => pushTemplates(api, { ...options, ...(template && { name: template.folder }) }),
        account,
      );
    },
  },
  "template pull": onAccount(pull, pullVersion),
  "template diff": onAccount(diff, diffVersion),
  "template list": {
    usage: "--account ID",
    run: async (api, options) => ({ templates: await Array.fromAsync(accountOf(api, options).list("GET /templates")) }),
  },
  "template delete": {
    usage: "--id ID",
    run: async (api, options) => {
      const { id, account } = await ownerOf(api, options, "template");
      return account.call("DELETE /templates/{template}", { path: { template: id } });
    },
  },
  "template versions": {
    usage: "--id ID",
    run: async (api, options) => {
      const { id, account } = await ownerOf(api, options, "template");
      const versions = account.list("GET /templates/{template}/versions", { path: { template: id } });
      return { versions: await Array.fromAsync(versions) };
    },
  },
  "template rollback": {
    usage: "--id ID --to VERSION",
    run: async (api, options) => {
      const version = versionNumber("to", option(options, "to"));
      const { id, account } = await ownerOf(api, options, "template");
      const request = { path: { template: id }, body: { version } };
      const { template, changed } = await account.call("POST /templates/{template}/rollback", request);
      return { id: template.id, version: template.version, content: `version ${version}`, changed };
    },
  },
};

/** Turns an author's command into one for the account that `--account` names, with the operator's key. */
function onAccount(
  { usage }: FileCommand,
  act: (account: AccountApi, options: Options) => ReturnType<Command["run"]>,
): Command {
  return {
    usage: `${usage} --account ID`,
    run: (api, options) => onService((account) => act(account, options), accountOf(api, options)),
  };
}
