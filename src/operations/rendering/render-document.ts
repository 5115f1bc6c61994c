// Turns a plan into a stored file: template and data become HTML, and the browser pool renders the HTML and stores the
// file. Only this module decides whether a render is retried.
import type { DocumentDraft } from "../../core/documents/document.ts";
import { renderFailed } from "../../core/errors.ts";
import { withoutUnfitImages } from "../../core/images/image-guard.ts";
import { loggableReason } from "../../core/observation/loggable-error.ts";
import type { LiquidProblem } from "../../core/liquid/liquid.ts";
import { documentHtml, type DocumentHtml, type JobMarkup } from "../../core/rendering/document/document-html.ts";
import type { DocumentFace } from "colophon-fonts/font-index";
import type { PageGeometry } from "../../core/rendering/page-geometry.ts";
import type { RenderJob, RenderOutcome } from "../../core/rendering/render-job.ts";
import type { CompiledTemplate } from "../../core/templates/compile-template.ts";
import type { TemplateData } from "../../core/templates/template-data.ts";
import type { Template } from "../../core/templates/template.ts";
import type { RenderMargins } from "../../ports/rendering.ts";
import type { RenderServices } from "../../ports/services.ts";
import { chooseFonts } from "./choose-fonts.ts";
import { inlineImages } from "./inline-images.ts";
import { marginsOf } from "./render-margins.ts";
import { createMemory, type CreateMemory } from "./reserve-memory.ts";
import { failed, resultOf, withoutCapacity, type RenderResult } from "./render-result.ts";
import { runInSlices, type Unfinished } from "./run-in-slices.ts";

export type RenderPlan = {
  document: DocumentDraft;
  template: Template;
  data: TemplateData;
  locale: string;
  page: PageGeometry;
  /**
   * Only for an image. If true, every `.page` element is exactly as high as the page. If false, an element may be higher.
   */
  fixedHeight: boolean;
  /** The deadline of the create, in ms since the epoch. */
  deadline: number;
  /** Is told where a template fails with this data, in addition to the sentence in the result. */
  onTemplateProblem?: (problem: LiquidProblem) => void;
};

/** The minimum time that must be left for a second attempt. */
const minRetryMs = 4_000;
/** An estimate: renders that take much memory take seconds. */
const memoryRetryAfterSeconds = 10;

/** A render whose template is being loaded. */
export type BegunRender = {
  /** Renders the document. Call it once. */
  finish(): Promise<RenderResult>;
  /** Must be called if `finish` is not. */
  cancel(): void;
};

/** Begins to load the template. Takes no memory for a large one, or for images, before `finish` is called. */
export function beginRender(services: RenderServices, plan: RenderPlan): BegunRender {
  const memory = createMemory(services, {
    accountId: plan.document.accountId,
    images: plan.data.images,
    latestStart: plan.deadline - minRetryMs,
    deadline: plan.deadline,
  });
  let loading: ReturnType<typeof loadTemplate> | null = loadTemplate(services, plan, memory);
  return {
    async finish() {
      memory.allow();
      const begun = loading;
      if (!begun) throw new Error("a render is finished only once");
      // The create keeps this object until its document is recorded. Meanwhile, it must not keep a large template.
      loading = null;
      try {
        return await renderLoaded(services, plan, { loading: begun, memory });
      } finally {
        memory.release();
      }
    },
    cancel: memory.release,
  };
}

async function renderLoaded(
  services: RenderServices,
  plan: RenderPlan,
  { loading, memory }: { loading: ReturnType<typeof loadTemplate>; memory: CreateMemory },
): Promise<RenderResult> {
  const loaded = await loading;
  if (loaded.status !== "loaded") return loaded;
  const { compiled } = loaded;
  const { html, warnings: imageWarnings } = await htmlOf(services, plan, { ...loaded, memory });
  const warnings = [...compiled.warnings, ...imageWarnings];
  if (html.status === "timed_out") return resultOf(html, warnings);
  if (html.status === "no_memory") return withoutCapacity(memoryRetryAfterSeconds);
  if (html.status === "problem") return failed(422, problemMessage(plan, html.problem));
  const { margins, characters, ...markup } = html;
  const choose = () => chooseFonts(services, characters, plan.locale);
  const faces = (await choose()) ?? (await choose());
  if (!faces) return failed(502, "The service's fonts could not be loaded.");
  const onProblem = (problem: LiquidProblem) => problemMessage(plan, problem);
  const renderMargins =
    margins &&
    marginsOf(services, plan, {
      renderer: margins,
      characters,
      documentFaces: faces,
      memory,
      locale: plan.locale,
      onProblem,
    });
  const job = renderJob(plan, markup, faces);
  const { outcome, hasCrashed } = await renderWithRetry(services, plan, { job, renderMargins });
  const result = resultOf(outcome, warnings);
  return result.status === "no_capacity" ? { ...result, mayHaveFile: hasCrashed } : result;
}

function problemMessage({ onTemplateProblem }: RenderPlan, problem: LiquidProblem): string {
  onTemplateProblem?.(problem);
  const { file, line, reason } = problem;
  return `The template cannot be rendered with this data: ${file}, line ${line}: ${reason}.`;
}

type LoadedTemplate = { status: "loaded"; compiled: CompiledTemplate };

/** Loads the template's compiled version. Never rejects. */
async function loadTemplate(
  services: RenderServices,
  { template, document }: RenderPlan,
  memory: CreateMemory,
): Promise<LoadedTemplate | Exclude<RenderResult, { status: "rendered" }>> {
  try {
    return { status: "loaded", compiled: await services.templates.compiled(template, memory.reserve) };
  } catch (cause) {
    if (memory.isRefused()) return withoutCapacity(memoryRetryAfterSeconds);
    services.log("error", { event: "template.load_failed", documentId: document.id, templateId: template.id, cause });
    return { status: "failed", error: renderFailed(502, "The template could not be loaded.", { cause }) };
  }
}

/** Fetches and checks the images, then returns the document's HTML. `warnings` are about the images. */
async function htmlOf(
  services: RenderServices,
  { document, data, locale, page, fixedHeight, deadline }: RenderPlan,
  { compiled, memory }: LoadedTemplate & { memory: CreateMemory },
): Promise<{ html: DocumentHtml | Unfinished; warnings: string[] }> {
  const inlined = await inlineImages(services, data.images, deadline);
  memory.shrink(compiled.sizeBytes, inlined.images);
  const { images, warnings } = withoutUnfitImages(inlined.images, inlined.checks);
  const { id, accountId, createdAt, format } = document;
  const work = documentHtml({ id, createdAt, format, compiled, data: { ...data, images }, locale, page, fixedHeight });
  const run = () => runInSlices(services, work, { accountId, deadline, reserveMarkup: memory.reserveMarkup });
  const html = await services.measure("liquid", run);
  if (html.status === "ok")
    memory.keepMarkup("document", [html.html, ...html.marginContents.map(({ markup }) => markup)]);
  return { html, warnings: [...inlined.warnings, ...warnings] };
}

type Job = Omit<RenderJob, "timeoutMs">;

/** What the renderer gets for each attempt, except for the time that is left. */
type Work = { job: Job; renderMargins: RenderMargins | null };

function renderJob(
  { document, template, locale, page }: RenderPlan,
  html: JobMarkup & { status: "ok" },
  fonts: DocumentFace[],
): Job {
  const { accountId, createdAt, format, deviceScaleFactor, imageQuality, fileKey } = document;
  const { status: _, ...markup } = html;
  return {
    ...markup,
    accountId,
    templateHash: template.contentHash,
    fonts,
    format,
    page,
    margin: template.manifest.margin,
    deviceScaleFactor,
    imageQuality,
    fileKey,
    metadata: { createdAt, language: locale },
  };
}

/** Renders the job. After a crash, renders it once more if enough time is left. Every other outcome is final. */
async function renderWithRetry(
  services: RenderServices,
  plan: RenderPlan,
  work: Work,
): Promise<{ outcome: RenderOutcome; hasCrashed: boolean }> {
  const first = await renderOnce(services, plan, work, 1);
  const hasCrashed = first.status === "crashed";
  const isWorthRetrying = hasCrashed && plan.deadline - services.now() > minRetryMs;
  return { outcome: isWorthRetrying ? await renderOnce(services, plan, work, 2) : first, hasCrashed };
}

/** Makes one render attempt. If the renderer rejects, the outcome is `crashed`. */
async function renderOnce(
  { renderer, log, now }: RenderServices,
  { document, deadline }: RenderPlan,
  { job, renderMargins }: Work,
  attempt: number,
): Promise<RenderOutcome> {
  const timeoutMs = deadline - now();
  if (timeoutMs <= 0) return { status: "timed_out" };
  const outcome = await renderer
    .render({ ...job, timeoutMs }, renderMargins)
    .catch((cause: unknown): RenderOutcome => ({ status: "crashed", reason: loggableReason(cause) }));
  if (outcome.status === "crashed") {
    log("warn", { event: "render.crashed", documentId: document.id, attempt, reason: outcome.reason });
  }
  return outcome;
}
