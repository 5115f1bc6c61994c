// From a plan to a stored file: template and data become HTML, the pool renders it and puts the file. A crashed browser
// is tried once more, on a fresh session, while the budget lasts.
import { documentHtml } from "../../core/rendering/document-html.ts";
import type { DocumentDraft } from "../../core/documents/document.ts";
import { renderFailed, type ServiceError } from "../../core/errors.ts";
import { withoutUnfitImages } from "../../core/images/image-guard.ts";
import type { PageGeometry } from "../../core/rendering/page-geometry.ts";
import type { Template } from "../../core/templates/template.ts";
import type { FileMetadata } from "../../core/documents/document.ts";
import type { RenderJob, RenderOutcome } from "../../core/rendering/render-job.ts";
import type { Services } from "../../ports.ts";
import { inlineImages } from "./inline-images.ts";

export type RenderPlan = {
  template: Template;
  draft: DocumentDraft;
  webhookUrl: string | null;
  page: PageGeometry;
  /** Checked against the template's fields, defaults filled in. */
  data: Record<string, unknown>;
  warnings: string[];
  /** PNG: boxes are exactly as high as the page. */
  fixedHeight: boolean;
  /** ms since the epoch. */
  deadline: number;
};

export type RenderResult =
  | { status: "rendered"; metadata: FileMetadata }
  | { status: "failed"; error: ServiceError }
  /** Nobody's fault, and nothing was made: the caller may try again. */
  | { status: "no_capacity"; error: ServiceError };

/** A second try needs at least this much time to be worth a browser. */
const minRetryMs = 4_000;

export async function renderDocument(services: Services, plan: RenderPlan): Promise<RenderResult> {
  const loaded = await loadTemplate(services, plan);
  if (loaded.status !== "loaded") return loaded;
  const { compiled } = loaded;
  const inlined = await inlineImages(services, plan.template.manifest.fields, plan);
  const { data, warnings } = withoutUnfitImages(inlined.data);
  const { draft, page, fixedHeight } = plan;
  const html = documentHtml({ ...draft, compiled, data, page, fixedHeight });
  if (html.status === "problem") {
    const { file, line, reason } = html.problem;
    return failed(
      renderFailed(422, `The template cannot be rendered with this data: ${file}, line ${line}: ${reason}.`),
    );
  }
  const result = await renderHtml(services, plan, html);
  if (result.status !== "rendered") return result;
  return {
    status: "rendered",
    metadata: {
      ...result.metadata,
      warnings: [...plan.warnings, ...inlined.warnings, ...warnings, ...result.metadata.warnings],
    },
  };
}

async function loadTemplate(services: Services, { template, draft }: RenderPlan) {
  try {
    return { status: "loaded", compiled: await services.templates.compiled(template) } as const;
  } catch (cause) {
    services.log("error", { event: "template.load_failed", documentId: draft.id, templateId: template.id, cause });
    return failed(renderFailed(502, "The template could not be loaded.", { cause }));
  }
}

async function renderHtml(
  services: Services,
  { draft, page, template, deadline }: RenderPlan,
  { html, headChars, markupChars }: { html: string; headChars: number; markupChars: number },
): Promise<RenderResult> {
  const { accountId, format, deviceScaleFactor, fileKey } = draft;
  const job = {
    accountId,
    html,
    headChars,
    format,
    page,
    margin: template.manifest.margin,
    deviceScaleFactor,
    fileKey,
    metadata: { createdAt: draft.createdAt, language: template.manifest.locale },
    markupChars,
  };
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = deadline - services.now();
    const outcome = timeoutMs > 0 ? await renderOnce(services, { ...job, timeoutMs }) : timedOut;
    switch (outcome.status) {
      case "rendered": {
        const { status: _, ...metadata } = outcome;
        return { status: "rendered", metadata };
      }
      case "impossible":
        return failed(renderFailed(422, outcome.message));
      case "no_capacity": {
        const { retryAfterSeconds } = outcome;
        const error = renderFailed(503, "No browser is free at the moment. Try again shortly.", { retryAfterSeconds });
        return { status: "no_capacity", error };
      }
      case "timed_out":
        return failed(renderFailed(504, "The render took too long and was ended."));
      case "crashed":
        services.log("warn", { event: "render.crashed", documentId: draft.id, attempt, reason: outcome.reason });
        if (attempt === 1 && deadline - services.now() > minRetryMs) continue;
        return failed(renderFailed(502, "The browser failed while rendering the document."));
    }
  }
}

/** A renderer that rejects is one that crashed. */
function renderOnce(services: Services, job: RenderJob): Promise<RenderOutcome> {
  return services.renderer
    .render(job)
    .catch((cause: unknown): RenderOutcome => ({ status: "crashed", reason: String(cause) }));
}

const timedOut = { status: "timed_out" } as const;

function failed(error: ServiceError): { status: "failed"; error: ServiceError } {
  return { status: "failed", error };
}
