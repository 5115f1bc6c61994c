// Renders a document of a template from its plan on. A test may replace each service. By default there are no images and no fonts,
// the clock stands still, and the renderer completes every job.
import type { LogEntry } from "colophon-base/log";
import { planRender, type RenderRequest } from "colophon-render/plan-render";
import { beginRender, type RenderPlan, type RenderResult } from "colophon-render/render-document";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import type { RenderServices } from "colophon-render/render-services";
import { compileTemplate } from "colophon-template-model/compile-template";
import { templateContent, type TemplateOptions } from "./template-content.ts";

export const accountId = "account";
export const startMs = Date.UTC(2026, 10, 21);
export const budgetMs = 25_000;

export type World = RenderServices & { state: { nowMs: number; jobs: RenderJob[]; log: LogEntry[] } };

const renderedFile: RenderOutcome = {
  ...{ status: "rendered", fileSize: 1, sha256: "ab", pageCount: 1, width: 794, height: 1123 },
  ...{ imageSize: null, warnings: [] },
};

export function renderWorld(overrides: Partial<RenderServices> = {}): World {
  const state: World["state"] = { nowMs: startMs, jobs: [], log: [] };
  const noTemplate = () => Promise.reject(new Error("there is no template"));
  return {
    templates: { compiled: noTemplate, sizeBytes: noTemplate },
    renderer: { render: async (job) => (state.jobs.push(job), renderedFile) },
    memory: { acquire: async () => ({ resize: () => {}, release: () => {} }) },
    slices: { pause: async () => {} },
    images: { fetch: async () => ({ status: "failed", reason: "there is no network" }) },
    fonts: { facesFor: async () => [] },
    settings: { imageUrls: { allowedOrigins: new Set(), ownHosts: new Set(["colophon.test"]) } },
    now: () => state.nowMs,
    log: (_level, entry) => void state.log.push(entry),
    measure: (_stage, work) => work(),
    ...overrides,
    state,
  };
}

export type Request = Partial<RenderRequest> & Pick<RenderPlan, "batchPosition" | "isTest" | "encryption">;

/** Renders a document of this template. `onLoad` is called when the template is loaded. */
export function renderDocument(
  services: RenderServices,
  options: TemplateOptions,
  { batchPosition, isTest, encryption, ...rest }: Request = {},
  onLoad: () => unknown = () => {},
): Promise<RenderResult> {
  const version = templateContent(options);
  const request: RenderRequest = { data: {}, format: "pdf", deviceScaleFactor: 2, ...rest };
  const planned = planRender(version.manifest, request, new Set());
  const compiling = compileTemplate(version);
  if (compiling.status !== "compiled" || planned.status !== "planned") throw new Error("the template is invalid");
  const { template: compiled } = compiling;
  const templates = { compiled: async () => (onLoad(), compiled), sizeBytes: async () => compiled.sizeBytes };
  const about = { id: "1", accountId, createdAt: services.now() };
  const template = { ...about, manifest: version.manifest, contentHash: "", version: 1, pagesCount: 1, updatedAt: 0 };
  const document = { ...about, ...request, imageQuality: null, fileKey: "1" };
  const deadline = services.now() + budgetMs;
  return beginRender(Object.assign(services, { templates }), {
    ...planned,
    ...(batchPosition && { batchPosition }),
    isTest,
    ...(encryption && { encryption }),
    document,
    template,
    deadline,
  })();
}
