// Tests with a fake browser which commands a page sends for a document, and how it handles a document that fails.
import { expect, it, vi } from "vitest";
import { customGeometry, paperGeometry } from "colophon-page/page-geometry";
import { renderJob } from "colophon-test-kit/render-job";
import { fakePage, preparation } from "./fake-page.ts";

const setContent = "Page.setDocumentContent";
const head = "<!doctype html><html><head><meta>";
const files = [{ placeholder: "file:1;", uri: "data:,1" }];
const styles = { css: "a{}", styleFiles: [{ placeholder: "file:2;", uri: "data:,22" }] };
const styled = renderJob({ html: `${head}<title>x</title>`, headChars: head.length, files, ...styles });

it("a page is isolated and hardened before its first document", async () => {
  const { open, sent } = fakePage();

  await (await open()).render(renderJob());

  const documentAt = sent.findIndex(([name]) => name === setContent);
  expect(sent.slice(0, documentAt)).toEqual(
    expect.arrayContaining([
      ["Target.createBrowserContext", { disposeOnDetach: true }],
      ["Target.createTarget", { url: "about:blank", browserContextId: "context" }],
      ["Target.attachToTarget", { targetId: "target", flatten: true }],
      ["Browser.setDownloadBehavior", { behavior: "deny", browserContextId: "context" }],
      ["Emulation.setScriptExecutionDisabled", { value: true }],
      ["Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 }],
      ["Fetch.enable", { patterns: [{ urlPattern: "*" }] }],
      ["Audits.enable", {}],
      ["Inspector.enable", {}],
      ["Emulation.setEmulatedMedia", { media: "print" }],
      ["Input.dispatchMouseEvent", { type: "mouseMoved", x: -10, y: -10 }],
    ]),
  );
});

it("requests are refused with a warning, except requests for scripts and `<base>`", async () => {
  const pause = (requestId: string, resourceType: string, url: string) =>
    emit("Fetch.requestPaused", { requestId, resourceType, request: { url } });
  const report = (violatedDirective: string, blockedURL?: string) => {
    const details = { contentSecurityPolicyIssueDetails: { violatedDirective, blockedURL } };
    emit("Audits.issueAdded", { issue: { details } });
  };
  const preparePage = () => {
    // Longer URLs are cut, so that these two are the same.
    for (const end of ["1", "2"]) pause("image", "Image", `https://a.test/${"x".repeat(1_985)}${end}`);
    report("img-src", "https://b.test/1.png");
    report("script-src");
    report("base-uri", "https://c.test/");
    return preparation();
  };
  const { open, emit, sent } = fakePage({ preparePage });
  const page = await open();
  pause("earlier", "Document", "https://earlier.test/");

  const outcome = await page.render(renderJob());

  expect(outcome).toMatchObject({ warnings: [expect.stringMatching(/^Blocked 2 .*a\.test.*b\.test\/1\.png\)/)] });
  expect(sent).toContainEqual(["Fetch.fulfillRequest", { requestId: "earlier", responseCode: 204 }]);
  expect(sent).toContainEqual(["Fetch.failRequest", { requestId: "image", errorReason: "BlockedByClient" }]);
});

const [page, auto] = [customGeometry(500, 300), customGeometry(500, "auto")];
const pdf = { deviceScaleFactor: 2, viewport: { x: 0, y: 0, width: 1, height: 1, scale: 0 } };
it.each([
  ["a PDF on A4", { page: paperGeometry("A4", "portrait") }, null, { pageHeight: 1123, autoHeight: null }],
  ["another PDF", { page }, { width: 404, height: 300, ...pdf }, { pageHeight: 300, autoHeight: null }],
  ["a high PDF", { page: auto }, { width: 404, height: 16, ...pdf }, { pageHeight: 19_200, autoHeight: "500px" }],
  ["an image", { page: auto, format: "png" }, { width: 500, height: 16, deviceScaleFactor: 3 }, {}],
] as const)("the limits of %s are set, and its viewport is set once", async (_what, rest, metrics, input) => {
  const { open, inputsOf } = fakePage({ preparePage: () => preparation({ boxHeights: [9] }) });
  const warm = await open();

  const job = renderJob({ ...rest, deviceScaleFactor: 3 });
  for (const same of [job, job]) await warm.render(same);

  const viewports = metrics ? [{ ...metrics, mobile: false }] : [];
  expect(inputsOf("Emulation.setDeviceMetricsOverride").slice(1)).toEqual(viewports);
  const [imageDensity, maxTaggedElements] = job.format === "pdf" ? [3, 10_000] : [null, null];
  expect(inputsOf("preparePage")[0]).toMatchObject({ ...input, limits: { imageDensity, maxTaggedElements } });
});

it("warnings are shortened to a thousand characters, because they are stored with the document", async () => {
  const warning = `\`<x-${"a".repeat(5_000)}>\` is told`;
  const page = await fakePage({ preparePage: () => preparation({ warnings: [warning] }) }).open();

  const outcome = await page.render(renderJob());

  expect(outcome).toMatchObject({ warnings: [`${warning.slice(0, 1_000)}…`] });
});

it("the page is emptied before its size changes, because the browser would paint the previous document in the new size", async () => {
  const { open, sent } = fakePage({ preparePage: () => preparation({ boxHeights: [9] }) });
  const warm = await open();

  for (const format of ["pdf", "png"] as const) await warm.render(renderJob({ format }));

  const names = sent.map(([name]) => name).filter((name) => /^(?:Emulation.setDevice|Page.setDocument)/.test(name));
  expect(names.slice(-2)).toEqual([setContent, "Emulation.setDeviceMetricsOverride"]);
});

it("the window of the page is hidden for PDFs and shown for images", async () => {
  const { open, inputsOf } = fakePage({ preparePage: () => preparation({ boxHeights: [9] }) });
  const warm = await open();

  for (const format of ["pdf", "png", "jpeg", "pdf", "pdf"] as const) await warm.render(renderJob({ format }));

  const bounds = ["minimized", "normal", "minimized"].map((windowState) => ({ windowId: 7, bounds: { windowState } }));
  expect(inputsOf("Browser.setWindowBounds")).toEqual(bounds);
});

it.each(["Browser.getWindowForTarget", "Browser.setWindowBounds"])(
  "a page renders in a browser without %s",
  async (name) => {
    const { open } = fakePage({ [name]: () => Promise.reject(new Error("not supported")) });

    expect(await (await open()).render(renderJob())).toMatchObject({ status: "rendered" });
  },
);

it("commands to the browser create no errors with stacks", async () => {
  const limits: number[] = [];
  const { open } = fakePage({ "Page.setDocumentContent": () => limits.push(Error.stackTraceLimit) });
  const before = Error.stackTraceLimit;

  await (await open()).render(renderJob());

  expect([...limits, Error.stackTraceLimit]).toEqual([0, before]);
});

it.each([
  ["the same as before", styled, styled, true],
  ["of another template", styled, { ...styled, templateHash: "other" }, false],
  ["of another density", styled, { ...styled, deviceScaleFactor: 1 }, false],
  ["without a head", renderJob({ files, ...styles }), renderJob({ files, ...styles }), false],
])("a page receives only styles that it lacks, for a document that is %s", async (_what, first, second, isLoaded) => {
  const { open, inputsOf } = fakePage();
  const warm = await open();

  for (const job of [first, second]) await warm.render(job);

  const texts = ["data:,1data:,22", isLoaded ? "data:,1" : "data:,1data:,22"];
  expect(inputsOf("receiveFiles").map(({ text }) => text)).toEqual(texts);
  const sentStyles = { css: "a{}", styleFiles: [{ chars: 8 }] };
  expect(inputsOf("preparePage")).toMatchObject([sentStyles, isLoaded ? { css: null, styleFiles: [] } : sentStyles]);
  const html = `${first.headChars > 0 ? head : ""}</head><body></body></html>`;
  expect(inputsOf(setContent)).toEqual((isLoaded ? [1] : [1, 2]).map(() => ({ frameId: "frame", html })));
  expect(warm.styleChars()).toBe(first.headChars > 0 ? 8 : 0);
});

it("the render in flight and all later renders are rejected when the process of the page ends", async () => {
  const { open, emit } = fakePage({ preparePage: () => new Promise(() => emit("Inspector.targetCrashed")) });
  const warm = await open();

  await expect(warm.render(styled)).rejects.toThrow("page.process_ended");
  await expect(warm.render(styled)).rejects.toThrow("page.process_ended");
});

it("a document that has not arrived shortly before its deadline is refused, so that the page remains usable", async () => {
  const { open } = fakePage();
  const page = await open();
  vi.useFakeTimers();
  const job = { ...renderJob({ timeoutMs: 5_000 }), content: new ReadableStream<Uint8Array>() };
  const outcome = page.render(job);
  const settled = vi.fn();
  outcome.then(settled, settled);

  await vi.advanceTimersByTimeAsync(4_700);
  const before = settled.mock.calls.length;
  await vi.advanceTimersByTimeAsync(299);
  vi.useRealTimers();

  expect([before, settled.mock.calls.length]).toEqual([0, 1]);
  expect(await page.render(renderJob())).toMatchObject({ status: "rendered" });
});
