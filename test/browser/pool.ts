// A pool by itself, on a browser of the test's choice, with files kept in memory.
import { env } from "cloudflare:workers";
import { sessions, type BrowserWorker } from "@cloudflare/puppeteer";
import { contentSecurityPolicy } from "../../src/core/rendering/document-html.ts";
import { overrideGeometry, paperGeometry } from "../../src/core/rendering/page-geometry.ts";
import { browserPool, type BrowserPool, type PoolParts, type PoolSettings } from "../../src/objects/rendering/pool.ts";
import type { LogEntry } from "../../src/ports.ts";
import type { RenderJob, RenderOutcome } from "../../src/core/rendering/render-job.ts";

export type TestPool = Omit<BrowserPool, "render"> & {
  render(job: RenderJob): Promise<RenderOutcome>;
  files: Map<string, Uint8Array>;
  logged: LogEntry[];
  /** The remembered session id. */
  remembered(): string | undefined;
  /** As Worker and pool together do it: a crashed render is tried once more, inside the budget. */
  renderTwice(job: RenderJob): Promise<RenderOutcome>;
};

const settings: PoolSettings = { concurrentPages: 6, maxPages: 16, queueLength: 64, maxRendersPerSession: 1000 };

export function testPool(browser: BrowserWorker, parts: Partial<PoolParts> = {}): TestPool {
  const files = new Map<string, Uint8Array>();
  const logged: LogEntry[] = [];
  let remembered: string | undefined;
  const pool = browserPool({
    browser,
    memory: { load: async () => remembered, save: async (id) => void (remembered = id ?? undefined) },
    store: async ({ fileKey }, bytes, metadata) => {
      files.set(fileKey, bytes);
      return metadata;
    },
    log: (_, entry) => void logged.push(entry),
    settings,
    ...parts,
  });
  const render = (job: RenderJob) => pool.render(job, true);
  return {
    ...pool,
    render,
    files,
    logged,
    remembered: () => remembered,
    async renderTwice(job) {
      const deadline = Date.now() + job.timeoutMs;
      const first = await render(job);
      return first.status === "crashed" ? render({ ...job, timeoutMs: deadline - Date.now() }) : first;
    },
  };
}

/** A document of an account of its own, made and hardened as ours are. */
export function job(markup: string, rest: Partial<RenderJob> = {}): RenderJob {
  const metas = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`;
  const head = `<!doctype html><html lang="en-US"><head>${metas}<style></style><style></style>`;
  return {
    accountId: crypto.randomUUID(),
    html: `${head}<title>Test</title></head><body><section class="page">${markup}</section></body>`,
    headChars: head.length,
    metadata: { createdAt: 0, language: "en-US" },
    format: "pdf",
    page: overrideGeometry(paperGeometry("A4", "portrait"), {}),
    margin: { top: 48, right: 48, bottom: 48, left: 48 },
    deviceScaleFactor: 1,
    fileKey: crypto.randomUUID(),
    markupChars: markup.length,
    timeoutMs: 25_000,
    ...rest,
  };
}

/** The browsers that run at the moment. */
export async function runningSessions(): Promise<string[]> {
  return (await sessions(env.BROWSER)).map(({ sessionId }) => sessionId);
}
