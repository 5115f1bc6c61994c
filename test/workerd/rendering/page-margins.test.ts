// Tests that a render in a real Durable Object can request headers and footers from the Worker over the platform's RPC. Only
// the browser is a fake.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CodedError } from "colophon-base/loggable-error";
import type { SentMargins } from "colophon-page/prepared-page";
import { openContent, poolJob } from "colophon-render/job-content";
import { poolMargins, type PoolMargins } from "colophon-render/margin-content";
import type { PageMargins, RenderMargins } from "colophon-render/render-services";
import type { WarmPage } from "colophon-render/warm-page";
import { pageInfo, type PageInfo } from "colophon-template-model/page-info";
import { renderJob } from "colophon-test-kit/render-job";
import { PooledSession } from "../../../src/objects/rendering/pooled-session.ts";
import { SessionSupervisor } from "../../../src/objects/rendering/session-supervisor.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import { poolClient, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { newTenant, post, type Service } from "../../fixtures/tenant.ts";
import { FakeBrowsers } from "../../objects/rendering/fake-browsers.ts";
import { testService } from "../app.ts";

const namespace = env.BROWSER_POOL as unknown as ObjectNamespace<PoolObject>;
const pages = pageInfo(2, { sections: [{ title: "Terms", page: 0 }] });
const markups = { markups: ["1", "2"], headerOfPage: [0, 1], footerOfPage: null, files: [] };
const margins: PageMargins = { status: "ok", ...markups };
const rendered = expect.objectContaining({ status: "rendered" });

/** The pages of each call of `renderMargins`. */
let asked: PageInfo[][];
const renderMargins: RenderMargins = async (forPages) => {
  asked.push(forPages);
  return margins;
};

/** The page of the fake browser. `received` is what `renderMargins` returned. A test may replace `render`. */
let page: { received: unknown[]; isClosed: boolean; render: WarmPage["render"] };

beforeEach(() => {
  asked = [];
  page = {
    received: [],
    isClosed: false,
    render: async (_job, renderMargins) => {
      const received = await renderMargins?.(pages);
      if (received && received.status !== "ok") return received;
      page.received.push(received && (await openContent(received, Date.now() + 5_000)).text);
      return {
        status: "rendered",
        bytes: new Uint8Array([1]),
        pageCount: 2,
        width: 794,
        height: 1123,
        imageSize: null,
        warnings: [],
      };
    },
  };
  // The object logs the failures.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(SessionSupervisor.prototype, "acquire").mockImplementation(openFakeSession);
});
afterEach(() => void vi.restoreAllMocks());

/** Opens a session in the context of the calling object, because objects may not share promises. */
async function openFakeSession(): Promise<PooledSession> {
  const session = await new FakeBrowsers().openSession();
  const warm: WarmPage = {
    render: (...input) => page.render(...input),
    styleChars: () => 0,
    close: async () => void (page.isClosed = true),
  };
  return new PooledSession(session, async () => warm, 4);
}

const newJob = (timeoutMs: number) => renderJob({ fileKey: `${crypto.randomUUID()}.pdf`, timeoutMs });

/** Renders a job, with a new file key, in the real object. */
function render(renderMargins: RenderMargins | null, timeoutMs = 5_000) {
  const pool = poolClient(namespace, { regions: ["weur"], perRegion: 1, batchPools: 0, pages: 8 }, "weur");
  return pool.render(newJob(timeoutMs), { renderMargins });
}

/** Renders in the real object with exactly this function, which `poolClient` would wrap. */
function renderWith(renderMargins: PoolMargins, timeoutMs = 5_000) {
  const pool = namespace.get(namespace.idFromName("weur-0"));
  return pool.render(poolJob(newJob(timeoutMs)), renderMargins);
}

it("a render in the browser pool gets headers for the pages that it lists", async () => {
  expect(await render(renderMargins)).toEqual(rendered);

  expect(asked).toEqual([pages]);
  expect(page.received).toEqual([markups]);
});

it("the second attempt of a render can request headers with the same function", async () => {
  page.render = vi.fn(page.render).mockRejectedValueOnce(new CodedError("page.process_ended"));

  expect(await render(renderMargins)).toMatchObject({ status: "crashed", reason: "page.process_ended" });
  expect(await render(renderMargins)).toEqual(rendered);

  expect(asked).toEqual([pages]);
});

it("a render in the browser pool gets headers and footers of the largest size that the limits allow", async () => {
  // The characters beyond Latin-1 take two bytes each.
  const markups = Array.from({ length: 1_000 }, () => "頁".repeat(2_000));
  const files = [{ placeholder: "logo", uri: `data:image/png;base64,${"A".repeat(26_600_000)}` }];
  const pageIndexes = Array.from({ length: 500 }, (_, index) => index);
  const large = { markups, files, headerOfPage: pageIndexes, footerOfPage: pageIndexes };
  const received: { text?: unknown; fileChars: number } = { fileChars: 0 };
  page.render = async (_job, renderMargins) => {
    const streamed = await renderMargins?.(pages);
    if (streamed?.status !== "ok") throw new Error("there are no headers and footers");
    const { text, filesOf } = await openContent<SentMargins>(streamed, Date.now() + 5_000);
    received.text = text;
    for await (const part of filesOf(text.files)) received.fileChars += part.length;
    return { status: "impossible", message: "a test" };
  };

  await render(async () => ({ status: "ok", ...large }));

  const sent = [{ placeholder: "logo", chars: 26_600_022, type: "data:image/png;base64" }];
  expect(received).toEqual({ text: { ...large, files: sent }, fileChars: 26_600_022 });
});

it("a render in the browser pool ends with the outcome of its headers", async () => {
  const outcome = { status: "impossible", message: "header.liquid, line 2: the template does too much work." } as const;

  expect(await render(async () => outcome)).toEqual(outcome);
  expect(page.isClosed).toBe(false);
});

/** Returns the API with the real renderer, which the shared test service replaces. */
function service(): Service {
  const { renderer } = requestServices(env, () => {});
  return testService(() => ({ renderer }));
}

it("the headers of a document that read `page` are rendered for the pages that the browser has printed", async () => {
  const header = "{{ page.section }} {{ page.number }}/{{ page.total }} {{ name }}";
  const tenant = await newTenant(env, { content: { header } });

  const response = await post(service(), tenant, { templateId: tenant.templateId, data: { name: "Ada" } });

  expect(response.status).toBe(201);
  expect(page.received).toMatchObject([{ markups: ["Terms 1/2 Ada", "Terms 2/2 Ada"], headerOfPage: [0, 1] }]);
});

it("the function that renders headers is released when the render has ended", async () => {
  const released = vi.fn();

  await renderWith(
    Object.assign(
      poolMargins(async () => margins),
      { [Symbol.dispose]: released },
    ),
  );

  await vi.waitUntil(() => released.mock.calls.length > 0, { timeout: 10_000 });
  expect(released).toHaveBeenCalledTimes(1);
});

it("the function that renders headers is released when it responds after the render has timed out", async () => {
  const released = vi.fn();
  const response = Promise.withResolvers<PageMargins>();

  await renderWith(
    Object.assign(
      poolMargins(() => response.promise),
      { [Symbol.dispose]: released },
    ),
    600,
  );
  response.resolve(margins);

  await vi.waitUntil(() => released.mock.calls.length > 0, { timeout: 10_000 });
  expect(released).toHaveBeenCalledTimes(1);
});

it("the function that renders headers cannot be called after the render has ended", async () => {
  const late = Promise.withResolvers<unknown>();
  page.render = async (_job, keptFunction) => {
    setTimeout(() => late.resolve(keptFunction?.(pages)), 50);
    return { status: "impossible", message: "a test" };
  };

  await render(renderMargins);

  expect(await late.promise).toMatchObject({ status: "crashed" });
  expect(asked).toEqual([]);
});
