// The types of the API's requests and responses under the names that callers use. `api.generated.ts` has them as the description
// of the API states them.
import type { components, operations } from "./api.generated.ts";

type Schemas = components["schemas"];

export type ErrorCode = Schemas["Failure"]["error"]["code"];
export type ErrorDetail = Schemas["ErrorDetail"];

type WithProperties<T, Properties> = Omit<T, keyof Properties> & Properties;
type AnyDocument = Schemas["Document"];
type FileProperty = "pdfUrl" | "fileUrl" | "completedAt" | "pageCount" | "fileSize" | "sha256";

/** A document with a file. */
export type CompletedDocument = WithProperties<
  AnyDocument,
  { [Name in FileProperty | "height"]: NonNullable<AnyDocument[Name]> } & { status: "completed"; error: null }
>;

/** A document whose render failed. It has no file and did not count. */
export type FailedDocument = WithProperties<
  AnyDocument,
  { [Name in FileProperty]: null } & { status: "failed"; error: NonNullable<AnyDocument["error"]> }
>;

/** A document. Compare its `status` to tell which kind it is. */
export type DocumentRecord = CompletedDocument | FailedDocument;

/** What `data` may be if its type is not given. */
export type AnyData = Record<string, unknown>;

/** The properties of a create. `Data` is the type of the template's data. */
export type CreateDocument<Data extends object = AnyData> = WithProperties<Schemas["CreateDocument"], { data: Data }>;

export type Pagination = Schemas["DocumentList"]["pagination"];

/** Which part of a list to return: at most `limit` items, from an offset or a cursor. */
export type PageQuery = { limit?: number; offset?: number; cursor?: string };

type ListQuery = NonNullable<operations["listDocuments"]["parameters"]["query"]>;

/** Which documents to list. A document is listed if it meets all conditions. */
export type DocumentFilter = WithProperties<
  Omit<ListQuery, keyof PageQuery>,
  {
    /** Documents created at this time or later: a date, an RFC 3339 time, or a `Date`. */
    createdAfter?: string | Date;
    /** Documents created before this time. */
    createdBefore?: string | Date;
    /** Documents with all of these pairs among their metadata. */
    metadata?: Record<string, string>;
  }
>;

export type DocumentPage = { documents: DocumentRecord[]; pagination: Pagination };
export type DeletedDocument = Schemas["DeletedDocument"];
export type TemplateSummary = Schemas["TemplateSummary"];
export type TemplatePage = Schemas["TemplateList"];
export type Template = Schemas["Template"];
export type Field = Schemas["Field"];
export type Usage = Schemas["Usage"];

/** The body of a webhook. */
export type WebhookMessage = { timestamp: string } & (
  | { type: "document.completed"; data: CompletedDocument }
  | { type: "document.failed"; data: FailedDocument }
);

/** A verified webhook. `id` is the same each time the event is sent, so it tells repeats. */
export type WebhookEvent = WebhookMessage & { id: string };
