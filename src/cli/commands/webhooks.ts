// The commands for webhooks and for the secrets that sign them.
import { counted } from "colophon-base/counted";
import { webhookStatuses, type WebhookStatus } from "../../core/webhooks/delivery.ts";
import type { WebhookSummary } from "../../core/webhooks/webhook-event.ts";
import { rotateWebhookSecret } from "../../operations/accounts/manage-accounts.ts";
import { CommandError, UsageError, option, type Options } from "colophon-templates/command";
import { accountOption, iso, type Commands } from "./command.ts";

export const webhookCommands: Commands = {
  "webhook-secret show": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => {
      const accountId = await accountOption(services, options);
      return { secrets: await services.secrets.valid(accountId, services.now()) };
    },
  },
  "webhook-secret rotate": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => ({
      secrets: await rotateWebhookSecret(services, await accountOption(services, options)),
    }),
  },
  "webhook-secret re-encrypt": {
    usage: "",
    required: [],
    run: async ({ secrets, now }) => {
      const { reEncrypted, unreadable } = await secrets.reEncrypt(now());
      if (unreadable === 0) return { reEncrypted };
      throw new CommandError(
        `encrypted ${counted(reEncrypted, "webhook secret")} again, but ${counted(unreadable, "webhook secret")} cannot be read with WEBHOOK_SECRETS_KEY or WEBHOOK_SECRETS_KEY_PREVIOUS`,
      );
    },
  },
  "webhook list": {
    usage: `--account ID [--status ${webhookStatuses.join("|")}]`,
    required: ["account"],
    optional: ["status"],
    run: async (services, options) => {
      const accountId = await accountOption(services, options);
      const rows = await services.webhooks.list(accountId, statusOption(options));
      return { webhooks: rows.map(webhookLine) };
    },
  },
  "webhook redeliver": {
    usage: "--id ID",
    required: ["id"],
    run: async ({ webhooks, now }, options) => {
      const id = option(options, "id");
      if (!(await webhooks.redeliver(id, now()))) throw new CommandError(`there is no webhook ${id}`);
      return { id, status: "pending" };
    },
  },
};

function statusOption({ status }: Options): WebhookStatus | undefined {
  const known = webhookStatuses.find((candidate) => candidate === status);
  if (status !== undefined && !known) {
    throw new UsageError(`--status must be one of ${webhookStatuses.join(", ")}`);
  }
  return known;
}

function webhookLine({ id, documentId, url, createdAt, delivery }: WebhookSummary) {
  const { status, attempts, nextAttemptAt, history } = delivery;
  const [last] = history;
  return {
    id,
    documentId,
    status,
    attempts,
    nextAttemptAt: iso(nextAttemptAt),
    lastStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    url,
    createdAt: iso(createdAt),
    history: history.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt })),
  };
}
