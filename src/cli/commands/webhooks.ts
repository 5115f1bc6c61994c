// The commands for webhooks and for the secrets that sign them.
import { counted } from "colophon-base/counted";
import { webhookStatuses } from "../../core/webhooks/delivery.ts";
import { CommandError, UsageError } from "colophon-templates/command";
import { accountPath, pathOfId, type Commands } from "./command.ts";

type Webhook = { history: { status: number | null; error: string | null }[] };

export const webhookCommands: Commands = {
  "webhook-secret show": {
    usage: "--account ID",
    run: (api, options) => api.call("GET", `${accountPath(options)}/webhook-secrets`),
  },
  "webhook-secret rotate": {
    usage: "--account ID",
    run: (api, options) => api.call("POST", `${accountPath(options)}/webhook-secrets/rotate`),
  },
  "webhook-secret re-encrypt": {
    usage: "",
    run: async (api) => {
      const path = "/webhook-secrets/re-encrypt";
      const { reEncrypted, unreadable } = await api.call<Record<"reEncrypted" | "unreadable", number>>("POST", path);
      if (unreadable === 0) return { reEncrypted };
      throw new CommandError(
        `encrypted ${counted(reEncrypted, "webhook secret")} again, but ${counted(unreadable, "webhook secret")} cannot be read with WEBHOOK_SECRETS_KEY or WEBHOOK_SECRETS_KEY_PREVIOUS`,
      );
    },
  },
  "webhook list": {
    usage: `--account ID [--status ${webhookStatuses.join("|")}]`,
    run: async (api, options) => {
      const { status } = options;
      if (status !== undefined && !webhookStatuses.some((known) => known === status))
        throw new UsageError(`--status must be one of ${webhookStatuses.join(", ")}`);
      const query = status === undefined ? "" : `?status=${status}`;
      const webhooks = await api.list<Webhook>(`${accountPath(options)}/webhooks${query}`, "webhooks");
      return { webhooks: webhooks.map(withLastAttempt) };
    },
  },
  "webhook redeliver": {
    usage: "--id ID",
    run: async (api, options) => api.call("POST", `${await pathOfId(api, options, "webhook")}/redeliver`),
  },
};

function withLastAttempt(webhook: Webhook) {
  const [last] = webhook.history;
  return { ...webhook, lastStatus: last?.status ?? null, lastError: last?.error ?? null };
}
