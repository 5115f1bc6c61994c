// The command that deletes everything that an account has.
import { CommandError, option, type Options } from "colophon-templates/command";
import type { ServiceApi } from "../service-api.ts";
import type { Commands } from "./command.ts";

/** How long a command waits. Most of the time is needed by an account with many documents. */
const removalTimeoutMs = 30 * 60_000;
const longestPauseMs = 5_000;

export const accountDataCommands: Commands = {
  "account delete": {
    usage: "--account ID --confirm ID [--no-wait]",
    // Without it, the command says what it would delete.
    optional: ["confirm"],
    run: deleteAccount,
  },
};

/**
 * Marks the account as deleted, and waits until the service has removed its data. If the command is interrupted, the scheduled run
 * of the service continues.
 */
async function deleteAccount(api: ServiceApi, options: Options): Promise<{ id: string; status: string }> {
  const id = option(options, "account");
  const path = { id };
  if (options["confirm"] !== id) {
    const { name } = await api.call("GET /accounts/{id}", { path });
    throw new CommandError(
      `this permanently deletes the account ${id} (${name}) with its documents, files, templates, webhooks and keys. To do it, add --confirm ${id}`,
    );
  }
  const timeoutAt = Date.now() + removalTimeoutMs;
  for (let hasSaidSo = false; Date.now() < timeoutAt;) {
    const removal = await api.call("DELETE /accounts/{id}", { path });
    if (removal.status === "removed") return { id, status: "deleted" };
    if (options["no-wait"] === "on") return { id, status: "deleting" };
    if (removal.status === "removing") continue;
    if (!hasSaidSo) console.error("waiting until the account's requests have ended, which takes up to two minutes");
    hasSaidSo = true;
    const pauseMs = Math.min(Math.max((removal.until ?? 0) - Date.now(), 100), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new CommandError(
    `the account ${id} is deleted, but its data was not removed within ${removalTimeoutMs / 60_000} minutes. The service continues; run the command again to see when it has ended`,
  );
}
