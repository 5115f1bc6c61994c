// The messages between the page of `template dev` and its server: what is in the folder, and what a render returned.
import type { PageGeometry } from "colophon-page/page-geometry";
import type { Field } from "colophon-template-model/template";
import type { Finding } from "colophon-ui/excerpt";

/** A file with sample data. `digest` changes with its content. A sample with problems cannot be rendered. */
export type Sample = { file: string; digest: string; problems: Finding[] };

export type TemplateState = {
  title: string;
  locale: string;
  /** The languages of its messages. */
  locales: string[];
  page: PageGeometry;
  fields: Field[];
  /** `sample.json` comes first. */
  samples: Sample[];
};

/** Sent to the page when it connects, and after each change of the folder. */
export type FolderState = {
  /** Counts the changes. */
  revision: number;
  /** The name of the folder. */
  folder: string;
  /** Why the folder could not be pushed. */
  problems: Finding[];
  moreProblems: number;
  warnings: Finding[];
  moreWarnings: number;
  /** The newest version of the folder that could be pushed; null if there was none yet. */
  template: TemplateState | null;
};

export type Rendered = {
  status: "rendered";
  revision: number;
  pageCount: number;
  /** In CSS pixels. */
  width: number;
  height: number;
  fileSize: number;
  /** The whole render, and the part of it that the browser took. */
  totalMs: number;
  browserMs: number;
  browserVersion: string;
  /** What the API would return as `warnings`. */
  warnings: string[];
};

/** A render without a file. `details` are about values in `data`, `problems` about lines of the template. */
export type NotRendered = {
  status: "failed";
  revision: number;
  message: string;
  details: { path: string; message: string }[];
  problems: Finding[];
};

/** The response to a render is a form with this as JSON in `result`, and the document, if there is one, in `file`. */
export type RenderResult = Rendered | NotRendered;
