// Makes the manifest of a template from its `template.json`.
import {
  customGeometry,
  lengthPx,
  marginsFit,
  paperGeometry,
  type Margin,
  type PaperSize,
} from "../../rendering/page-geometry.ts";
import { fieldProblems } from "./field-rules.ts";
import { manifestSchema } from "./manifest-schema.ts";
import type { TemplateManifest } from "../template.ts";

/** A problem in a manifest. `path` is the location of the problem in `template.json`. */
export type ManifestProblem = { path: (string | number)[]; reason: string };

const defaultMarginPx = 48;

/** Returns the manifest, or null together with the problems. */
export function parseManifest(json: unknown): { manifest: TemplateManifest | null; problems: ManifestProblem[] } {
  const result = manifestSchema.safeParse(json);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => {
      const path = issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
      return { path, reason: `${path.join(".") || "template.json"}: ${issue.message}` };
    });
    return { manifest: null, problems };
  }
  const { width, height, pageSize, margin, fields, ...rest } = result.data;
  const isCustom = width !== undefined && height !== undefined;
  const page = isCustom ? customGeometry(width, height) : paperGeometry(pageSize as PaperSize, rest.orientation);
  const manifest: TemplateManifest = {
    ...rest,
    pageSize: isCustom ? "Custom" : (pageSize as PaperSize),
    page,
    margin: marginPx(margin),
    fields,
  };
  const problems = fieldProblems(fields);
  if (!marginsFit(page, manifest.margin)) {
    problems.push({ path: ["margin"], reason: "margin: the margins leave no room on the page" });
  }
  return { manifest: problems.length > 0 ? null : manifest, problems };
}

function marginPx(margin: { [edge in keyof Margin]?: number | string | undefined }): Margin {
  const px = (edge: number | string | undefined) =>
    edge === undefined ? defaultMarginPx : Math.round(typeof edge === "number" ? edge : (lengthPx(edge) ?? 0));
  return { top: px(margin.top), right: px(margin.right), bottom: px(margin.bottom), left: px(margin.left) };
}
