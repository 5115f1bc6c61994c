// The commands for webhooks and for the secrets that sign them.
import { counted } from "colophon-base/text";
import type { WebhookRecord } from "colophon-client/manage";
import { CommandError } from "colophon-templates/command";
import { webhookStatuses } from "../../core/webhooks/delivery.ts";
import { accountOf, oneOf, ownerOf, type Commands } from "./command.ts";

export const webhookCommands: Commands = {
  "webhook-secret show": {
    usage: "--account ID",
    run: (api, options) => accountOf(api, options).call("GET /webhook-secrets"),
  },
  "webhook-secret rotate": {
    usage: "--account ID",
    run: (api, options) => accountOf(api, options).call("POST /webhook-secrets/rotate"),
  },
  "webhook-secret re-encrypt": {
    usage: "",
    run: async (api) => {
      const { reEncrypted, unreadable } = await api.call("POST /webhook-secrets/re-encrypt");
      if (unreadable === 0) return { reEncrypted };
      throw new CommandError(
        `re-encrypted ${counted(reEncrypted, "webhook secret")}, but ${counted(unreadable, "webhook secret")} cannot be read with WEBHOOK_SECRETS_KEY or WEBHOOK_SECRETS_KEY_PREVIOUS`,
      );
    },
  },
  "webhook list": {
    usage: `--account ID [--status ${webhookStatuses.join("|")}]`,
    run: async (api, options) => {
      const { status } = options;
      const query = status === undefined ? {} : { status: oneOf("status", status, webhookStatuses) };
      return {
        webhooks: await Array.fromAsync(accountOf(api, options).list("GET /webhooks", { query }), withLastAttempt),
      };
    },
  },
  "webhook redeliver": {
    usage: "--id ID",
    run: async (api, options) => {
      const { id, account } = await ownerOf(api, options, "webhook");
      return account.call("POST /webhooks/{webhook}/redeliver", { path: { webhook: id } });
    },
  },
};

function withLastAttempt(webhook: WebhookRecord) {
  const [last] = webhook.history;
  return { ...webhook, lastStatus: last?.status ?? null, lastError: last?.error ?? null };
}
