// The operations of the management API on one account. A key may call them for its own account, and the operator for any
// account.
import { z } from "zod";
import { dayMs } from "colophon-base/calendar-day";
import { liveAccountId } from "../../core/accounts/account.ts";
import { scopes } from "../../core/accounts/scopes.ts";
import { accountNotFound, serviceUnavailable, validationError, webhookNotFound } from "../../core/errors.ts";
import { webhookStatuses } from "../../core/webhooks/delivery.ts";
import { createKey, revokeKey, rotateWebhookSecret, updateAccount } from "../../operations/accounts/manage-accounts.ts";
import { redeliverDead, redeliverWebhook } from "../../operations/manage/redeliver-webhooks.ts";
import { operation } from "../operation.ts";
import { pageResponse } from "../queries/list-response.ts";
import { listOf } from "../response-schemas.ts";
import { listQuery, oneStart, pageQuery, setOf, timeText } from "../validation.ts";
import {
  created,
  eventRecord,
  eventSchema,
  keyRecord,
  keySchema,
  settingsRecord,
  settingsSchema,
  settingsShape,
  webhookRecord,
  webhookSchema,
} from "./manage-records.ts";
import { templateRows } from "./template-routes.ts";

const secretsSchema = z.object({
  secrets: z.array(z.string()).meta({ description: "The valid secrets, newest first." }),
});

const nameError = "`name` must have 1 to 100 characters, without control characters.";
const keyBody = z.strictObject({
  name: z.string("`name` (string) is required.").regex(/^\P{Cc}{1,100}$/u, nameError),
  scopes: setOf(scopes, "scopes", `\`scopes\` must be an array of at least one of ${scopes.join(", ")}.`)
    .optional()
    .meta({ description: "The scopes of the new key. The default is the calling key's scopes." }),
  expiresAt: timeText("expiresAt").optional(),
  isTest: z.boolean("`isTest` must be true or false.").optional(),
});

const ofKeys = { access: { scope: "keys", operator: true }, tag: "Keys" } as const;

const keys = [
  operation("createKey", "POST /keys", {
    ...ofKeys,
    summary: "Create a key",
    description:
      "Responds with the key, which is not shown again. A key can give only scopes that it has itself, and no later `expiresAt`. A test key renders real documents with a watermark, at most 100 a day. They do not count, are removed after a day, and only test keys can see them.",
    body: keyBody,
    data: keySchema.extend({ key: z.string() }),
    responses: [created],
    handle: async ({ context, manage, account, body: { expiresAt = null, ...input } }) => {
      if (expiresAt !== null && expiresAt <= manage.now())
        throw validationError([{ path: "expiresAt", message: "`expiresAt` must be in the future." }]);
      const key = { ...input, expiresAt };
      const made = await createKey(manage, liveAccountId(account.id), key, context.var.key);
      if (!made) throw accountNotFound();
      return { ...keyRecord(made.created), key: made.key };
    },
  }),
  operation("listKeys", "GET /keys", {
    ...ofKeys,
    summary: "List the keys of the account",
    query: listQuery,
    data: listOf("keys", keySchema),
    handle: ({ manage, account, ...input }) =>
      pageResponse(input, "keys", (page) => manage.accounts.listKeys(liveAccountId(account.id), page), keyRecord),
  }),
  operation("revokeKey", "DELETE /keys/{key}", {
    ...ofKeys,
    summary: "Revoke a key",
    description: "The key stops working within ten seconds.",
    data: z.object({ id: z.string(), revoked: z.literal(true) }),
    errors: ["keyNotFound"],
    handle: async ({ manage, account, actor, param }) => {
      await revokeKey(manage, { id: liveAccountId(account.id) }, param("key"), actor);
      return { id: param("key"), revoked: true as const };
    },
  }),
];

const webhookQuery = z
  .strictObject({
    ...pageQuery,
    status: z.enum(webhookStatuses, `\`status\` must be one of ${webhookStatuses.join(", ")}.`).optional(),
    documentId: z.guid("`documentId` must be the id of a document or batch.").toLowerCase().optional(),
  })
  .refine(...oneStart);

const ofWebhooks = { access: { scope: "webhooks", tests: true, operator: true }, tag: "Webhooks" } as const;

const webhooks = [
  operation("listWebhooks", "GET /webhooks", {
    ...ofWebhooks,
    summary: "List webhooks with their attempts",
    query: webhookQuery,
    data: listOf("webhooks", webhookSchema),
    handle: ({ manage, account, context, query: { status, documentId, ...query } }) => {
      const filter = { status, documentId };
      const list = (page: Parameters<typeof manage.webhooks.list>[2]) => manage.webhooks.list(account.id, filter, page);
      return pageResponse({ context, query }, "webhooks", list, (webhook) =>
        webhookRecord(webhook, context.var.key === null),
      );
    },
  }),
  operation("getWebhook", "GET /webhooks/{webhook}", {
    ...ofWebhooks,
    summary: "Read a webhook with its payload",
    data: webhookSchema.extend({ payload: z.record(z.string(), z.unknown()) }),
    errors: ["webhookNotFound"],
    handle: async ({ context, manage, account, param }) => {
      const webhook = await manage.webhooks.find(account.id, param("webhook"));
      if (!webhook) throw webhookNotFound();
      return { ...webhookRecord(webhook, context.var.key === null), payload: JSON.parse(webhook.payload) };
    },
  }),
  operation("redeliverWebhook", "POST /webhooks/{webhook}/redeliver", {
    ...ofWebhooks,
    summary: "Send a webhook again",
    description: "Starts a new round of attempts, whatever the outcome of the last one.",
    data: z.object({ id: z.string(), status: z.literal("pending") }),
    errors: ["webhookNotFound"],
    handle: async ({ services, manage, account, actor, param }) => {
      await redeliverWebhook(services, manage, account, { id: param("webhook"), actor });
      return { id: param("webhook"), status: "pending" as const };
    },
  }),
  operation("redeliverDeadWebhooks", "POST /webhooks/redeliver", {
    ...ofWebhooks,
    summary: "Resend all dead webhooks created since a time",
    body: z.strictObject({ since: timeText("since") }),
    data: z.object({ redelivered: z.int().min(0) }),
    handle: async ({ services, manage, account, actor, body }) => ({
      redelivered: await redeliverDead(services, manage, account, { since: body.since, actor }),
    }),
  }),
  operation("listWebhookSecrets", "GET /webhook-secrets", {
    access: { scope: "webhooks", operator: true },
    tag: "Webhooks",
    summary: "List the secrets that sign webhooks",
    data: secretsSchema,
    handle: async ({ manage, account }) => ({
      secrets: await manage.secrets.valid(account.id, manage.now()).catch((cause: unknown) => {
        const message =
          "The secrets cannot be read: the service's WEBHOOK_SECRETS_KEY is missing, or differs from the key that encrypted them.";
        throw serviceUnavailable({ message, retryAfterSeconds: 60, cause });
      }),
    }),
  }),
  operation("rotateWebhookSecret", "POST /webhook-secrets/rotate", {
    access: { scope: "webhooks", operator: true },
    tag: "Webhooks",
    summary: "Make a new secret",
    description: "For a day, webhooks are also signed with the previous secret.",
    data: secretsSchema,
    handle: async ({ manage, account, actor }) => ({
      secrets: await rotateWebhookSecret(manage, liveAccountId(account.id), actor),
    }),
  }),
];

const maxDays = 92;
const daysQuery = z
  .strictObject({ from: timeText("from").optional(), until: timeText("until").optional() })
  .refine(({ from = -Infinity, until = Infinity }) => from <= until, {
    path: ["from"],
    error: "`from` must not be later than `until`.",
  });

const account = [
  operation("getSettings", "GET /settings", {
    access: { scope: "account:read", operator: true },
    tag: "Account",
    summary: "Read the settings of the account",
    data: settingsSchema,
    handle: async ({ account }) => settingsRecord(account),
  }),
  operation("updateSettings", "PATCH /settings", {
    access: { scope: "account", operator: true },
    tag: "Account",
    summary: "Change the settings of the account",
    description:
      "Changes the properties in the body, for live and test documents. Requests follow within ten seconds; documents that exist or have been accepted keep their access.",
    body: z.strictObject(settingsShape),
    data: settingsSchema,
    handle: async ({ manage, account, actor, body }) =>
      settingsRecord(await updateAccount(manage, liveAccountId(account.id), body, actor)),
  }),
  operation("listUsageDays", "GET /usage/days", {
    access: { scope: "account:read", tests: true, operator: true },
    tag: "Account",
    summary: "Read the usage by day and template",
    description: `Counts the stored documents by UTC day and template, newest first; deleted documents are not included. \`from\` and \`until\` are times, at most ${maxDays} days apart; the default is the last 31 days.`,
    query: daysQuery,
    data: z.object({
      days: z.array(
        z.object({ day: z.string(), templateId: z.string(), completed: z.int().min(0), failed: z.int().min(0) }),
      ),
    }),
    handle: async ({ manage, account, query }) => {
      const { until = manage.now(), from = until - 31 * dayMs } = query;
      if (until - from > maxDays * dayMs)
        throw validationError([
          { path: "from", message: `\`from\` must be at most ${maxDays} days before \`until\`.` },
        ]);
      return { days: await manage.usageDays(account.id, from, until) };
    },
  }),
  operation("listEvents", "GET /events", {
    access: { scope: "account:read", operator: true },
    tag: "Account",
    summary: "List who changed what",
    description: "The changes of the account's keys, templates, webhooks and settings in the last 90 days.",
    query: listQuery,
    data: listOf("events", eventSchema),
    handle: ({ manage, account, ...input }) => {
      const accountId = liveAccountId(account.id);
      return pageResponse(input, "events", (page) => manage.audit.list(accountId, page, manage.now()), eventRecord);
    },
  }),
];

export const accountRows = [...templateRows, ...keys, ...webhooks, ...account];
