// The service's Worker with additional routes for measuring memory. `globalThis.memoryStage` tells the inspector what the
// isolate is doing: the last command sent to the browser, or the last binding called.
import { env as bindings } from "cloudflare:workers";
import { paperGeometry } from "colophon-page/page-geometry";
import type { SentMargins } from "colophon-page/prepared-page";
import type { SentFile } from "colophon-page/resolve-files";
import type { Content, JobText, PoolJob } from "colophon-render/job-content";
import type { PoolMargins } from "colophon-render/margin-content";
import { noMeasurements } from "colophon-render/render-job";
import { noisePng } from "colophon-test-kit/photo";
import { renderJob } from "colophon-test-kit/render-job";
import worker from "../../src/index.ts";
import type { ObjectNamespace } from "../../src/platform/object-client.ts";
import type { PoolObject } from "../../src/platform/rendering/pool-client.ts";
import { newTenant } from "../../test/fixtures/tenant.ts";
import { changeMethods, type Method } from "../harness/change-methods.ts";
import { largeCreates } from "./creates.ts";
import {
  largeDocuments,
  nothingRendered,
  pictureCount,
  pictureSidePx,
  placeholderOf,
  type LargeDocument,
} from "./documents.ts";

export { AccountQuota, BatchRunner, BrowserPool, WebhookSender } from "../../src/index.ts";

const global = globalThis as { memoryStage?: string };
global.memoryStage = "idle";

const named =
  (binding: string) =>
  (method: Method, name: string): Method =>
    function (this: unknown, ...values) {
      global.memoryStage = `${binding}.${name}`;
      return Reflect.apply(method, this, values);
    };
changeMethods(bindings.DB, ["batch", "prepare"], named("DB"));
changeMethods(bindings.FILES, ["put"], named("FILES"));
changeMethods(bindings.TEMPLATES, ["get"], named("TEMPLATES"));

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
  scheduled: () => {},
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/memory/pictures") return Response.json({ stored: await storeParts(env) });
    if (pathname === "/memory/pool") return Response.json(await renderLarge(env, searchParams.getAll("document")));
    if (pathname === "/memory/tenant") {
      const create = largeCreates[searchParams.get("create") ?? ""];
      return Response.json(await newTenant(env, create?.tenant()));
    }
    // The pool is a fake, so that only the Worker has documents in memory.
    const BROWSER_POOL = slowPools(env) as unknown as Env["BROWSER_POOL"];
    return worker.fetch(request, { ...env, BROWSER_POOL }, context);
  },
} satisfies ExportedHandler<Env>;

/** Renders the named documents at the same time, each for a separate account. */
async function renderLarge(env: Env, names: string[]): Promise<unknown[]> {
  const pools = env.BROWSER_POOL as unknown as ObjectNamespace<PoolObject>;
  const pool = pools.get(pools.idFromName("enam-0"));
  return Promise.all(
    names.map(async (name, index) => {
      const document = largeDocuments[name];
      if (!document) throw new Error(`there is no document ${name}`);
      const job = await poolJobOf(env, name, document, `account-${index}`);
      const outcome = await pool.render(job, marginsFor(env, name, document));
      return outcome.status === "rendered"
        ? `${name}: ${(outcome.fileSize / 1e6).toFixed(1)} MB`
        : `${name}: ${outcome.status} ${"message" in outcome ? outcome.message : "reason" in outcome ? outcome.reason : ""}`;
    }),
  );
}

const pictureKey = (picture: number) => `picture-${picture}`;

/** Stores the parts of documents. They are sent from there, so that only the pool has them in memory. */
async function storeParts(env: Env): Promise<void> {
  for (let picture = 0; picture < pictureCount; picture++) {
    const png = await noisePng(pictureSidePx, pictureSidePx);
    await env.FILES.put(pictureKey(picture), `${pictureType},${Buffer.from(png).toString("base64")}`);
  }
  for (const [name, document] of Object.entries(largeDocuments)) {
    const files = await sentPictures(env, document.pictures);
    const { text, margins } = partsOf(document, files);
    const customMetadata = { markupChars: String(text.content.length) };
    await env.FILES.put(textKey(name), JSON.stringify(text), { customMetadata });
    await env.FILES.put(marginsKey(name), JSON.stringify(margins));
  }
}

const pictureType = "data:image/png;base64";
const textKey = (name: string) => `text of ${name}`;
const marginsKey = (name: string) => `margins of ${name}`;

function partsOf({ content, header }: LargeDocument, files: SentFile[]): { text: JobText; margins: SentMargins } {
  const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta><style></style><style></style>';
  const marginContents: JobText["marginContents"] = header ? [{ edge: "header", markup: "<p>€</p>" }] : [];
  const own = { head, css: "", content: content(), marginContents, files: header ? [] : files, styleFiles: [] };
  const markups = header ? [header()] : [];
  return { text: own, margins: { markups, headerOfPage: [0], footerOfPage: null, files } };
}

async function sentPictures({ FILES }: Env, pictures: number): Promise<SentFile[]> {
  const files: SentFile[] = [];
  for (let picture = 0; picture < pictures; picture++) {
    const chars = (await FILES.head(pictureKey(picture)))?.size ?? 0;
    files.push({ placeholder: placeholderOf(picture), chars, type: pictureType });
  }
  return files;
}

/** Returns the text that is stored under this key, with the pictures, as a stream. */
async function storedContent(
  { FILES }: Env,
  key: string,
  pictures: number,
): Promise<Content & { markupChars: number }> {
  const stored = await FILES.head(key);
  const textBytes = stored?.size ?? 0;
  const fileBytes = (await sentPictures({ FILES } as Env, pictures)).reduce((sum, { chars }) => sum + chars, 0);
  const { readable, writable } = new FixedLengthStream(textBytes + fileBytes);
  const send = async () => {
    const keys = [key, ...Array.from({ length: pictures }, (_, picture) => pictureKey(picture))];
    for (const each of keys) await (await FILES.get(each))?.body.pipeTo(writable, { preventClose: true });
    await writable.close();
  };
  send().catch((cause: unknown) => console.log(`a document was not sent: ${String(cause)}`));
  return { content: readable, textBytes, fileBytes, markupChars: Number(stored?.customMetadata?.["markupChars"]) };
}

async function poolJobOf(
  env: Env,
  name: string,
  { header, pictures, format, imageQuality, page }: LargeDocument,
  accountId: string,
): Promise<PoolJob> {
  const content = await storedContent(env, textKey(name), header ? 0 : pictures);
  const job = renderJob({
    accountId,
    format,
    page: page ?? paperGeometry("A4", "portrait"),
    margin: { top: 0, right: 0, bottom: 0, left: 0 },
    // At a scale of 3, a PDF keeps the pixels of its pictures.
    deviceScaleFactor: format === "pdf" ? 3 : 1,
    imageQuality: imageQuality ?? null,
    fileKey: `${crypto.randomUUID()}.${format}`,
    timeoutMs: 150_000,
  });
  return { ...job, ...content };
}

function marginsFor(env: Env, name: string, { header, pictures }: LargeDocument): PoolMargins | null {
  if (!header) return null;
  return async () => ({ status: "ok", ...(await storedContent(env, marginsKey(name), pictures)) });
}

/** A pool that takes a few seconds to read a document, and drops everything that it reads. */
function slowPools(env: Env): ObjectNamespace<PoolObject> {
  return {
    idFromName: (name) => env.BROWSER_POOL.idFromName(name),
    get: () => ({
      browserVersion: async () => "",
      workerVersion: async () => "",
      async render({ content }) {
        global.memoryStage = "render";
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        if (!(content instanceof Uint8Array))
          for await (const _ of content) global.memoryStage = "reading the document";
        return { status: "impossible", message: nothingRendered, measurements: noMeasurements() };
      },
    }),
  };
}
