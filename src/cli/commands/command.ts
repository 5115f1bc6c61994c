// The type of an operator's command, and functions that several of them use.
import {
  CommandError,
  option,
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

/** Returns the path of the account given as `--account`. */
export function accountPath(options: Options): string {
  return `/accounts/${encodeURIComponent(option(options, "account"))}`;
}

/** Returns the path of what has the id given as `--id`, in its account. Throws if there is nothing of this kind. */
export async function pathOfId(api: ServiceApi, options: Options, kind: string): Promise<string> {
  const id = option(options, "id");
  const { owners } = await api.call<{ owners: { kind: string; accountId: string }[] }>(
    "GET",
    `/owners?id=${encodeURIComponent(id)}`,
  );
  const owner = owners.find((found) => found.kind === kind);
  if (!owner) throw new CommandError(`there is no ${kind} ${id}`);
  return `/accounts/${owner.accountId}/${kind}s/${encodeURIComponent(id)}`;
}
