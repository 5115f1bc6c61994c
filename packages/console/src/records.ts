// The records of both APIs under the names that the console uses. `api.generated.ts` has them as the descriptions state them.
import type { components } from "./api.generated.ts";

type Schemas = components["schemas"];

/** What each scope allows. */
export const scopes: Record<KeyRecord["scopes"][number], string> = {
  documents: "create, read and delete documents and batches",
  "documents:read": "only read them",
  templates: "push, roll back, read and delete templates",
  "templates:read": "only read them",
  keys: "create, list and revoke keys",
  webhooks: "read webhooks, send them again, and see the secrets",
  "account:read": "read usage and events",
};
export const documentStatuses: readonly DocumentRecord["status"][] = ["processing", "completed", "failed"];
export const webhookStatuses: readonly WebhookRecord["status"][] = ["pending", "delivered", "dead"];

export type Detail = Schemas["ErrorDetail"];
export type DocumentRecord = Schemas["Document"];
export type BatchRecord = Schemas["Batch"];
export type BatchResult = Schemas["BatchResult"];
export type UsageRecord = Schemas["Usage"];
/** A template as `/api/v1` describes it. */
export type TemplateDetail = Schemas["Template"];
export type Pagination = Schemas["DocumentList"]["pagination"];

export type TemplateRecord = Schemas["listManagedTemplates"]["templates"][number];
export type VersionRecord = Schemas["listTemplateVersions"]["versions"][number];
export type WebhookRecord = Schemas["listWebhooks"]["webhooks"][number];
export type KeyRecord = Schemas["listKeys"]["keys"][number];
export type EventRecord = Schemas["listEvents"]["events"][number];
export type UsageDay = Schemas["listUsageDays"]["days"][number];
export type AccountRecord = Schemas["listAccounts"]["accounts"][number];
export type PlanRecord = Schemas["listPlans"]["plans"][number];
