// The types of the API's requests and responses under names for callers. `api.generated.ts` has them as in the API's
// description.
import type { components, operations } from "./api.generated.ts";

type Schemas = components["schemas"];

/** A code that says why a request failed. */
export type ErrorCode = Schemas["Failure"]["error"]["code"];
/** A problem of a request that was refused. */
export type ErrorDetail = Schemas["ErrorDetail"];

type WithProperties<T, Properties> = Omit<T, keyof Properties> & Properties;
// These two types keep the descriptions of the properties.
type NonNull<T> = { [Name in keyof T]: NonNullable<T[Name]> };
type Null<T> = { [Name in keyof T]: null };

type AnyDocument = Schemas["Document"];
type FileProperty = "pdfUrl" | "fileUrl" | "completedAt" | "pageCount" | "fileSize" | "sha256" | "linkExpiresAt";

/** A document with a file. */
export type CompletedDocument = WithProperties<
  AnyDocument,
  NonNull<Pick<AnyDocument, FileProperty | "height">> & {
    /** The render was completed, so there is a file. */
    status: "completed";
    /** There is no error. */
    error: null;
  }
>;

/** A document whose render failed. It has no file and did not count. */
export type FailedDocument = WithProperties<
  AnyDocument,
  Null<Pick<AnyDocument, FileProperty>> &
    NonNull<Pick<AnyDocument, "error">> & {
      /** The render failed, so there is no file. */
      status: "failed";
    }
>;

/** A document whose render has not ended. It has no file yet. */
export type ProcessingDocument = WithProperties<
  AnyDocument,
  Null<Pick<AnyDocument, FileProperty | "error">> & {
    /** The render has not ended. */
    status: "processing";
  }
>;

/** A document. Its `status` tells which kind it is. */
export type DocumentRecord = CompletedDocument | FailedDocument | ProcessingDocument;

/** The default type of `data`. */
export type AnyData = Record<string, unknown>;

/** The properties of a create. `Data` is the type of the template's data. */
export type CreateDocument<Data extends object = AnyData> = WithProperties<
  Schemas["CreateDocument"],
  {
    /** The values of the template's fields. Keys that are not fields are ignored, with a warning. */
    data: Data;
  }
>;

/** The properties that a batch's documents share. */
export type CreateBatch = Omit<Schemas["CreateBatch"], "items">;

/** An item of a batch. `Data` is the type of the template's data. */
export type BatchItem<Data extends object = AnyData> = WithProperties<Schemas["BatchItem"], { data: Data }>;

/** A batch with its progress. */
export type Batch = Schemas["Batch"];

/** The outcome of an item of a batch. */
export type BatchResult = Schemas["BatchResult"];
/** One page of the list of batches. */
export type BatchPage = Schemas["BatchList"];
/** The result of deleting a batch. */
export type DeletedBatch = Schemas["DeletedBatch"];

/** The position of a page in its list. */
export type Pagination = Schemas["DocumentList"]["pagination"];

/** Which part of a list to return: at most `limit` items, from an offset or a cursor. */
export type PageQuery = NonNullable<operations["listBatches"]["parameters"]["query"]>;

type ListQuery = NonNullable<operations["listDocuments"]["parameters"]["query"]>;

/** Which documents to list. A document must meet all conditions. */
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

/** One page of the list of documents. */
export type DocumentPage = WithProperties<Schemas["DocumentList"], { documents: DocumentRecord[] }>;
/** The result of deleting a document. */
export type DeletedDocument = Schemas["DeletedDocument"];
/** How long a link to a file is valid, and how browsers treat the file. */
export type LinkOptions = NonNullable<operations["createLink"]["requestBody"]>["content"]["application/json"];
/** A link that opens a file without a key until it ends. */
export type FileLink = Schemas["FileLink"];
/** The result of ending links. */
export type EndedLinks = Schemas["EndedLinks"];
/** One page of the list of downloads. */
export type DownloadPage = operations["listDownloads"]["responses"][200]["content"]["application/json"];
/** A download of a document's file, by a key or a link. */
export type Download = DownloadPage["downloads"][number];
/** A template without its fields. */
export type TemplateSummary = Schemas["TemplateSummary"];
/** One page of the list of templates. */
export type TemplatePage = Schemas["TemplateList"];
/** A template with its page and its fields. */
export type Template = Schemas["Template"];
/** A field of a template: a value that `data` may or must contain. */
export type Field = Schemas["Field"];
/** How much of its monthly allowance an account has used. */
export type Usage = Schemas["Usage"];

/** The body of a webhook. Its `type` tells what its `data` is. */
export type WebhookMessage = {
  /** When the render or the batch ended. */
  timestamp: string;
} & (
  | {
      type: "document.completed";
      /**
       * The document as it was when the event occurred. A private one has links that were made for this delivery. If it was deleted before,
       * its URLs are null, contrary to the type.
       */
      data: CompletedDocument;
    }
  | {
      type: "document.failed";
      /** The document as it was when the event occurred. */
      data: FailedDocument;
    }
  | {
      type: "batch.completed";
      /** The batch as it was when it had ended. */
      data: Batch;
    }
);

/** A verified webhook. */
export type WebhookEvent = WebhookMessage & {
  /** The same for every delivery of the event, so it identifies repeats. */
  id: string;
};
