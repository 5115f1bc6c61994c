// Measures a request's calls of the ports, so that operations need not. Also notes which document the request concerns,
// records every render, and adds the request's id to the log entries of operations.
import type { Log } from "colophon-base/log";
import { noMeasurements, type RenderMeasurements, type RenderOutcome } from "colophon-render/render-job";
import type { Renderer } from "colophon-render/render-services";
import type { StageClock } from "../../core/observation/stage-clock.ts";
import type { Services } from "../../ports/services.ts";

/** The details of a request for the log and the metrics, in addition to its response. */
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
      findCaller: (key, nowMs, options) => measure("authentication", () => keys.findCaller(key, nowMs, options)),
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
    async render(job, calls) {
      const attempt = ++attempts;
      const startedMs = now();
      let measured: RenderMeasurements | null = null;
      // Null if the renderer rejects, which counts as a crash.
      let outcome: RenderOutcome | null = null;
      try {
        outcome = await renderer.render(job, { ...calls, report: (measurements) => (measured = measurements) });
        return outcome;
      } finally {
        const totalMs = now() - startedMs;
        countStages(trace.clock, measured ?? { ...noMeasurements(), browserMs: totalMs });
        const { requestId, documentId } = trace;
        const { accountId, format, markupChars } = job;
        const file = outcome?.status === "rendered" ? outcome : null;
        log("info", {
          event: "render.ended",
          requestId,
          accountId,
          documentId,
          attempt,
          outcome: outcome?.status ?? "crashed",
          format,
          markupChars,
          fileSize: file?.fileSize ?? null,
          pageCount: file?.pageCount ?? null,
          totalMs,
          ...(measured ?? noMeasurements()),
        });
      }
    },
  };
}

function countStages(clock: StageClock, measured: RenderMeasurements): void {
  for (const stage of ["queue", "session", "browser", "put"] as const) {
    const ms = measured[`${stage}Ms`];
    if (ms !== null) clock.add(stage, ms);
  }
}
