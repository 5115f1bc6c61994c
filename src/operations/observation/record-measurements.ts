// Records what was measured of requests and renders: as one line in the log, and as one data point if metrics are on.
import type { RenderEntry, RequestEntry } from "../../ports/metrics.ts";
import type { Services } from "../../ports/services.ts";

type Recorders = Pick<Services, "log" | "metrics">;

export function recordRequest({ log, metrics }: Recorders, entry: RequestEntry): void {
  log("info", { event: "request.ended", ...entry });
  metrics?.request(entry);
}

export function recordRender({ log, metrics }: Recorders, entry: RenderEntry): void {
  log("info", { event: "render.ended", ...entry });
  metrics?.render(entry);
}
