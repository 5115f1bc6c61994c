// The type of an operator's command, and functions that several commands use.
import {
  CommandError,
  option,
  UsageError,
  type CommandForm,
  type CommandReport,
  type CommandResult,
  type Options,
} from "colophon-templates/command";
import type { ServiceApi } from "../service-api.ts";

export type Command = CommandForm & {
  /** Returns the object that `--json` prints. */
  run(api: ServiceApi, options: Options): Promise<CommandResult | CommandReport>;
};

/** Commands by name, e.g. `account create`. */
export type Commands = Record<string, Command>;

export function accountOf(api: ServiceApi, options: Options) {
  return api.account(option(options, "account"));
}

/**
 * Returns the id given as `--id`, with the requests for the account that it belongs to. Throws if nothing of this kind has
 * the id.
 */
export async function ownerOf(api: ServiceApi, options: Options, kind: "key" | "template" | "webhook") {
  const id = option(options, "id");
  const { owners } = await api.call("GET /owners", { query: { id } });
  const owner = owners.find((found) => found.kind === kind);
  if (!owner) throw new CommandError(`there is no ${kind} ${id}`);
  return { id, account: api.account(owner.accountId) };
}

export function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const match = allowed.find((value) => value === text);
  if (match === undefined) throw new UsageError(`--${name} must be one of ${allowed.join(", ")}`);
  return match;
}
