import { describe, expect, it } from "vitest";
import { noMeasurements } from "../../src/core/rendering/render-job.ts";
import { analyticsMetrics } from "../../src/platform/analytics-metrics.ts";
import type { RenderEntry, RequestEntry } from "../../src/ports/metrics.ts";
import type { LogEntry } from "../../src/ports/services.ts";

/** Returns metrics whose dataset keeps every point, or rejects every point with `failure`. */
function world(failure?: Error) {
  const points: AnalyticsEngineDataPoint[] = [];
  const logged: LogEntry[] = [];
  const writeDataPoint = (point: AnalyticsEngineDataPoint = {}) => {
    if (failure) throw failure;
    points.push(point);
  };
  return { points, logged, metrics: analyticsMetrics({ writeDataPoint }, (_level, entry) => void logged.push(entry)) };
}

const request: RequestEntry = {
  requestId: crypto.randomUUID(),
  accountId: crypto.randomUUID(),
  documentId: crypto.randomUUID(),
  method: "POST",
  route: "/api/v1/documents",
  status: 201,
  code: null,
  totalMs: 80,
  requestBytes: 120,
  stages: { authentication: 1, template: 2, record: 9 },
};

const render: RenderEntry = {
  ...noMeasurements("pool-0"),
  requestId: crypto.randomUUID(),
  accountId: crypto.randomUUID(),
  documentId: crypto.randomUUID(),
  attempt: 1,
  outcome: "rendered",
  format: "pdf",
  totalMs: 40,
  browserVersion: "HeadlessChrome/128.0.6613.84",
  isSessionReused: true,
  queueMs: 1,
  markupChars: 900,
  fileSize: 20_000,
  pageCount: 2,
};

describe("analyticsMetrics", () => {
  it("writes one point for a request, with -1 for a stage that the request has not reached", () => {
    const { points, metrics } = world();

    metrics.request(request);

    const { requestId, accountId, documentId } = request;
    expect(points).toEqual([
      {
        indexes: [accountId],
        blobs: ["request", requestId, documentId, "POST", "/api/v1/documents", ""],
        doubles: [201, 80, 120, 1, 2, -1, -1, -1, -1, -1, -1, -1, 9],
      },
    ]);
  });

  it("writes one point for a render", () => {
    const { points, metrics } = world();

    metrics.render(render);

    const { requestId, accountId, documentId } = render;
    expect(points).toEqual([
      {
        indexes: [accountId],
        blobs: ["render", requestId, documentId, "rendered", "pdf", "pool-0", "HeadlessChrome/128.0.6613.84"],
        doubles: [1, 40, 1, -1, -1, -1, 1, 900, 20_000, 2],
      },
    ]);
  });

  it("stays within the limits of the platform: one index of 96 bytes, 20 blobs and 20 doubles", () => {
    const { points, metrics } = world();

    metrics.request(request);
    metrics.request({ ...request, accountId: null });
    metrics.render(render);

    for (const { indexes = [], blobs = [], doubles = [] } of points) {
      expect(indexes).toHaveLength(1);
      expect(String(indexes[0]).length).toBeLessThanOrEqual(96);
      expect(Math.max(blobs.length, doubles.length)).toBeLessThanOrEqual(20);
      expect(doubles.every(Number.isFinite)).toBe(true);
    }
  });

  it("logs a point that cannot be written, and does not throw", () => {
    const cause = new Error("too many data points");
    const { logged, metrics } = world(cause);

    metrics.request(request);

    expect(logged).toEqual([{ event: "metrics.failed", cause }]);
  });
});
