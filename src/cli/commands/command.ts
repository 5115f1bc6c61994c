// The type of an operator's command, and functions that read the options of a command.
import {
  CommandError,
  option,
  type CommandForm,
  type CommandReport,
  type CommandResult,
  type Options,
} from "colophon-templates/command";
import type { OperatorServices } from "../../ports/services.ts";

export type Command = CommandForm & {
  /** Returns the object that `--json` prints. */
  run(services: OperatorServices, options: Options): Promise<CommandResult | CommandReport>;
};

/** Commands by name, e.g. `account create`. */
export type Commands = Record<string, Command>;

/** Returns the id given as `--account`. Throws when there is no such account. */
export async function accountOption(
  { accounts }: Pick<OperatorServices, "accounts">,
  options: Options,
): Promise<string> {
  const id = option(options, "account");
  if (!(await accounts.findAccount(id))) throw noAccount(id);
  return id;
}

export function noAccount(id: string): CommandError {
  return new CommandError(`there is no account ${id}`);
}

export function noTemplate(id: string): CommandError {
  return new CommandError(`there is no template ${id}`);
}

export function iso(ms: number): string;
export function iso(ms: number | null): string | null;
export function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
