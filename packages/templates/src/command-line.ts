// Runs a command of a program. The exit code is 0 on success and with `--help`; 1 if the command fails, with the reason on stderr; 2 if the
// arguments are wrong, with the usage on stderr.
import { parseArgs } from "node:util";
import { printable } from "colophon-base/text";
import {
  CommandError,
  isReport,
  UsageError,
  type CommandForm,
  type CommandReport,
  type CommandResult,
  type Options,
} from "./command.ts";
import { warningLines } from "./folder/problem-lines.ts";

export type Program<Command extends CommandForm> = {
  /** The command line that starts the program. */
  name: string;
  /** By name, in the order in which the usage message lists them. A name has one or two words. */
  commands: Record<string, Command>;
  /** Throws if the options cannot be combined. */
  checkOptions?(options: Options): void;
  run(command: Command, options: Options): Promise<CommandResult | CommandReport>;
  /** The options of all commands in addition to their own. Options without a value have the type "boolean". */
  commonOptions?(command: Command): Record<string, "string" | "boolean">;
  /** The part of the usage message about these options. */
  commonUsage?: string;
  /** Returns one line for an error that is not a `CommandError`. */
  errorLine(error: unknown): string;
};

export async function runCommandLine<Command extends CommandForm>(
  program: Program<Command>,
  args: string[],
): Promise<number> {
  const isHelp = (arg: string) => arg === "--help" || arg === "-h";
  const name = commandIn(program, args);
  const command = name === undefined ? undefined : program.commands[name];
  if (args.some(isHelp)) {
    console.log(usageOf(program, name));
    return 0;
  }
  if (name === undefined || !command) {
    const unknown = args.length > 0 ? `there is no command "${args.slice(0, 2).join(" ")}"\n` : "";
    console.error(unknown + usageOf(program));
    return 2;
  }
  try {
    return await runCommand(program, command, optionsIn(program, command, args.slice(name.split(" ").length)));
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : program.errorLine(error));
    if (!(error instanceof UsageError)) return 1;
    console.error(usageOf(program, name));
    return 2;
  }
}

async function runCommand<Command extends CommandForm>(
  program: Program<Command>,
  command: Command,
  options: Options,
): Promise<number> {
  const isJson = options["json"] === "on";
  const result = await program.run(command, options);
  if (isReport(result)) {
    console.log(isJson ? JSON.stringify(result.entries) : result.lines.join("\n"));
    return result.hasFailures ? 1 : 0;
  }
  if (isJson) console.log(JSON.stringify(result));
  else print(result, command.text);
  return 0;
}

/** Returns the name of the command at the beginning of the arguments. */
function commandIn<Command extends CommandForm>({ commands }: Program<Command>, args: string[]): string | undefined {
  return [2, 1].map((words) => args.slice(0, words).join(" ")).find((words) => Object.hasOwn(commands, words));
}

function usageOf<Command extends CommandForm>(program: Program<Command>, name?: string): string {
  const { commands, commonUsage = "", commonOptions } = program;
  const command = name === undefined ? undefined : commands[name];
  if (command) {
    const common = Object.keys(commonOptions?.(command) ?? {}).length > 0 ? commonUsage : "";
    return `usage: ${program.name} ${name} ${command.usage} [--json] ${common}`.trimEnd();
  }
  const lines = Object.entries(commands).map(([each, { usage }]) => `  ${each} ${usage}`.trimEnd());
  return [`usage: ${program.name} <command> [--json] ${commonUsage}`.trimEnd(), ...lines].join("\n");
}

/** Throws `UsageError` if the arguments are wrong. */
function optionsIn<Command extends CommandForm>(program: Program<Command>, command: Command, args: string[]): Options {
  try {
    const options = optionsOf(command, program.commonOptions?.(command) ?? {}, args);
    program.checkOptions?.(options);
    return options;
  } catch (error) {
    // Leaves out Node's advice on arguments that begin with a dash, which does not apply here.
    throw new UsageError(program.errorLine(error).replace(/\. To specify a positional .*/, ""), { cause: error });
  }
}

function optionsOf(command: CommandForm, common: Record<string, "string" | "boolean">, args: string[]): Options {
  const { types, required, names } = declaredIn(command);
  const declared = Object.entries({ ...types, ...common, json: "boolean" as const }).map(([name, type]) => {
    const short = command.shortNames?.[name];
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: names.length > 0,
    options: Object.fromEntries(declared),
  });
  const entries = Object.entries(values).map(([name, value]) => [name, value === true ? "on" : value]);
  const options = Object.fromEntries(entries) as Options;
  if (positionals.length !== names.length) throw new Error(`give exactly one ${names.join(" and one ")}`);
  for (const [index, name] of names.entries()) options[name] = positionals[index];
  const missing = required.filter((name) => !options[name]);
  if (missing.length > 0) throw new Error(`missing: ${missing.map((name) => `--${name}`).join(", ")}`);
  return options;
}

/** Returns the types of the options in a command's usage, and the names of required options and arguments. */
function declaredIn({ usage, optional = [], shortNames = {} }: CommandForm) {
  const optionsIn = (text: string) => [...text.matchAll(/--([a-z-]+)( [^-|[\]\s][^\]\s]*)?/g)];
  const types = optionsIn(usage).map(([, name = "", value]) => [name, value ? "string" : "boolean"] as const);
  const short = Object.keys(shortNames).map((name) => [name, "string"] as const);
  const [always = ""] = usage.replace(/\[[^\]]*\]/g, "").split(" | ");
  const shown = optionsIn(always);
  const words = shown.reduce((text, [option]) => text.replace(option, ""), always);
  return {
    types: Object.fromEntries([...types, ...short]),
    required: shown.map(([, name = ""]) => name).filter((name) => !optional.includes(name)),
    names: words.match(/\S+/g) ?? [],
  };
}

function print({ warnings = [], ...result }: CommandResult, text: CommandForm["text"] = readable): void {
  for (const line of warningLines(warnings)) console.error(line);
  console.log(text(result));
}

/** Returns the result as text for people, with one line of `key=value` pairs per item. Programs use `--json`. */
function readable(result: object): string {
  const line = (value: unknown): string =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(
            ([key, entry]) => `${key}=${typeof entry === "object" ? JSON.stringify(entry) : printable(String(entry))}`,
          )
          .join("  ")
      : String(value);
  return Object.entries(result)
    .map(([key, value]) => {
      if (Array.isArray(value)) return value.length > 0 ? value.map(line).join("\n") : `${key}: none`;
      return typeof value === "object" && value !== null ? line(value) : `${key}=${String(value)}`;
    })
    .join("\n");
}
