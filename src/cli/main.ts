// `npm run -s cli -- <noun> <verb>`: runs an operator's command, or one of an author's.
import { authorCommands } from "colophon-templates/author-commands";
import type { FileCommand } from "colophon-templates/command";
import { runCommandLine, type Program } from "colophon-templates/command-line";
import { accountDataCommands } from "./commands/account-data.ts";
import { accountTransferCommands } from "./commands/account-transfer.ts";
import { accountCommands } from "./commands/accounts.ts";
import { batchCommands } from "./commands/batches.ts";
import type { Command } from "./commands/command.ts";
import { repairCommands } from "./commands/repair.ts";
import { templateCommands } from "./commands/templates.ts";
import { webhookCommands } from "./commands/webhooks.ts";
import { errorLine } from "./error-line.ts";
import { commandError, serviceApi } from "./service-api.ts";

const templateTools = Object.entries(authorCommands).map(([name, command]) => [`template ${name}`, command]);

/** All commands, in the order in which the usage message lists them. */
const commands: Record<string, Command | FileCommand> = {
  ...accountCommands,
  ...accountDataCommands,
  ...accountTransferCommands,
  ...Object.fromEntries(templateTools),
  ...templateCommands,
  ...batchCommands,
  ...webhookCommands,
  ...repairCommands,
};

const noOptions: Record<string, "string" | "boolean"> = {};

const program: Program<Command | FileCommand> = {
  name: "npm run -s cli --",
  commands,
  commonOptions: (command) => ("run" in command ? { remote: "boolean" } : noOptions),
  commonUsage: "[--remote]",
  async run(command, { remote, ...options }) {
    if ("runOnFiles" in command) return command.runOnFiles(options);
    const api = await serviceApi(process.env, remote === "on");
    return command.run(api, options).catch((error: unknown) => {
      throw commandError(error, api);
    });
  },
  errorLine,
};

process.exitCode = await runCommandLine(program, process.argv.slice(2));
