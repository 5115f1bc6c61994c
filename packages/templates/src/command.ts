// The form of a command, and functions that read its options.
import type { FileWarning } from "colophon-template-model/template";

export type Options = Record<string, string | undefined>;

/** A command that opens no database: it works on files, or is a client of a service. */
export type FileCommand = CommandForm & { runOnFiles(options: Options): Promise<CommandResult | CommandReport> };

export type CommandForm = {
  /**
   * The arguments in the usage message, such as `DIR --to VERSION [--force]`: an option without a word after it is a flag, whose value in
   * `options` is `on`, and options in brackets are optional.
   */
  usage: string;
  /** Optional options that are not in brackets. */
  optional?: string[];
  /** One-letter forms of options, by name. */
  shortNames?: Record<string, string>;
  /** Returns the output without `--json`, if it is not one line of `key=value` pairs per item. */
  text?(result: Record<string, unknown>): string;
};

/** Without `--json`, the warnings are printed to stderr. */
export type CommandResult = object & { warnings?: (FileWarning | string)[] };

/**
 * The result of a command that acts on several things, each of which can fail independently. `--json` prints `entries`. If
 * `hasFailures` is true, the command exits with 1.
 */
export type CommandReport = { entries: object[]; lines: string[]; hasFailures: boolean };

export function isReport(result: CommandResult | CommandReport): result is CommandReport {
  return "entries" in result && "hasFailures" in result;
}

export type FileCommands = Record<string, FileCommand>;

/** Thrown if a command cannot do its work. The message has one line per problem. */
export class CommandError extends Error {}

/** Thrown if the arguments cannot be combined or a value is not allowed. The usage follows the message. */
export class UsageError extends CommandError {}

/** Returns whether `--lenient` is given: mistakes that do not prevent a render are then warnings. */
export function isLenient(options: Options): boolean {
  return options["lenient"] === "on";
}

export function versionNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} must be a version number, got ${JSON.stringify(text)}`);
}

/** Returns undefined if the option is not given. */
export function versionOption(options: Options, name: string): number | undefined {
  const text = options[name];
  return text === undefined ? undefined : versionNumber(name, text);
}

/** Returns the value of a required option or of the positional argument, whose presence has already been checked. */
export function option(options: Options, name: string): string {
  const value = options[name];
  if (value === undefined) throw new Error(`the option ${name} is missing`);
  return value;
}
