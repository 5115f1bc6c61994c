// The messages between the page of `template dev` and its server: the state of the folder, and the result of a render.
import { z } from "zod";
import { canonicalLocale, localeExpected } from "colophon-liquid/locale";
import { documentFormats } from "colophon-page/document-format";
import { type PageGeometry, maxPagePx, minPagePx } from "colophon-page/page-geometry";
import { pageLength } from "colophon-template-model/page-length";
import type { Field } from "colophon-template-model/template";
import { isDeeperThan, isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import type { Finding } from "colophon-ui/excerpt";

/** A file with sample data. `digest` changes with its content. A sample with problems cannot be rendered. */
export type Sample = { file: string; digest: string; problems: Finding[] };

export type TemplateState = {
  title: string;
  locale: string;
  /** The languages of the template's messages. */
  locales: string[];
  page: PageGeometry;
  fields: Field[];
  /** `sample.json` comes first. */
  samples: Sample[];
};

/** Sent to the page when it connects, and after each change to the folder. */
export type FolderState = {
  /** The number of changes so far. */
  revision: number;
  folder: string;
  /** Why the folder could not be pushed. */
  problems: Finding[];
  moreProblems: number;
  warnings: Finding[];
  moreWarnings: number;
  /** The newest valid version of the folder; null if there was none yet. */
  template: TemplateState | null;
};

export type Rendered = {
  status: "rendered";
  revision: number;
  pageCount: number;
  /** In CSS pixels. */
  width: number;
  /** The time of the whole render, and the browser's part of it. */
  totalMs: number;
  browserMs: number;
  browserVersion: string;
  /** The `warnings` that the API would return. */
  warnings: string[];
};

/** A render without a file. `details` are about values in `data`, and `problems` about lines in the template. */
export type NotRendered = {
  status: "failed";
  revision: number;
  message: string;
  details: { path: string; message: string }[];
  problems: Finding[];
};

/** The response to a render is a form that contains this as JSON in `result`, and the document, if there is one, in `file`. */
export type RenderResult = Rendered | NotRendered;

const error = `\`width\` and \`height\` must be whole numbers of CSS pixels from ${minPagePx} to ${maxPagePx}.`;

/** The request for a render. The template or the API's defaults decide everything that is missing. */
export type RenderRequest = z.output<typeof renderRequest>;

export const renderRequest = z.object({
  /** The file whose data is rendered, unless `data` is given. */
  sample: z.string(),
  data: z
    .custom<Record<string, unknown>>(isPlainObject, { error: "`data` must be an object." })
    .refine((data) => !isDeeperThan(data, maxDataDepth), `\`data\` is nested more than ${maxDataDepth} levels deep.`)
    .optional(),
  format: z.enum(documentFormats).default("pdf"),
  locale: z
    .string()
    .refine((tag) => canonicalLocale(tag) !== null, `\`locale\` must be ${localeExpected}.`)
    .optional(),
  /** In CSS pixels, as in the API. */
  width: pageLength(error).optional(),
  height: z.union([pageLength(error), z.literal("auto")], { error }).optional(),
});
