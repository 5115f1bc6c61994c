// `npm run -s cli -- <noun> <verb>`: runs a command of the operator or of an author.
import { messageOf } from "colophon-base/message-of";
import { authorCommands } from "colophon-templates/author-commands";
import type { FileCommand } from "colophon-templates/command";
import { runCommandLine, type Program } from "colophon-templates/command-line";
import { accountTransferCommands } from "./commands/account-transfer.ts";
import { accountCommands } from "./commands/accounts.ts";
import { batchCommands } from "./commands/batches.ts";
import type { Command } from "./commands/command.ts";
import { repairCommands } from "./commands/repair.ts";
import { templateCommands } from "./commands/templates.ts";
import { webhookCommands } from "./commands/webhooks.ts";
import { commandError, serviceApi } from "./service-api.ts";

const templateTools = Object.entries(authorCommands).map(([name, command]) => [`template ${name}`, command]);

/** All commands, in the order in which the usage message lists them. */
const commands: Record<string, Command | FileCommand> = {
  ...accountCommands,
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

function errorLine(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return messageOf(cause).split("\n")[0] ?? "failed";
}

process.exitCode = await runCommandLine(program, process.argv.slice(2));
