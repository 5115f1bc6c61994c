// Decides a document's data, language and page size from a request and a template, before anything is rendered.
import { canonicalLocale, fallbackLocales, formattingLocale } from "colophon-liquid/locale";
import type { DocumentFormat } from "colophon-page/document-format";
import { marginsFit, overrideGeometry, type PageGeometry, type PageHeight } from "colophon-page/page-geometry";
import type { AttachedFiles } from "colophon-pdf/attachments";
import { forbidsAttachments, hasAssociatedFiles, type Conformance } from "colophon-pdf/conformance";
import { type PatternWork } from "colophon-template-model/pattern";
import type { TemplateManifest } from "colophon-template-model/template";
import type { TemplateData } from "colophon-template-model/template-data";
import { invalidMessage, missingMessage, validateData, type FieldProblem } from "colophon-template-model/validate-data";
import { imageSizeProblem } from "./image-limits.ts";

/** All properties that do not depend on the template have been validated. */
export type RenderRequest = AttachedFiles & {
  data: Record<string, unknown>;
  format: DocumentFormat;
  deviceScaleFactor: number;
  width?: number;
  height?: PageHeight;
  /** A valid language tag; by default, the template's own. */
  locale?: string;
  /** The standards that the PDF must conform to; by default, the template's own. Empty for other formats. */
  conformance?: readonly Conformance[] | undefined;
  /** Present if the file will be encrypted. */
  encryption?: unknown;
};

export type PlannedRender = {
  status: "planned";
  data: TemplateData;
  locale: string;
  page: PageGeometry;
  fixedHeight: boolean;
  /** Absent if the file need not conform to a standard. */
  conformance?: readonly Conformance[];
  /** Absent if nothing is attached. */
  attached?: AttachedFiles;
  /** Warnings about the request, for the document. */
  warnings: string[];
};

/** The message alone is sufficient for a caller. With `missing`, the only problem is missing data. */
export type RefusedRender = ({ status: "invalid" } | { status: "missing" }) & {
  problems: FieldProblem[];
  message: string;
};

/** `imageOrigins` are additional image origins, which need not use https. */
export function planRender(
  manifest: TemplateManifest,
  request: RenderRequest,
  imageOrigins: ReadonlySet<string>,
  work?: PatternWork,
): PlannedRender | RefusedRender {
  const validated = validateData(manifest.fields, request.data, imageOrigins, work);
  const { data, missing, mistyped, unnamed, warnings } = validated;
  if (mistyped.length > 0) return invalid([...mistyped, ...missing], unnamed);
  if (missing.length > 0) return { status: "missing", problems: missing, message: missingMessage(missing, unnamed) };
  const locale = documentLocale(manifest, request.locale);
  if (locale === null) return invalid([unknownLocale(manifest)]);
  const page = overrideGeometry(manifest.page, request);
  const problem = pageProblem(page, manifest, request);
  if (problem) return invalid([problem]);
  const fixedHeight = typeof request.height === "number";
  if (request.encryption !== undefined && request.format !== "pdf")
    return invalid([{ path: "encryption", message: '`encryption` is only allowed with the `format` "pdf".' }]);
  const conformance = request.format === "pdf" ? (request.conformance ?? manifest.conformance ?? []) : [];
  if (conformance.length > 0 && request.encryption !== undefined) {
    const level = conformance.find((name) => name !== "pdf/ua-1");
    const reason = level ? "PDF/A forbids it" : "an encrypted file cannot be validated";
    const name = `"${level ?? "pdf/ua-1"}"${request.conformance ? "" : " in the template"}`;
    const message = `\`encryption\` is not allowed with the conformance ${name}: ${reason}. \`"conformance": []\` asks for no standard.`;
    return invalid([{ path: "encryption", message }]);
  }
  const { attachments = [], einvoice } = request;
  const attachmentProblem = attachedProblem(request, conformance);
  if (attachmentProblem) return invalid([attachmentProblem]);
  const hasAttached = attachments.length > 0 || einvoice;
  const attached = hasAttached && { attachments, ...(einvoice && { einvoice }) };
  const planned = { data, locale, page, fixedHeight, warnings: [...formatWarnings(locale), ...warnings] };
  return {
    status: "planned",
    ...planned,
    ...(conformance.length > 0 && { conformance }),
    ...(attached && { attached }),
  };
}

function attachedProblem(
  { format, attachments = [], einvoice, conformance: requested }: RenderRequest,
  conformance: readonly Conformance[],
): FieldProblem | null {
  const path = einvoice ? "einvoice" : "attachments";
  if (!einvoice && attachments.length === 0) return null;
  if (format !== "pdf") return { path, message: `\`${path}\` is only allowed with the \`format\` "pdf".` };
  const owner = requested ? "" : " in the template";
  if (einvoice && !hasAssociatedFiles(conformance)) {
    const given = conformance.length > 0 ? `${JSON.stringify(conformance)}${owner}` : "empty";
    const message = `\`einvoice\` requires PDF/A-3, for example \`"conformance": ["pdf/a-3b"]\`, but \`conformance\` is ${given}.`;
    return { path, message };
  }
  const level = conformance.find((name) => forbidsAttachments([name]));
  if (!level) return null;
  const message = `\`attachments\` is not allowed with the conformance "${level}"${owner}: PDF/A-2 allows only attachments that conform to PDF/A. Ask for PDF/A-3.`;
  return { path, message };
}

function invalid(problems: FieldProblem[], unnamed = 0): RefusedRender {
  return { status: "invalid", problems, message: invalidMessage(problems, unnamed) };
}

function unknownLocale({ locales = [] }: TemplateManifest): FieldProblem {
  const message = `\`locale\` must be one of the template's languages, or a variant of one: ${locales.join(", ")}.`;
  return { path: "locale", message };
}

/** A push warns about the template's own languages; a request may ask for others. */
function formatWarnings(locale: string): string[] {
  const used = formattingLocale(locale);
  return used === locale
    ? []
    : [`Numbers and dates are formatted as in \`${used}\`, because there are no formats for \`${locale}\`.`];
}

function pageProblem(
  page: PageGeometry,
  { margin }: TemplateManifest,
  { width, height, format, deviceScaleFactor }: RenderRequest,
): FieldProblem | null {
  const path = width === undefined || (typeof height === "number" && height < width) ? "height" : "width";
  if (!marginsFit(page, margin)) {
    const { top, right, bottom, left } = margin;
    const size = page.height === "auto" ? `${page.width} px in width` : `${page.width} x ${page.height} px`;
    const message = `A page of ${size} leaves no room inside the template's margins (${top}, ${right}, ${bottom}, ${left} px).`;
    return { path, message };
  }
  // The height of a page with the height "auto" is known only after the layout.
  const knownHeight = page.height === "auto" ? 1 : page.height;
  const size = { width: page.width, height: knownHeight, deviceScaleFactor };
  const problem = format === "pdf" ? null : imageSizeProblem(format, size);
  const hasOwnSize = width !== undefined || height !== undefined;
  return problem ? { path: hasOwnSize ? path : "deviceScaleFactor", message: problem } : null;
}

/**
 * Returns the canonical tag; null if it is not valid, or if the template has messages but none for the language or its fallbacks. A
 * template without messages can use any language.
 */
function documentLocale(
  { locale, locales }: Pick<TemplateManifest, "locale" | "locales">,
  requested: string | undefined,
): string | null {
  const tag = requested === undefined ? locale : canonicalLocale(requested);
  if (tag === null || tag === locale || locales === undefined) return tag;
  return fallbackLocales(tag).some((language) => locales.includes(language)) ? tag : null;
}
