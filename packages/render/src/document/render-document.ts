// Turns a plan into a file: template and data become HTML, which is passed to the renderer. Only this module decides whether a
// render is retried, and whether the font index is read again.
import { CodedError, loggableReason } from "colophon-base/loggable-error";
import { sentence } from "colophon-base/text";
import type { DocumentFace } from "colophon-fonts/font-index";
import type { LiquidProblem } from "colophon-liquid/liquid";
import type { DocumentFormat } from "colophon-page/document-format";
import type { PageGeometry } from "colophon-page/page-geometry";
import { patternNames } from "colophon-page/pattern-names";
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import { documentHtml, type DocumentHtml, type JobMarkup } from "colophon-template-model/document-html";
import { withoutUnfitImages } from "colophon-template-model/document-images";
import type { Template } from "colophon-template-model/template";
import type { ImageSlot, TemplateData } from "colophon-template-model/template-data";
import type { TextCharacters } from "colophon-template-model/text-characters";
import type { RenderJob, RenderOutcome } from "../render-job.ts";
import type { MayStore, RenderCalls, RenderServices } from "../render-services.ts";
import { createMemory, type CreateMemory, runInSlices } from "./create-resources.ts";
import { inlineImages, maxImageMemoryBytes } from "./inline-images.ts";
import { marginsOf } from "./render-margins.ts";
import { failed, resultOf, timedOut, withoutCapacity, type RenderResult } from "./render-result.ts";
import { withPlaces } from "./template-places.ts";

export { imageUrls } from "./inline-images.ts";
export type { RenderResult } from "./render-result.ts";

/** The document to render. Memory, processor time and pages are shared out by `accountId`. */
export type DocumentToRender = {
  id: string;
  accountId: string;
  /** In ms since the epoch. */
  createdAt: number;
  format: DocumentFormat;
  deviceScaleFactor: number;
  /** From 1 to 100; null if the format has no quality setting. */
  imageQuality: number | null;
  fileKey: string;
};

/** `RenderJob` explains the optional properties. */
export type RenderPlan = Pick<RenderJob, "batchPosition" | "isTest" | "conformance" | "encryption" | "attached"> & {
  document: DocumentToRender;
  template: Template;
  data: TemplateData;
  locale: string;
  page: PageGeometry;
  /** Only for an image. If true, every `.page` element is exactly as high as the page; if false, it may be higher. */
  fixedHeight: boolean;
  /** The deadline of the create, in ms since the epoch. */
  deadline: number;
  /** Called when the images have been fetched. */
  onImages?: () => void;
  /** Called with the position at which a template fails with this data. The result contains the position only as text. */
  onTemplateProblem?: (problem: LiquidProblem) => void;
};

/** The minimum time that must be left for a second attempt. */
const minRetryMs = 4_000;
/** An estimate: renders with high memory use take seconds. */
const memoryRetryAfterSeconds = 10;

/** Templates up to this size claim no memory. */
const maxSmallBytes = 1_000_000;

/** Renders the document. See `RenderCalls` for `mayStore`. */
export type BegunRender = (mayStore?: MayStore) => Promise<RenderResult>;

/**
 * Begins to load the template, unless it is large. Returns the function that renders the document. Only that function claims memory
 * for large parts, so a create that waits for its hold does not block memory.
 */
export function beginRender(services: RenderServices, plan: RenderPlan): BegunRender {
  const opening = openTemplate(services, plan);
  opening.catch(() => {}); // The create may be refused before rendering.
  return async (mayStore) => {
    const { accountId } = plan.document;
    const { deadline } = plan;
    const memory = createMemory(services, { accountId, latestStart: deadline - minRetryMs, deadline });
    try {
      return await renderLoaded(services, plan, { opening, memory, mayStore });
    } finally {
      memory.release();
    }
  };
}

/** `compiled` is null for a large template, which is not loaded yet. `sizeBytes` is the memory that loading it takes. */
type OpenedTemplate = { sizeBytes: number; compiled: CompiledTemplate | null };

async function openTemplate({ templates }: RenderServices, { template }: RenderPlan): Promise<OpenedTemplate> {
  const sizeBytes = await templates.sizeBytes(template);
  return { sizeBytes, compiled: sizeBytes > maxSmallBytes ? null : await templates.compiled(template) };
}

/** The result of a render that ends before it reaches the renderer. */
type Stop = Exclude<RenderResult, { status: "rendered" }>;

type Resources = { opening: Promise<OpenedTemplate>; memory: CreateMemory; mayStore: MayStore | undefined };

async function renderLoaded(
  services: RenderServices,
  plan: RenderPlan,
  { opening, memory, mayStore }: Resources,
): Promise<RenderResult> {
  const loaded = await loadParts(services, plan, { opening, memory });
  plan.onImages?.();
  if (loaded.status !== "loaded") return loaded;
  const html = await htmlOf(services, plan, { ...loaded, memory });
  if (html.status !== "ok") return html;
  const { status: _, margins: renderer, characters, ...markup } = html;
  const chosen = await chooseFaces(services, plan, characters);
  if (chosen.status !== "chosen") return chosen;
  const { faces } = chosen;
  const onProblem = (problem: LiquidProblem) => problemMessage(plan, problem);
  const margins = { characters, documentFaces: faces, memory, locale: plan.locale, onProblem };
  const renderMargins = renderer && marginsOf(services, plan, { renderer, ...margins });
  const hyphenation = characters.hasHyphens ? patternNames([plan.locale, ...characters.languages]) : null;
  const job = renderJob(plan, markup, { fonts: faces, hyphenation });
  const work = { job, calls: { renderMargins, mayStore }, warnings: loaded.warnings };
  return withPlaces(await renderWithRetry(services, plan, work), loaded.compiled);
}

type LoadedParts = { status: "loaded"; compiled: CompiledTemplate; images: ImageSlot[]; warnings: string[] };

/** Claims the memory for the template and the images, and loads both. Never rejects. */
async function loadParts(
  services: RenderServices,
  { template, document, data, deadline }: RenderPlan,
  { opening, memory }: Pick<Resources, "opening" | "memory">,
): Promise<LoadedParts | Stop> {
  try {
    const { sizeBytes, compiled: small } = await opening;
    const bytes = largeBytes(sizeBytes) + maxImageMemoryBytes(data.images);
    const permit = bytes > 0 ? await memory.claim("loaded", bytes) : null;
    if (bytes > 0 && !permit) return withoutCapacity(memoryRetryAfterSeconds);
    const compiled = small ?? (await services.templates.compiled(template));
    const inlined = await inlineImages(services, data.images, deadline);
    permit?.resize(largeBytes(compiled.sizeBytes) + sourceChars(inlined.images));
    const { images, warnings } = withoutUnfitImages(inlined.images, inlined.checks);
    return { status: "loaded", compiled, images, warnings: [...inlined.warnings, ...warnings] };
  } catch (cause) {
    services.log("error", { event: "template.load_failed", documentId: document.id, templateId: template.id, cause });
    return failed("browser_failed", "The template could not be loaded.", cause);
  }
}

function largeBytes(bytes: number): number {
  return bytes > maxSmallBytes ? bytes : 0;
}

function sourceChars(images: ImageSlot[]): number {
  return [...new Set(images.map(({ source }) => source))].reduce((sum, source) => sum + source.length, 0);
}

/** Returns the document's HTML. */
async function htmlOf(
  services: RenderServices,
  plan: RenderPlan,
  { compiled, images, memory }: Pick<LoadedParts, "compiled" | "images"> & { memory: CreateMemory },
): Promise<Extract<DocumentHtml, { status: "ok" }> | Stop> {
  const { document, data, locale, page, fixedHeight, deadline } = plan;
  const { id, accountId, createdAt, format } = document;
  const work = documentHtml({ id, createdAt, format, compiled, data: { ...data, images }, locale, page, fixedHeight });
  const textsOf = (html: DocumentHtml) =>
    html.status === "ok" ? [html.html, ...html.marginContents.map(({ markup }) => markup)] : [];
  const run = { accountId, deadline, memory, textsOf };
  const html = await services.measure("liquid", () => runInSlices(services, work, run));
  if (html.status === "timed_out") return timedOut;
  if (html.status === "no_memory") return withoutCapacity(memoryRetryAfterSeconds);
  if (html.status === "problem") return failed("impossible", problemMessage(plan, html.problem));
  return html;
}

function problemMessage({ onTemplateProblem }: RenderPlan, problem: LiquidProblem): string {
  onTemplateProblem?.(problem);
  const { file, line, reason } = problem;
  return `The template cannot be rendered with this data: ${file}, line ${line}: ${sentence(reason)}`;
}

/** Chooses the faces. If the font index cannot be read, tries once more. */
async function chooseFaces(
  { fonts }: RenderServices,
  { locale }: RenderPlan,
  characters: TextCharacters,
): Promise<{ status: "chosen"; faces: DocumentFace[] } | Stop> {
  const choose = () => fonts.facesFor(characters, locale);
  const faces = (await choose()) ?? (await choose());
  if (faces) return { status: "chosen", faces };
  return failed("browser_failed", "The service's fonts could not be loaded.", new CodedError("fonts.unavailable"));
}

type Job = Omit<RenderJob, "timeoutMs" | "mayRetry">;

/** The job without its remaining time, which differs between attempts. `warnings` are about the images. */
type Work = { job: Job; calls: RenderCalls; warnings: string[] };

function renderJob(
  { document, template, locale, page, batchPosition, isTest, conformance, encryption, attached }: RenderPlan,
  markup: JobMarkup,
  parts: Pick<RenderJob, "fonts" | "hyphenation">,
): Job {
  const { accountId, createdAt, format, deviceScaleFactor, imageQuality, fileKey } = document;
  return {
    ...markup,
    ...parts,
    accountId,
    templateHash: template.contentHash,
    format,
    page,
    margin: template.manifest.margin,
    overflow: template.manifest.overflow,
    deviceScaleFactor,
    imageQuality,
    fileKey,
    ...(batchPosition && { batchPosition }),
    isTest,
    ...(conformance && { conformance }),
    ...(encryption && { encryption }),
    ...(attached && { attached }),
    metadata: { createdAt, language: locale, viewer: template.manifest.viewer },
  };
}

/** Renders the job. After a crash, renders it a second time if enough time is left. All other outcomes are final. */
async function renderWithRetry(services: RenderServices, plan: RenderPlan, work: Work): Promise<RenderResult> {
  const first = await renderOnce(services, plan, work, 1);
  const hasCrashed = first.status === "crashed";
  const isWorthRetrying = hasCrashed && plan.deadline - services.now() > minRetryMs;
  const outcome = isWorthRetrying ? await renderOnce(services, plan, work, 2) : first;
  return resultOf(outcome, work.warnings, hasCrashed);
}

/** Makes one render attempt. If the renderer rejects, the outcome is `crashed`. */
async function renderOnce(
  { renderer, log, now }: RenderServices,
  { document, deadline }: RenderPlan,
  { job, calls }: Work,
  attempt: number,
): Promise<RenderOutcome> {
  const timeoutMs = deadline - now();
  if (timeoutMs <= 0) return { status: "timed_out" };
  const outcome = await renderer
    .render({ ...job, timeoutMs, mayRetry: attempt === 1 }, calls)
    .catch((cause: unknown): RenderOutcome => ({ status: "crashed", reason: loggableReason(cause) }));
  if (outcome.status === "crashed") {
    log("warn", { event: "render.crashed", documentId: document.id, attempt, reason: outcome.reason });
  }
  return outcome;
}
