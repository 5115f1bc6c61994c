// What the console reads of the records of both APIs. `{origin}/api/manage/v1/openapi.json` describes them whole.
import type { DocumentFormat } from "colophon-page/document-format";
import type { Field } from "colophon-template-model/template";

export const documentStatuses = ["processing", "completed", "failed"] as const;
export const webhookStatuses = ["pending", "delivered", "dead"] as const;
/** With what each of them allows. */
export const scopes = {
  documents: "create, read and delete documents and batches",
  "documents:read": "only read them",
  templates: "push, roll back, read and delete templates",
  "templates:read": "only read them",
  keys: "create, list and revoke keys",
  webhooks: "read webhooks, send them again, and see the secrets",
  "account:read": "read usage and events",
};

export type ErrorRecord = { code: string; message: string };
export type Detail = { path: string; line?: number; message: string };

export type DocumentRecord = {
  id: string;
  templateId: string;
  templateVersion: number;
  status: (typeof documentStatuses)[number];
  format: DocumentFormat;
  fileUrl: string | null;
  filename: string | null;
  metadata: Record<string, string>;
  batchId: string | null;
  isTest: boolean;
  createdAt: string;
  completedAt: string | null;
  expiresAt: string | null;
  width: number;
  height: number | null;
  pixelWidth: number | null;
  pixelHeight: number | null;
  pageCount: number | null;
  fileSize: number | null;
  sha256: string | null;
  warnings: string[];
  error: ErrorRecord | null;
};

export type TemplateRecord = {
  id: string;
  folder: string;
  title: string;
  description: string;
  version: number;
  pageSize: string;
  fieldsCount: number;
  updatedAt: string;
};

/** A template as `/api/v1` describes it. */
export type TemplateDetail = {
  fields: Field[];
  sampleData: Record<string, unknown>;
  locale: string;
};

export type VersionRecord = { version: number; createdAt: string; title: string; pagesCount: number };

export type BatchRecord = {
  id: string;
  status: "processing" | "canceling" | "ended";
  templateId: string;
  templateVersion: number;
  format: string;
  counts: { total: number; processing: number; completed: number; failed: number; canceled: number };
  createdAt: string;
  endedAt: string | null;
  expiresAt: string;
  files: { url: string; fileSize: number; pageCount: number }[];
};

export type BatchResult = {
  index: number;
  customId: string | null;
  status: "processing" | "completed" | "failed" | "canceled";
  documentId: string | null;
  warnings: string[];
  error: ErrorRecord | null;
};

export type WebhookRecord = {
  id: string;
  documentId: string;
  url: string;
  status: (typeof webhookStatuses)[number];
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  history: { at: string; durationMs: number; status: number | null; error: string | null; response: string | null }[];
};

export type KeyRecord = {
  id: string;
  name: string;
  scopes: string[];
  isTest: boolean;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
};

export type EventRecord = { id: string; createdAt: string; actor: string; action: string; subject: string };

export type UsageRecord = {
  plan: string;
  period: string;
  used: number;
  reserved: number;
  limit: number;
  remaining: number;
  resetsAt: string;
};

export type UsageDay = { day: string; templateId: string; completed: number; failed: number };

export type AccountRecord = {
  id: string;
  name: string;
  plan: string;
  monthlyRenders: number | null;
  retentionDays: "plan" | "keep" | number;
  createdAt: string;
};

export type PlanRecord = {
  name: string;
  monthlyRenders: number;
  apiAccess: boolean;
  retentionDays: "keep" | number;
};

export type Pagination = { total: number; totalIsExact: boolean; nextCursor: string | null };
