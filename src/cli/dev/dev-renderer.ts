// The renderer of `template dev`: the browser pool of the service, in this process and with a Chromium of this machine.
// Files are not stored. The caller takes each of them once.
import { noMeasurements, type RenderMeasurements } from "colophon-render/render-job";
import { browserPlatform } from "../../objects/rendering/browser-platform.ts";
import { endSession, openSession } from "../../objects/rendering/browser-session.ts";
import { openWarmPage } from "colophon-render/warm-page";
import { isolateRenderMemory } from "../../objects/rendering/output-memory.ts";
import { RenderPool, type PoolSettings } from "../../objects/rendering/pool.ts";
import { storedSessions } from "../../objects/rendering/session-memory.ts";
import { poolJob } from "colophon-render/job-content";
import { poolMargins } from "colophon-render/margin-content";
import type { Renderer } from "colophon-render/render-services";
import type { Log } from "colophon-base/log";
import { diskFonts } from "./disk-fonts.ts";
import type { LocalChromium } from "./local-chromium.ts";

export type RenderedFile = { bytes: Uint8Array; measured: RenderMeasurements };

export type DevRenderer = Renderer & {
  /** Returns the file of a successful render and forgets it; null if there is none. */
  take(fileKey: string): RenderedFile | null;
  /** Starts the browser before it is needed, and returns its version. */
  start(): Promise<string>;
};

export function devRenderer({ binding }: LocalChromium, settings: PoolSettings, log: Log): DevRenderer {
  const stored = new Map<string, Uint8Array>();
  const measurements = new Map<string, RenderMeasurements>();
  const memory = storedSessions(memoryStorage(), () => {});
  // The browser belongs to this process, which ends it. So it does not matter how long the platform would keep it.
  const parts = { platform: browserPlatform(binding, 0), memory, log };
  const fonts = diskFonts(log);
  const pool = new RenderPool({
    openSession: () => openSession(parts),
    endSession: (sessionId) => endSession(parts, sessionId),
    openPage: (root) => openWarmPage(root, fonts),
    memory,
    renderMemory: isolateRenderMemory,
    async store({ fileKey }, bytes, metadata) {
      stored.set(fileKey, bytes);
      return metadata;
    },
    settings,
    log,
  });
  return {
    async render(job, renderMargins = null) {
      const measured = noMeasurements();
      measurements.set(job.fileKey, measured);
      return pool.render(poolJob(job), renderMargins && poolMargins(renderMargins), measured);
    },
    take(fileKey) {
      const [bytes, measured] = [stored.get(fileKey), measurements.get(fileKey)];
      stored.delete(fileKey);
      measurements.delete(fileKey);
      return bytes && measured ? { bytes, measured } : null;
    },
    start: () => pool.browserVersion(),
  };
}

/** A Durable Object's storage that lasts as long as this process. */
function memoryStorage(): Parameters<typeof storedSessions>[0] {
  const stored = new Map<string, unknown>();
  return {
    get: <T>(key: string) => stored.get(key) as T | undefined,
    put: <T>(key: string, value: T) => void stored.set(key, value),
  };
}
