// The command that deletes everything that an account has.
import { removalTimeoutMs, waitForRemoval } from "../account-removal.ts";
import { CommandError, option, type Options } from "colophon-templates/command";
import { noAccount, type Commands } from "./command.ts";
import type { OperatorServices } from "../../ports/services.ts";

export const accountDataCommands: Commands = {
  "account delete": {
    usage: "--account ID --confirm ID [--no-wait]",
    required: ["account"],
    optional: ["confirm"],
    flags: ["no-wait"],
    run: deleteAccount,
  },
};

type Deletion = { id: string; status: "deleting" | "deleted" };

/**
 * Marks the account as deleted, and waits until the service has removed its data. If the command is interrupted, the scheduled run
 * of the service continues.
 */
async function deleteAccount(services: OperatorServices, options: Options): Promise<Deletion> {
  const id = option(options, "account");
  const { archive, accounts, now } = services;
  const account = await accounts.findAccount(id);
  const isMarked = (await archive.deletedAt(id)) !== null;
  if (!account && !isMarked) throw noAccount(id);
  if (options["confirm"] !== id) {
    const name = account ? ` (${account.name})` : "";
    throw new CommandError(
      `this permanently deletes the account ${id}${name} with its documents, files, templates, webhooks and keys. To do it, add --confirm ${id}`,
    );
  }
  const deletedAt = await archive.markDeleted(id, now());
  if (deletedAt === null) throw noAccount(id);
  if (options["no-wait"] === "on") return { id, status: "deleting" };
  if (await waitForRemoval(services, id)) return { id, status: "deleted" };
  throw new CommandError(
    `the account ${id} is deleted, but its data was not removed within ${removalTimeoutMs / 60_000} minutes. The service continues; run the command again to see when it has ended`,
  );
}
