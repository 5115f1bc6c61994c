// The Worker of the service with extra routes that measure memory. `globalThis.memoryStage` tells the inspector what the
// isolate is doing: the last command that it sent to the browser, or the last binding that it called.
import { BrowserPool } from "../../src/objects/browser-pool.ts";
import { paperGeometry } from "../../src/core/rendering/page-geometry.ts";
import type { SentFile } from "../../src/core/rendering/document/resolve-files.ts";
import type { JobText, PoolJob } from "../../src/platform/rendering/job-content.ts";
import type { PoolObject } from "../../src/platform/rendering/pool-client.ts";
import type { ObjectNamespace } from "../../src/platform/object-client.ts";
import worker from "../../src/index.ts";
import { largeDocuments, type LargeDocument } from "./documents.ts";

export { AccountQuota } from "../../src/objects/account-quota.ts";
export { WebhookSender } from "../../src/objects/webhook-sender.ts";
export { BrowserPool };

const global = globalThis as { memoryStage?: string };
global.memoryStage = "idle";

const sendPlain = WebSocket.prototype.send;
WebSocket.prototype.send = function (message) {
  const start = typeof message === "string" ? message.slice(0, 400) : "";
  const [, method] = /"method":"([^"]+)"/.exec(start) ?? [];
  const [, called] = /this\.(\w+)\(/.exec(start) ?? [];
  if (method && method !== "Browser.getVersion") global.memoryStage = called ?? method;
  sendPlain.call(this, message);
};

export default {
  ...worker,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/memory/pool") return Response.json(await renderLarge(env, searchParams.getAll("document")));
    return worker.fetch(request, stagedEnv(env, searchParams.get("pool")), context);
  },
} satisfies ExportedHandler<Env>;

/** Renders the named documents at the same time, each for its own account. */
async function renderLarge(env: Env, names: string[]): Promise<unknown[]> {
  const pools = env.BROWSER_POOL as unknown as ObjectNamespace<PoolObject>;
  const pool = pools.get(pools.idFromName("enam-0"));
  return Promise.all(
    names.map(async (name, index) => {
      const document = largeDocuments[name];
      if (!document) throw new Error(`there is no document ${name}`);
      const { status } = await pool.render(poolJobOf(document, `account-${index}`), true, null);
      return `${name}: ${status}`;
    }),
  );
}

const filePart = new TextEncoder().encode("A".repeat(256_000));

/** The files are made while they are sent, so that only the pool has them in memory. */
function poolJobOf({ content, fileBytes, format, page }: LargeDocument, accountId: string): PoolJob {
  const type = "data:image/png;base64";
  const files: SentFile[] = fileBytes === 0 ? [] : [{ placeholder: filePlaceholder, chars: fileBytes, type }];
  const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta><style></style><style></style>';
  const text: JobText = { head, css: "", content: content(), marginContents: [], files, styleFiles: [] };
  const bytes = new TextEncoder().encode(JSON.stringify(text));
  let left = fileBytes;
  const stream = new ReadableStream({
    type: "bytes",
    start: (controller) => controller.enqueue(bytes.slice()),
    pull(controller) {
      if (left > 0) controller.enqueue(filePart.slice(0, Math.min(left, filePart.length)));
      else controller.close();
      left -= filePart.length;
    },
  });
  return {
    accountId,
    content: stream,
    textBytes: bytes.length,
    fileBytes,
    templateHash: "",
    format,
    page: page ?? paperGeometry("A4", "portrait"),
    margin: { top: 0, right: 0, bottom: 0, left: 0 },
    deviceScaleFactor: 1,
    fileKey: `${crypto.randomUUID()}.${format}`,
    metadata: { createdAt: 0, language: "en" },
    markupChars: text.content.length,
    inlinedChars: fileBytes,
    timeoutMs: 60_000,
  };
}

const filePlaceholder = "colophon-file-11111111-1111-4111-8111-111111111111:0;";

type Method = (...args: unknown[]) => unknown;

/** Names the stage after each call of a binding. If `pool` is `slow`, the pool is a fake that reads slowly. */
function stagedEnv(env: Env, pool: string | null): Env {
  const staged = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get: (_, property) => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          global.memoryStage = `${name}.${String(property)}`;
          return (target as Record<string | symbol, Method>)[property]?.(...args);
        };
      },
    });
  const BROWSER_POOL = pool === "slow" ? (slowPools(env) as unknown as Env["BROWSER_POOL"]) : env.BROWSER_POOL;
  return { ...env, TEMPLATES: staged("TEMPLATES", env.TEMPLATES), DB: staged("DB", env.DB), BROWSER_POOL };
}

/** A pool that takes a few seconds to read a document. Everything that it reads is dropped at once. */
function slowPools(env: Env): ObjectNamespace<PoolObject> {
  return {
    idFromName: (name) => env.BROWSER_POOL.idFromName(name),
    get: () => ({
      browserVersion: async () => "",
      async render({ content }) {
        global.memoryStage = "render";
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        if (!(content instanceof Uint8Array))
          await content.pipeTo(new WritableStream({ write: () => scheduler.wait(10) }));
        return { status: "impossible", message: "nothing was rendered" };
      },
    }),
  };
}
