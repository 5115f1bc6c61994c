// The commands for the templates of an account and their versions on a service.
import { option, versionNumber, type FileCommand } from "../command.ts";
import { manageApi } from "../service/manage-api.ts";

export const list: FileCommand = {
  usage: "",
  runOnFiles: async () => ({ templates: await manageApi().listTemplates() }),
};

export const versions: FileCommand = {
  usage: "NAME",
  runOnFiles: async (options) => ({ versions: await manageApi().listVersions(option(options, "NAME")) }),
};

/** Versions never change, so this adds a version with the content of an earlier one. */
export const rollback: FileCommand = {
  usage: "NAME --to VERSION",
  runOnFiles: async (options) => {
    const version = versionNumber("to", option(options, "to"));
    const { template, changed } = await manageApi().postRollback(option(options, "NAME"), version);
    return { template, content: `version ${version}`, changed };
  },
};
