// `npm run -s cli -- <noun> <verb>`: runs an operator's command, or one of an author's.
import { authorCommands } from "colophon-templates/author-commands";
import type { FileCommand } from "colophon-templates/command";
import { runCommandLine, type Program } from "colophon-templates/command-line";
import { operatorServices } from "../services/operator-services.ts";
import { withBindings } from "./bindings.ts";
import { accountDataCommands } from "./commands/account-data.ts";
import { accountCommands } from "./commands/accounts.ts";
import { batchCommands } from "./commands/batches.ts";
import type { Command } from "./commands/command.ts";
import { repairCommands } from "./commands/repair.ts";
import { templateVersionCommands } from "./commands/template-versions.ts";
import { templateCommands } from "./commands/templates.ts";
import { webhookCommands } from "./commands/webhooks.ts";
import { errorLine } from "./error-line.ts";

const templateTools = Object.entries(authorCommands).map(([name, command]) => [`template ${name}`, command]);

/** All commands, in the order in which the usage message lists them. */
const commands: Record<string, Command | FileCommand> = {
  ...accountCommands,
  ...accountDataCommands,
  ...Object.fromEntries(templateTools),
  ...templateCommands,
  ...templateVersionCommands,
  ...batchCommands,
  ...webhookCommands,
  ...repairCommands,
};

const noOptions: Record<string, "string" | "boolean"> = {};

const program: Program<Command | FileCommand> = {
  name: "npm run -s cli --",
  commands,
  commonOptions: (command) => ("run" in command ? { remote: "boolean", env: "string" } : noOptions),
  commonUsage: "[--remote [--env staging]]",
  async run(command, { remote, env, ...options }) {
    if ("runOnFiles" in command) return command.runOnFiles(options);
    const target = { remote: remote === "on", env };
    return withBindings(target, (bindings) => command.run(operatorServices(bindings), options));
  },
  checkOptions({ remote, env }) {
    if (env !== undefined && remote !== "on") throw new Error("--env is only for --remote");
  },
  errorLine,
};

process.exitCode = await runCommandLine(program, process.argv.slice(2));
