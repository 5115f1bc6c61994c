// The types of the API's requests and responses under the names that callers use. `api.generated.ts` has them as the description
// of the API states them.

export type ErrorCode =
  | "INVALID_API_KEY"
  | "API_ACCESS_DENIED"
  | "VALIDATION_ERROR"
  | "MISSING_FIELD"
  | "TEMPLATE_NOT_FOUND"
  | "DOCUMENT_NOT_FOUND"
  | "RENDER_LIMIT_EXCEEDED"
  | "RENDER_FAILED"
  | "TOO_MANY_REQUESTS"
  | "IDEMPOTENCY_CONFLICT"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "INVALID_HEALTH_SECRET"
  | "UNHEALTHY"
  | "SERVICE_UNAVAILABLE"
  | "INTERNAL_ERROR";

export type ErrorDetail = { path: string; message: string };

type DocumentResponse = {
  id: string;
  templateId: string;
  status: "completed" | "failed";
  format: "pdf" | "png";
  pdfUrl: string | null;
  createdAt: string;
  completedAt: string | null;
  expiresAt: string | null;
  templateVersion: number;
  width: number;
  height: number | null;
  deviceScaleFactor: number;
  pageCount: number | null;
  fileSize: number | null;
  sha256: string | null;
  warnings: string[];
  error: { code: ErrorCode; message: string } | null;
};

type FileProperty = "pdfUrl" | "completedAt" | "height" | "pageCount" | "fileSize" | "sha256";

/** A document with a file. */
export type CompletedDocument = DocumentResponse & {
  [Name in FileProperty]: NonNullable<DocumentResponse[Name]>;
} & { status: "completed"; error: null };

/** A document whose render failed. It has no file and did not count. */
export type FailedDocument = DocumentResponse & {
  status: "failed";
  error: NonNullable<DocumentResponse["error"]>;
};

/** A document. Compare its `status` to tell which kind it is. */
export type DocumentRecord = CompletedDocument | FailedDocument;

/** What `data` may be if its type is not given. */
export type AnyData = Record<string, unknown>;

/** The properties of a create. `Data` is the type of the template's data. */
export type CreateDocument<Data extends object = AnyData> = {
  templateId: string;
  data: Data;
  format?: "pdf" | "png";
  deviceScaleFactor?: number;
  width?: number;
  height?: number | "auto";
  webhookUrl?: string;
};

export type Pagination = { limit: number; offset: number; total: number; nextCursor: string | null };

/** Which documents to list. */
export type DocumentFilter = {
  status?: DocumentRecord["status"];
  format?: DocumentRecord["format"];
  templateId?: string;
  createdAfter?: string | Date;
  createdBefore?: string | Date;
  /** Only documents with all of these pairs. */
  metadata?: Record<string, string>;
};

/** Which part of a list to return: at most `limit` items, from an offset or a cursor. */
export type PageQuery = { limit?: number; offset?: number; cursor?: string };

export type DocumentPage = { documents: DocumentRecord[]; pagination: Pagination };
export type DeletedDocument = { id: string; deleted: true };
export type TemplateSummary = { id: string; title: string };
export type TemplatePage = { templates: TemplateSummary[]; pagination: Pagination };
export type Template = TemplateSummary & { version: number };
export type Usage = { plan: string; used: number };

/** The body of a webhook. */
export type WebhookMessage = { timestamp: string } & (
  | { type: "document.completed"; data: CompletedDocument }
  | { type: "document.failed"; data: FailedDocument }
);

/** A verified webhook. `id` is the same each time the event is sent, so it tells repeats. */
export type WebhookEvent = WebhookMessage & { id: string };
