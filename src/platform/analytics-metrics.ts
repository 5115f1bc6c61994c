// Writes measurements to Workers Analytics Engine. docs/operations.md lists the columns, because queries name them by number.
import { stages, type StageTimes } from "../core/observation/stage-clock.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Log } from "../ports/services.ts";

export function analyticsMetrics(dataset: AnalyticsEngineDataset, log: Log): Metrics {
  const write = (point: { accountId: string | null; blobs: (string | null)[]; doubles: (number | null)[] }) => {
    const { accountId, blobs, doubles } = point;
    try {
      dataset.writeDataPoint({
        // The index decides which points are kept when there are too many, so that small accounts stay visible.
        indexes: [accountId ?? "none"],
        blobs: blobs.map((blob) => blob ?? ""),
        doubles: doubles.map((number) => number ?? -1),
      });
    } catch (cause) {
      log("warn", { event: "metrics.failed", cause });
    }
  };
  return {
    request: ({ accountId, requestId, documentId, method, route, status, code, totalMs, requestBytes, stages }) =>
      write({
        accountId,
        blobs: ["request", requestId, documentId, method, route, code],
        doubles: [status, totalMs, requestBytes, ...timesOf(stages)],
      }),
    render: ({ accountId, requestId, documentId, outcome, format, pool, browserVersion, ...numbers }) => {
      const { attempt, totalMs, queueMs, sessionMs, browserMs, putMs, isSessionReused } = numbers;
      const { markupChars, fileSize, pageCount } = numbers;
      write({
        accountId,
        blobs: ["render", requestId, documentId, outcome, format, pool, browserVersion],
        doubles: [
          attempt,
          totalMs,
          queueMs,
          sessionMs,
          browserMs,
          putMs,
          isSessionReused === null ? null : Number(isSessionReused),
          markupChars,
          fileSize,
          pageCount,
        ],
      });
    },
  };
}

function timesOf(times: StageTimes): (number | null)[] {
  return stages.map((stage) => times[stage] ?? null);
}
