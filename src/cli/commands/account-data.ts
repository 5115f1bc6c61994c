// The command that deletes everything that an account has.
import { CommandError, option, type Options } from "colophon-templates/command";
import { noAccount, type Commands } from "./command.ts";
import type { OperatorServices } from "../../ports/services.ts";

/** How long a command waits. Most of the time is needed by an account with many documents. */
const removalTimeoutMs = 30 * 60_000;
const longestPauseMs = 5_000;

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

/** Waits while the service removes the data. Returns true when everything has been removed, and false when that takes too long. */
async function waitForRemoval({ service, now }: OperatorServices, accountId: string): Promise<boolean> {
  const timeoutAt = now() + removalTimeoutMs;
  let hasSaidSo = false;
  while (now() < timeoutAt) {
    const removal = await service.removeAccount(accountId);
    if (removal.status === "removed") return true;
    if (removal.status === "removing") continue;
    if (!hasSaidSo) console.error("waiting until the account's requests have ended, which takes up to two minutes");
    hasSaidSo = true;
    const pauseMs = Math.min(Math.max(removal.until - now(), 100), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
}
