// The records of the management API, with their schemas.
import { z } from "zod";
import { accessKinds, templateSummary, type Template } from "colophon-template-model/template";
import type { AccountSettings, AccountSummary, ApiKey } from "../../core/accounts/account.ts";
import { planNames, type Plan } from "../../core/accounts/plans.ts";
import { scopes } from "../../core/accounts/scopes.ts";
import { regions } from "../../core/region.ts";
import { webhookStatuses } from "../../core/webhooks/delivery.ts";
import type { WebhookSummary } from "../../core/webhooks/webhook-event.ts";
import type { AuditEvent } from "../../ports/accounts.ts";
import { timestamp, url, uuid } from "../response-schemas.ts";
import { templateSummarySchema } from "../templates/template-responses.ts";

const time = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));
const count = z.int().min(0);

/** The response of an operation that creates a resource and returns it. */
export const created = { status: 201, description: "It was created." } as const;

export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  isTest: z.boolean(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable().meta({ description: "Accurate to one hour." }),
});

export function keyRecord({ id, name, scopes, isTest, ...times }: ApiKey): z.output<typeof keySchema> {
  return {
    id,
    name,
    scopes,
    isTest,
    createdAt: time(times.createdAt),
    expiresAt: timeOrNull(times.expiresAt),
    revokedAt: timeOrNull(times.revokedAt),
    lastUsedAt: timeOrNull(times.lastUsedAt),
  };
}

export const webhookSchema = z.object({
  id: z.string(),
  documentId: uuid.meta({ description: "The document or the batch that the webhook is about." }),
  url,
  status: z.enum(webhookStatuses),
  attempts: count.meta({ description: "All attempts, including attempts before the webhook was sent again." }),
  createdAt: timestamp,
  nextAttemptAt: timestamp.nullable(),
  history: z
    .array(
      z.object({
        at: timestamp,
        durationMs: z.number(),
        status: z.int().nullable(),
        error: z.string().nullable(),
        response: z.string().nullable().meta({
          description:
            "The first KB of the response, for the operator only, because the service may reach hosts that others cannot; null for others.",
        }),
      }),
    )
    .meta({ description: "The last ten attempts, newest first." }),
});

export function webhookRecord(
  { id, documentId, url, createdAt, earlierAttempts, delivery }: WebhookSummary,
  isForOperator: boolean,
): z.output<typeof webhookSchema> {
  const { status, attempts, nextAttemptAt, history } = delivery;
  return {
    id,
    documentId,
    url,
    status,
    attempts: earlierAttempts + attempts,
    createdAt: time(createdAt),
    nextAttemptAt: timeOrNull(nextAttemptAt),
    history: history.map(({ at, response, ...attempt }) => {
      return { at: time(at), ...attempt, response: isForOperator ? response : null };
    }),
  };
}

export const eventSchema = z.object({
  id: uuid,
  createdAt: timestamp,
  actor: z.string().meta({ description: "The id of a key, or `operator`." }),
  action: z.string(),
  subject: z.string().meta({
    description:
      "The id of the changed key, template, webhook or account. If all dead webhooks created since a time were resent, that time.",
  }),
});

export function eventRecord({ id, createdAt, actor, action, subject }: AuditEvent): z.output<typeof eventSchema> {
  return { id, createdAt: time(createdAt), actor, action, subject };
}

export const managedTemplateSchema = z.object({
  ...templateSummarySchema.shape,
  folder: z.string().meta({ description: "The name of the folder, which may be used in place of the id." }),
  version: z.int().min(1),
});

export function templateRecord(template: Template, folder: string): z.output<typeof managedTemplateSchema> {
  return { ...templateSummary(template), folder, version: template.version };
}

export const versionSchema = z.object({
  version: z.int().min(1),
  createdAt: timestamp,
  title: z.string(),
  pagesCount: z.int().min(1),
  contentHash: z.string(),
});

export function versionRecord({ version, updatedAt, manifest, ...kept }: Template): z.output<typeof versionSchema> {
  const { pagesCount, contentHash } = kept;
  return { version, createdAt: time(updatedAt), title: manifest.title, pagesCount, contentHash };
}

export const settingsSchema = z.object({
  access: z
    .enum(accessKinds, `\`access\` must be one of ${accessKinds.join(", ")}.`)
    .meta({ description: "With `private`, no new document of the account is public, also if a request asks for it." }),
  recordDownloads: z
    .boolean("`recordDownloads` must be true or false.")
    .meta({ description: "Whether downloads of documents are recorded; see `GET /documents/{id}/downloads`." }),
});

/** The settings of an account, in requests. */
export const settingsShape = settingsSchema.partial().shape;

export function settingsRecord({ access, recordDownloads }: AccountSettings): z.output<typeof settingsSchema> {
  return { access, recordDownloads };
}

const retention = z.union([z.literal("keep"), z.int().min(1)]);

/** Where the operator places an account. */
export const shardNumber = z.int("`shard` must be the number of a database.").min(0).meta({
  description:
    "The database for the account's documents: 0 for `DB`, or n for `DB_n`. By default, the service chooses.",
});

export const accountSchema = z.object({
  id: uuid,
  name: z.string(),
  plan: z.enum(planNames),
  monthlyRenders: count
    .nullable()
    .meta({ description: "The account's own allowance; null if the plan's allowance applies." }),
  retentionDays: z.union([z.literal("plan"), retention]),
  region: z.enum(regions).nullable(),
  shard: count.meta({ description: "The database with the account's documents: 0 for `DB`, or n for `DB_n`." }),
  createdAt: timestamp,
  access: z.literal("private").optional().meta({ description: "Present if all new documents are private." }),
  recordDownloads: z.literal(true).optional().meta({ description: "Present if downloads are recorded." }),
});

export function accountRecord(summary: AccountSummary): z.output<typeof accountSchema> {
  const { createdAt, access, recordDownloads, ...account } = summary;
  const settings = { ...(access === "private" && { access }), ...(recordDownloads && { recordDownloads }) };
  return { ...account, createdAt: time(createdAt), ...settings };
}

export const planSchema = z.object({
  name: z.enum(planNames),
  monthlyRenders: count,
  apiAccess: z.boolean(),
  retentionDays: retention,
}) satisfies z.ZodType<Plan>;
