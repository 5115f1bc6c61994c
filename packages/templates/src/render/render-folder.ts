// Renders a folder's template as the API would: plans the request and renders it with the service's code. Nothing is recorded,
// and no allowance is used.
import { sha256Hex } from "colophon-base/encoding";
import type { Log } from "colophon-base/log";
import { parseOrigins } from "colophon-base/public-url";
import type { LiquidProblem } from "colophon-liquid/liquid";
import type { FileMetadata } from "colophon-render/file-metadata";
import type { FontCatalog } from "colophon-render/font-library";
import { defaultImageQuality, hasImageQuality } from "colophon-render/image-limits";
import { imageSource } from "colophon-render/image-source";
import { planRender, type RenderRequest } from "colophon-render/plan-render";
import { beginRender } from "colophon-render/render-document";
import type { RenderServices } from "colophon-render/render-services";
import { compileTemplate, type CompiledTemplate } from "colophon-template-model/compile-template";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { FieldProblem } from "colophon-template-model/validate-data";
import { browserLauncher } from "../browser/browser.ts";
import { diskFonts, localRenderer, type LocalFile, type LocalRenderer } from "./local-renderer.ts";

export type FolderTemplate = { template: Template; compiled: CompiledTemplate };

export type FolderRender =
  | { status: "rendered"; metadata: FileMetadata; file: LocalFile; warnings: string[] }
  /** `details` are about values in `data`. `problems` are where the template fails with this data, and why the document cannot conform. */
  | { status: "failed"; message: string; details: FieldProblem[]; problems: RenderProblem[] };

/** Some problems are only in the document, on a page. */
export type RenderProblem = { file?: string; line?: number; page?: number; message: string };

export type FolderRenderParts = { renderer: LocalRenderer; fonts: FontCatalog; log: Log };

/** The time limit of a create in the service. */
const renderBudgetMs = 25_000;
/** The only account and the only template. */
const accountId = "local";
const templateId = "00000000-0000-4000-8000-000000000000";

/**
 * Rejects only for faults other than mistakes in the template or the request. `createdAt` is the time of `"now"`, in ms since the epoch.
 */
export async function renderFolder(
  parts: FolderRenderParts,
  folder: FolderTemplate,
  request: RenderRequest,
  createdAt: number = Date.now(),
): Promise<FolderRender> {
  const services = renderServices(parts, folder);
  const { format, deviceScaleFactor } = request;
  const planned = planRender(folder.template.manifest, request, services.settings.imageUrls.allowedOrigins);
  if (planned.status !== "planned") {
    const { message, problems: details } = planned;
    return { status: "failed", message, details, problems: [] };
  }
  const id = crypto.randomUUID();
  const imageQuality = hasImageQuality(format) ? defaultImageQuality : null;
  const document = { id, accountId, createdAt, format, deviceScaleFactor, imageQuality, fileKey: id };
  const problems: RenderProblem[] = [];
  const onTemplateProblem = ({ reason: message, ...place }: LiquidProblem) => void problems.push({ ...place, message });
  const { template } = folder;
  const plan = { ...planned, document, template, deadline: Date.now() + renderBudgetMs };
  const result = await beginRender(services, { ...plan, onTemplateProblem })();
  const file = parts.renderer.take(id);
  if (result.status === "no_capacity") return failed("There is not enough memory at the moment.");
  if (result.status === "failed") return failed(result.message, [...problems.slice(0, 1), ...(result.problems ?? [])]);
  if (!file) throw new Error("the renderer returned no file");
  const { metadata } = result;
  return { status: "rendered", metadata, file, warnings: [...planned.warnings, ...metadata.warnings] };
}

function failed(message: string, problems: RenderProblem[] = []): FolderRender {
  return { status: "failed", message, details: [], problems };
}

/** Only one render runs at a time, so it never waits for memory or the processor. */
function renderServices({ renderer, fonts, log }: FolderRenderParts, { compiled }: FolderTemplate): RenderServices {
  const allowedOrigins = parseOrigins(process.env["IMAGE_ALLOWED_ORIGINS"] ?? "");
  if (!allowedOrigins) throw new Error("IMAGE_ALLOWED_ORIGINS must be a comma-separated list of origins");
  return {
    templates: { compiled: async () => compiled, sizeBytes: async () => compiled.sizeBytes },
    renderer,
    memory: { acquire: async () => ({ resize: () => {}, release: () => {} }) },
    slices: { pause: () => new Promise((resolve) => setTimeout(resolve)) },
    images: imageSource,
    fonts,
    settings: { imageUrls: { allowedOrigins, ownHosts: new Set() } },
    now: () => Date.now(),
    log,
    measure: (_stage, work) => work(),
  };
}

export async function compileFolder(content: TemplateContent): Promise<FolderTemplate> {
  const result = compileTemplate(content);
  if (result.status === "broken") throw new Error("the template was valid, but cannot be compiled");
  const { manifest, pages } = content;
  const dates = { createdAt: 0, updatedAt: 0 };
  const contentHash = await sha256Hex(JSON.stringify(content));
  const version = { id: templateId, accountId, version: 1, contentHash, manifest };
  return { compiled: result.template, template: { ...version, pagesCount: pages.length, ...dates } };
}

/** Writes warnings and errors to stderr while a command runs. */
export const stderrLog: Log = (level, { event, reason }) => {
  if (level !== "info") console.error(`${event}${typeof reason === "string" ? `: ${reason}` : ""}`);
};

/** Returns the services of a render on this machine. The renderer's browser starts with its first document. */
export async function localParts(log: Log = stderrLog): Promise<FolderRenderParts & { launcher: string }> {
  const launcher = await browserLauncher();
  const fonts = diskFonts(log);
  return { launcher, fonts, log, renderer: localRenderer(launcher, fonts, log) };
}

/** Renders one document and ends the browser. */
export async function renderOnce(content: TemplateContent, request: RenderRequest): Promise<FolderRender> {
  const parts = await localParts();
  try {
    return await renderFolder(parts, await compileFolder(content), request);
  } finally {
    await parts.renderer.stop();
  }
}
