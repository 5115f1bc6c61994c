// Measures the calls of the ports that a request makes, so that operations need not. Also notes which document the request
// is about, records every render, and adds the request's id to what operations log.
import {
  noMeasurements,
  type RenderJob,
  type RenderMeasurements,
  type RenderOutcome,
} from "colophon-render/render-job";
import type { StageClock } from "../../core/observation/stage-clock.ts";
import type { Renderer } from "colophon-render/render-services";
import type { Services } from "../../ports/services.ts";
import type { Log } from "colophon-base/log";

/** What is known of a request beyond its response. */
export type RequestTrace = {
  requestId: string;
  clock: StageClock;
  /** The document that the request creates, reads or deletes, once it is known. */
  documentId: string | null;
};

export function observedServices(services: Services, trace: RequestTrace): Services {
  const { measure } = trace.clock;
  const { keys, templates, quota, documents, images } = services;
  return {
    ...services,
    log: logWithId(services.log, trace),
    measure,
    keys: {
      ...keys,
      findCaller: (key, nowMs, isFresh) => measure("authentication", () => keys.findCaller(key, nowMs, isFresh)),
    },
    templates: {
      ...templates,
      find: (accountId, id) => measure("template", () => templates.find(accountId, id)),
      findVersion: (accountId, id, version) => measure("template", () => templates.findVersion(accountId, id, version)),
      compiled: (template) => measure("template", () => templates.compiled(template)),
      sizeBytes: (template) => measure("template", () => templates.sizeBytes(template)),
    },
    quota: {
      ...quota,
      async reserve(request) {
        const reservation = await measure("reserve", () => quota.reserve(request));
        if (reservation.status === "reserved") trace.documentId = request.hold.draft.id;
        return reservation;
      },
    },
    documents: {
      ...documents,
      insert: (document, event) => measure("record", () => documents.insert(document, event)),
      async find(accountId, id) {
        const document = await documents.find(accountId, id);
        if (document) trace.documentId = document.id;
        return document;
      },
    },
    images: { fetch: (url, timeoutMs) => measure("images", () => images.fetch(url, timeoutMs)) },
    renderer: observedRenderer(services, trace),
  };
}

function logWithId(log: Log, { requestId }: RequestTrace): Log {
  return (level, { event, ...details }) => log(level, { event, requestId, ...details });
}

function observedRenderer(services: Services, trace: RequestTrace): Renderer {
  const { renderer, now, log } = services;
  let attempts = 0;
  return {
    async render(job, renderMargins) {
      const attempt = ++attempts;
      const startedMs = now();
      let measured: RenderMeasurements | null = null;
      const record = (outcome: RenderOutcome | null) => {
        const totalMs = now() - startedMs;
        countStages(trace.clock, measured ?? { ...noMeasurements(), browserMs: totalMs });
        const { requestId, documentId } = trace;
        const ids = { requestId, accountId: job.accountId, documentId, attempt };
        const entry = { ...ids, ...resultOf(job, outcome), totalMs, ...(measured ?? noMeasurements()) };
        log("info", { event: "render.ended", ...entry });
      };
      try {
        const outcome = await renderer.render(job, renderMargins, (measurements) => (measured = measurements));
        record(outcome);
        return outcome;
      } catch (cause) {
        record(null);
        throw cause;
      }
    },
  };
}

function countStages(clock: StageClock, { queueMs, sessionMs, browserMs, putMs }: RenderMeasurements): void {
  const measured = { queue: queueMs, session: sessionMs, browser: browserMs, put: putMs } as const;
  for (const stage of ["queue", "session", "browser", "put"] as const) {
    const ms = measured[stage];
    if (ms !== null) clock.add(stage, ms);
  }
}

/** The outcome is null when the renderer rejected, which counts as a crash. */
function resultOf({ format, markupChars }: RenderJob, outcome: RenderOutcome | null) {
  const file = outcome?.status === "rendered" ? outcome : null;
  return {
    outcome: outcome?.status ?? ("crashed" as const),
    format,
    markupChars,
    fileSize: file?.fileSize ?? null,
    pageCount: file?.pageCount ?? null,
  };
}
