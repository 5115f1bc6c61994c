// The types of a template: its manifest, the content of a version, and the summary that the API returns.
import type { Margin, Orientation, PageGeometry, PageSize } from "colophon-page/page-geometry";
import type { Conformance } from "colophon-pdf/conformance";

export const scalarTypes = [
  "string",
  "text",
  "number",
  "integer",
  "decimal",
  "boolean",
  "date",
  "datetime",
  "image",
] as const;
export type ScalarType = (typeof scalarTypes)[number];
export const fieldTypes = [...scalarTypes, "object", "list"] as const;
export type FieldType = (typeof fieldTypes)[number];

export const accessKinds = ["public", "private"] as const;
/** Who can open the file of a document: anyone who has its URL, or only holders of a key or a link that ends. */
export type Access = (typeof accessKinds)[number];

/**
 * A field of `data`. An `object` has `fields`. A `list` has either `fields`, if its items are objects, or `items`, the scalar
 * type of its items.
 */
export type Field = {
  key: string;
  label: string;
  type: FieldType;
  required: boolean;
  default?: unknown;
  example?: unknown;
  description: string;
  fields?: Field[];
  items?: ScalarType;
} & FieldRules;

/**
 * The rules of a field in addition to its type; see `rules/field-rules.ts`. In a list of plain values, most rules are about its items.
 */
export type FieldRules = {
  enum?: (string | number)[];
  /** A regular expression of JavaScript, which may be found anywhere in the value. */
  pattern?: string;
  minimum?: number | string;
  maximum?: number | string;
  /** In characters, as `maxLength`. */
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export const duplexModes = ["simplex", "flipLongEdge", "flipShortEdge"] as const;

/** How readers show and print a PDF. Without an entry, the reader decides; the title is shown unless `displayTitle` is false. */
export type Viewer = {
  displayTitle?: boolean | undefined;
  /** `none` prints the pages at their own size. */
  printScaling?: "none" | undefined;
  duplex?: (typeof duplexModes)[number] | undefined;
};

export type TemplateManifest = {
  title: string;
  description: string;
  pageSize: PageSize;
  orientation: Orientation;
  page: PageGeometry;
  margin: Margin;
  /** A BCP 47 language tag in its canonical form. */
  locale: string;
  /** The languages of the template's messages, sorted; absent if it has no `locales/`. A push sets it. */
  locales?: string[];
  /** The name of an IANA time zone. */
  timeZone: string;
  isPublished: boolean;
  /** Whether content that a document cuts off or shrinks causes a warning or fails the render. */
  overflow: "warning" | "error";
  viewer?: Viewer | undefined;
  /** Who can open the documents of requests that do not say it; by default, the account decides. */
  access?: Access | undefined;
  /** Whether a request may make a document public although `access` is private. */
  allowPublic?: boolean | undefined;
  /** The standards of PDFs whose requests name none. */
  conformance?: Conformance[] | undefined;
  fields: Field[];
};

/**
 * A file in the folder's `assets/`. It is inlined wherever a template refers to it with `{{ 'logo.svg' | asset }}` or
 * `url(logo.svg)`.
 */
export type Asset = { contentType: string; base64: string };

/**
 * A use of an asset in the styles. The text from `start` to `end`, either `url(logo.svg)` or a quoted name, is replaced with
 * the asset.
 */
export type StyleAsset = { start: number; end: number; name: string };

/**
 * A file that the templates render or use as a layout. `file` is `parts/row.liquid`, or `shared/parts/row.liquid` if it comes
 * from the shared folder.
 */
export type PartFile = { file: string; source: string };

/** The file `locales/<locale>.json`, with the messages of one language. */
export type LocaleFile = { locale: string; source: string };

/** A part of a template that is valid but probably a mistake. `line` and `column` count from 1. */
export type FileWarning = { file: string; line: number; column?: number; message: string };

/** The complete content of a version. Immutable once stored. */
export type TemplateContent = {
  manifest: TemplateManifest;
  /** One Liquid source per page file, in page order. */
  pages: { name: string; source: string }[];
  /** The parts that the pages, the header and the footer use, sorted by file. Absent if there are none. */
  parts?: PartFile[];
  /** The messages of the filter `t`, sorted by language. Absent if there are none. */
  locales?: LocaleFile[];
  css: string;
  /** In the order of `css`. */
  styleAssets: StyleAsset[];
  header: string | null;
  footer: string | null;
  assets: Record<string, Asset>;
  sampleData: Record<string, unknown>;
};

/** The stored data of a template and its newest version, without the version's content. */
export type Template = {
  id: string;
  accountId: string;
  version: number;
  /** The SHA-256 of the content in hexadecimal. */
  contentHash: string;
  manifest: TemplateManifest;
  pagesCount: number;
  /** In ms since the epoch, like `updatedAt`. */
  createdAt: number;
  updatedAt: number;
};

export type TemplateSummary = ReturnType<typeof templateSummary>;

export function templateSummary(template: Template) {
  const { manifest } = template;
  return {
    id: template.id,
    title: manifest.title,
    description: manifest.description,
    pageSize: manifest.pageSize,
    fieldsCount: manifest.fields.length,
    pagesCount: template.pagesCount,
    isPublished: manifest.isPublished,
    createdAt: new Date(template.createdAt).toISOString(),
    updatedAt: new Date(template.updatedAt).toISOString(),
  };
}
