// Renders the template of a folder as the API would render it: validates the request and the data, plans the document and
// renders it with the code of the service. Nothing is recorded, and no allowance is used.
import { counted } from "colophon-base/counted";
import { noCapacity, renderFailed, ServiceError } from "../../core/errors.ts";
import { sha256Hex } from "colophon-base/encoding";
import type { LiquidProblem } from "colophon-liquid/liquid";
import { compileTemplate } from "colophon-template-model/compile-template";
import type { TemplateContent } from "colophon-template-model/template";
import type { NotRendered, RenderRequest, RenderResult } from "../../dev-page/messages.ts";
import { planDocument } from "../../operations/documents/plan-document.ts";
import { beginRender } from "colophon-render/render-document";
import type { DevRenderer } from "./dev-renderer.ts";
import { devServices, type FolderTemplate } from "./dev-services.ts";
import type { Preview } from "./preview.ts";
import { withSource } from "./source-lines.ts";

export type RenderedPreview = { result: RenderResult; file: Uint8Array | null };

/** What a render needs besides the request. `env` are the variables of the Worker. */
export type PreviewParts = { preview: Preview; renderer: DevRenderer; env: Env };

/** The only account and the only template. */
const account = { id: "dev", retentionDays: "keep" } as const;
const templateId = "00000000-0000-4000-8000-000000000000";

/** Returns a function that renders. It rejects only if something else than the template or the request is wrong. */
export function previewRenderer(parts: PreviewParts): (request: RenderRequest) => Promise<RenderedPreview> {
  const compile = compiledFolder();
  return async (request) => {
    const { valid, state } = parts.preview;
    const failed = (message: string, more: Partial<NotRendered> = {}): RenderedPreview => ({
      result: { status: "failed", revision: state.revision, message, details: [], problems: [], ...more },
      file: null,
    });
    if (!valid) return failed("The folder has no valid template yet.");
    const sample = valid.shown.find(({ file }) => file === request.sample);
    const data = request.data ?? valid.samples.find(({ file }) => file === request.sample)?.data;
    if (!sample) return failed(`There is no sample ${request.sample}.`);
    const { problems: wrong } = sample;
    if (!data) return failed(`${sample.file} has ${counted(wrong.length, "problem")}.`, { problems: wrong });
    const problems: LiquidProblem[] = [];
    try {
      const folder = await compile(valid.content);
      return await render(parts, folder, { ...request, data }, (problem) => problems.push(problem));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const places = problems.slice(0, 1).map(({ file, line, reason }) => ({ file, line, message: reason }));
      const shown = await withSource(parts.preview.directory, places);
      return failed(error.message, { details: error.details ?? [], problems: shown });
    }
  };
}

type Request = RenderRequest & { data: Record<string, unknown> };

/** Throws a `ServiceError` where the API would return one. */
async function render(
  { preview, renderer, env }: PreviewParts,
  folder: FolderTemplate,
  { data, format, locale, width, height }: Request,
  onTemplateProblem: (problem: LiquidProblem) => void,
): Promise<RenderedPreview> {
  const { revision } = preview.state;
  const arrivedAt = Date.now();
  const startMs = performance.now();
  const services = devServices(env, renderer, folder);
  const settings = {
    format,
    locale,
    width,
    height,
    deviceScaleFactor: 2,
    warnings: [],
    webhookUrl: null,
    idempotency: null,
  };
  const plan = await planDocument(services, account, { ...settings, templateId, data, arrivedAt });
  const rendered = await beginRender(services, { ...plan.render, onTemplateProblem })();
  const file = renderer.take(plan.render.document.fileKey);
  if (rendered.status === "no_capacity") throw noCapacity(rendered.retryAfterSeconds);
  if (rendered.status === "failed") throw renderFailed(rendered.reason, rendered.message);
  if (!file) throw new Error("the renderer has returned no file");
  const { pageCount, fileSize, warnings } = rendered.metadata;
  const size = { width: rendered.metadata.width, height: rendered.metadata.height };
  const times = {
    totalMs: performance.now() - startMs,
    browserMs: file.measured.browserMs ?? 0,
    browserVersion: file.measured.browserVersion ?? "",
  };
  const allWarnings = [...plan.warnings, ...warnings];
  return {
    result: { status: "rendered", revision, pageCount, ...size, fileSize, ...times, warnings: allWarnings },
    file: file.bytes,
  };
}

/** Returns a function that compiles the content. It returns the same object for the same content. */
function compiledFolder(): (content: TemplateContent) => Promise<FolderTemplate> {
  let last: { content: TemplateContent; folder: Promise<FolderTemplate> } | null = null;
  return (content) => {
    if (last?.content !== content) last = { content, folder: compileFolder(content) };
    return last.folder;
  };
}

async function compileFolder(content: TemplateContent): Promise<FolderTemplate> {
  const result = compileTemplate(content);
  if (result.status === "broken") throw new Error("the template was valid, but cannot be compiled");
  const { manifest, pages } = content;
  const dates = { createdAt: 0, updatedAt: 0 };
  const contentHash = await sha256Hex(JSON.stringify(content));
  const version = { id: templateId, accountId: account.id, version: 1, contentHash, manifest };
  return { compiled: result.template, template: { ...version, pagesCount: pages.length, ...dates } };
}
