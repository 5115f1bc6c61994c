// What the records of both APIs may have, under the names that the console uses.
import type { DataOf, DocumentRequests, KeyRecord, WebhookRecord } from "colophon-client/manage";

/** A document of any status. */
export type DocumentRecord = DataOf<DocumentRequests["GET /documents/{id}"]>;

export type Scope = KeyRecord["scopes"][number];
/** What each scope allows. */
export const scopes: Record<Scope, string> = {
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
