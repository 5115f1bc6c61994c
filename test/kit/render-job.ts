// A render job with one small page, as the Worker creates it and as a pool receives it. A test may override any property of the
// former.
import { paperGeometry } from "colophon-page/page-geometry";
import { poolJob, type PoolJob } from "colophon-render/job-content";
import type { RenderJob } from "colophon-render/render-job";

export function renderJob(rest: Partial<RenderJob> = {}): RenderJob & PoolJob {
  const job: RenderJob = {
    accountId: "account",
    fonts: [],
    hyphenation: null,
    html: "<!doctype html><html><head></head><body><section class='page'>x</section></body></html>",
    headChars: 0,
    css: "",
    templateHash: "",
    marginContents: [],
    valueNames: [],
    files: [],
    styleFiles: [],
    markupChars: 100,
    format: "pdf",
    page: paperGeometry("A4", "portrait"),
    margin: { top: 48, right: 48, bottom: 48, left: 48 },
    deviceScaleFactor: 2,
    overflow: "warning",
    imageQuality: null,
    fileKey: "x.pdf",
    metadata: { createdAt: 0, language: "en-US" },
    timeoutMs: 5_000,
    mayRetry: false,
    ...rest,
  };
  return { ...job, ...poolJob(job) };
}
