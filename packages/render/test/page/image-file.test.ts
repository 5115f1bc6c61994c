// Tests with a fake browser how the image of a test document gets its watermark.
import { expect, it } from "vitest";
import { customGeometry } from "colophon-page/page-geometry";
import { renderJob } from "colophon-test-kit/render-job";
import type { RenderJob } from "../../src/render-job.ts";
import { fakePage, preparation } from "./fake-page.ts";

const page = customGeometry(1_000, 2_000);
const head = "<!doctype html><html><head><meta>";
const styled: Partial<RenderJob> = { html: `${head}<title>x</title>`, headChars: head.length, css: "a{}", page };
const [small, limit] = [1_000_000, 25_000_000];

/** Renders an image, and then a second one that is not a test document. Each capture has one of these numbers of bytes. */
async function rendered(job: Partial<RenderJob>, bytes: number[] = [7, 8, 9]) {
  const sizes = bytes.values();
  const fake = fakePage({
    preparePage: () => preparation({ boxHeights: [1_200.3, 800], warnings: ["w"] }),
    "Page.captureScreenshot": () => ({ data: Buffer.alloc(sizes.next().value ?? 0).toString("base64") }),
  });
  const warm = await fake.open();
  const outcome = await warm.render(renderJob({ ...styled, isTest: true, ...job }), null, fake.memory);
  const commands = fake.sent.length;
  await warm.render(renderJob({ ...styled, format: "png" }));
  const first = (name: string) => fake.sent.slice(0, commands).filter((command) => command[0] === name);
  return { ...fake, outcome, captures: first("Page.captureScreenshot"), released: first("memory.release") };
}

it("the page is captured in a lossless format, and then the service's own document that shows the picture is captured", async () => {
  const { outcome, captures, inputsOf } = await rendered({ format: "jpeg", imageQuality: 80 });

  expect(captures.map(([, { format, quality }]) => [format, quality])).toEqual([
    ["png", undefined],
    ["jpeg", 80],
  ]);
  const [first, second] = captures.map(([, { clip }]) => clip);
  expect(second).toEqual(first);
  expect(inputsOf("Page.setDocumentContent")[1]).not.toMatchObject({ html: expect.stringContaining(head) });
  const shown = inputsOf("preparePage")[1];
  expect(shown).toMatchObject({ css: "", content: expect.stringMatching(/<img src="colophon-file-.*<svg /) });
  expect(inputsOf("receiveFiles").map(({ text }) => text)).toEqual([expect.stringMatching(/^data:image.*;base64,AAA/)]);
  const about = { pageCount: 2, width: 1_000, height: 1_200, imageSize: { width: 2_000, height: 4_000 } };
  expect(outcome).toEqual({ status: "rendered", bytes: Buffer.alloc(8), ...about, warnings: ["w"] });
});

it("the styles of the template are loaded again for the next document", async () => {
  const { inputsOf } = await rendered({ format: "png" });

  expect(inputsOf("preparePage").map(({ css }) => css)).toEqual(["a{}", "", "a{}"]);
});

it.each([
  ["a picture that is too large without loss", "jpeg", [limit + 1, 7, 8], "png,jpeg,jpeg", "rendered"],
  ["a picture that is too large in its format", "png", [limit + 1], "png", "impossible"],
  ["an image that is too large with its mark", "png", [limit, limit + 1], "png,png", "impossible"],
] as const)("the capture is repeated as often as needed for %s", async (_what, format, bytes, formats, status) => {
  // A density of 1 leaves the image so small that no strips are captured.
  const { outcome, captures } = await rendered({ format, imageQuality: 80, deviceScaleFactor: 1 }, [...bytes]);

  expect(captures.map(([, input]) => input["format"]).join()).toBe(formats);
  expect(outcome.status).toBe(status);
});

it.each([
  ["releases the memory once, after the second image, if that is small", [small, small], 1],
  ["keeps the memory of a large image", [small, small + 1], 0],
])("the render of an image %s", async (_what, bytes, times) => {
  const { released } = await rendered({ format: "png" }, bytes);

  expect(released).toHaveLength(times);
});

it("the render of an image fails if the page cannot show the picture", async () => {
  const preparations = [preparation({ boxHeights: [9] }), { status: "impossible", message: "no" }].values();
  const { open } = fakePage({ preparePage: () => preparations.next().value });

  const outcome = await (await open()).render(renderJob({ ...styled, format: "png", isTest: true }));

  expect(outcome).toEqual({ status: "impossible", message: "no" });
});
