// `npm run -s cli -- <noun> <verb>`: runs an operator's command. Exits with 0 on success. Exits with 1 if the command
// fails, and prints the reason to stderr. Exits with 2 if the arguments are wrong, and prints the usage.
import { parseArgs } from "node:util";
import { operatorServices } from "../services/operator-services.ts";
import { withBindings, type Target } from "./bindings.ts";
import { accountCommands } from "./commands/accounts.ts";
import { accountDataCommands } from "./commands/account-data.ts";
import {
  CommandError,
  isReport,
  type Command,
  type CommandReport,
  type CommandResult,
  type FileCommand,
  type Options,
} from "./commands/command.ts";
import { repairCommands } from "./commands/repair.ts";
import { templateAuthoringCommands } from "./commands/template-authoring.ts";
import { templateVersionCommands } from "./commands/template-versions.ts";
import { templateDevCommands } from "./commands/template-dev.ts";
import { templateCommands } from "./commands/templates.ts";
import { webhookCommands } from "./commands/webhooks.ts";
import { errorLine } from "./error-line.ts";
import { warningLines } from "./templates/problem-lines.ts";

/** All commands, in the order in which the usage message lists them. */
const commands: Record<string, Command | FileCommand> = {
  ...accountCommands,
  ...accountDataCommands,
  ...templateAuthoringCommands,
  ...templateCommands,
  ...templateVersionCommands,
  ...templateDevCommands,
  ...webhookCommands,
  ...repairCommands,
};

const targetOptions = { remote: { type: "boolean" }, env: { type: "string" } } as const;
const targetUsage = "[--remote [--env staging]]";

type Invocation = { command: Command | FileCommand; options: Options; json: boolean; target: Target };

async function main(): Promise<number> {
  const invocation = parseInvocation(process.argv.slice(2));
  if (typeof invocation === "string") {
    console.error(invocation);
    return 2;
  }
  const { command, options, json, target } = invocation;
  try {
    const result = await resultOf(command, options, target);
    if (isReport(result)) {
      console.log(json ? JSON.stringify(result.entries) : result.lines.join("\n"));
      return result.hasFailures ? 1 : 0;
    }
    if (json) console.log(JSON.stringify(result));
    else print(result, command.text);
    return 0;
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : errorLine(error));
    return 1;
  }
}

function resultOf(
  command: Command | FileCommand,
  options: Options,
  target: Target,
): Promise<CommandResult | CommandReport> {
  if ("runOnFiles" in command) return command.runOnFiles(options);
  return withBindings(target, (bindings) => command.run(operatorServices(bindings), options));
}

/** Returns the invocation, or a message that says what is wrong with the arguments. */
function parseInvocation(args: string[]): Invocation | string {
  const { name, command } = findCommand(args);
  if (!command) return name === "" ? usage() : `there is no command "${name}"\n${usage()}`;
  const usageLine =
    `usage: npm run -s cli -- ${name} ${command.usage} [--json] ${"run" in command ? targetUsage : ""}`.trimEnd();
  try {
    return { command, ...parseOptions(command, args.slice(name.split(" ").length)) };
  } catch (error) {
    return `${errorLine(error)}\n${usageLine}`;
  }
}

/** Finds the command whose name is the first two words, or else the first word. */
function findCommand(args: string[]): { name: string; command: Command | FileCommand | undefined } {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(" ");
    if (Object.hasOwn(commands, name)) return { name, command: commands[name] };
  }
  return { name: args.slice(0, 2).join(" "), command: undefined };
}

function parseOptions(command: Command | FileCommand, args: string[]): Omit<Invocation, "command"> {
  const names = [...command.required, ...(command.optional ?? [])];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: command.positional !== undefined,
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
      ...Object.fromEntries((command.flags ?? []).map((name) => [name, { type: "boolean" as const }])),
      json: { type: "boolean" },
      ...("run" in command ? targetOptions : {}),
    },
  });
  const given = Object.entries(values).map(([name, value]) => [name, value === true ? "on" : value]);
  const options = Object.fromEntries(given) as Options;
  if (command.positional) {
    if (positionals.length !== 1) throw new Error(`give exactly one ${command.positional}`);
    options[command.positional] = positionals[0];
  }
  const missing = command.required.filter((name) => !options[name]);
  if (missing.length > 0) throw new Error(`missing: ${missing.map((name) => `--${name}`).join(", ")}`);
  const target = { remote: options["remote"] === "on", env: options["env"] };
  if (target.env !== undefined && !target.remote) throw new Error("--env is only for --remote");
  return { options, json: options["json"] === "on", target };
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${name} ${command.usage}`.trimEnd());
  return [`usage: npm run -s cli -- <command> [--json] ${targetUsage}`, ...lines].join("\n");
}

function print({ warnings = [], moreWarnings = 0, ...result }: CommandResult, text: Command["text"] = readable): void {
  for (const line of warningLines(warnings, moreWarnings)) console.error(line);
  console.log(text(result));
}

/** Returns the result as text for people, with one line of `key=value` pairs for each item. Programs use `--json`. */
function readable(result: object): string {
  const line = (value: unknown): string =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(([key, entry]) => `${key}=${typeof entry === "object" ? JSON.stringify(entry) : entry}`)
          .join("  ")
      : String(value);
  return Object.entries(result)
    .map(([key, value]) => {
      if (Array.isArray(value)) return value.length > 0 ? value.map(line).join("\n") : `${key}: none`;
      return typeof value === "object" && value !== null ? line(value) : `${key}=${String(value)}`;
    })
    .join("\n");
}

process.exitCode = await main();
