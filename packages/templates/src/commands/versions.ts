// The commands for the templates of an account and their versions on a service.
import { option, versionNumber, type FileCommand } from "../command.ts";
import { namedTemplate, onService, shownTemplate } from "../service/service.ts";

export const list: FileCommand = {
  usage: "",
  runOnFiles: () =>
    onService(async ({ list }) => ({ templates: await Array.fromAsync(list("GET /templates"), shownTemplate) })),
};

export const versions: FileCommand = {
  usage: "NAME",
  runOnFiles: (options) =>
    onService(async ({ list }) => {
      const path = namedTemplate(option(options, "NAME"));
      return { versions: await Array.fromAsync(list("GET /templates/{template}/versions", { path })) };
    }),
};

/** Versions never change, so this adds a version with the content of an earlier one. */
export const rollback: FileCommand = {
  usage: "NAME --to VERSION",
  runOnFiles: async (options) => {
    const version = versionNumber("to", option(options, "to"));
    const path = namedTemplate(option(options, "NAME"));
    const request = { path, body: { version } };
    const { template, changed } = await onService(({ call }) => call("POST /templates/{template}/rollback", request));
    return { template: shownTemplate(template), content: `version ${version}`, changed };
  },
};
