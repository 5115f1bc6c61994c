import { describe, expect, it } from "vitest";
import type { DocumentFace } from "colophon-fonts/font-index";
import { Admission } from "../../../src/objects/rendering/admission.ts";
import { maxWeight, renderWeight } from "../../../src/objects/rendering/render-weight.ts";

const settings = { concurrentPages: 6, maxPages: 16, queueLength: 8 };
const request = (weight: number, mayWait = false) => ({ accountId: "a", weight, mayWait, timeoutMs: 20_000 });

it("lets all pages render small documents beside one of the largest size", () => {
  const small = renderWeight({ textBytes: 30_000, fileBytes: 200_000 });
  const largest = renderWeight({ textBytes: 8_000_000, fileBytes: 26_700_000 });

  expect(5 * small + largest).toBeLessThanOrEqual(maxWeight);
  expect(2 * largest).toBeGreaterThan(maxWeight);
});

it("makes a heavy render wait until the others leave enough memory, and lets light ones go first", async () => {
  const admission = new Admission(settings);
  const first = await admission.enter(request(maxWeight * 0.7));
  const heavy = admission.enter(request(maxWeight * 0.7, true));

  expect(await admission.enter(request(maxWeight * 0.7))).toMatchObject({ status: "refused" });
  expect(await admission.enter(request(maxWeight * 0.2))).toMatchObject({ status: "admitted" });
  expect(admission.rendersUnderWay).toBe(2);
  if (first.status === "admitted") admission.leave(first.render);
  expect(await heavy).toMatchObject({ status: "admitted" });
});

it("admits a waiting render as soon as the page has the document of another one", async () => {
  const admission = new Admission(settings);
  const first = await admission.enter(request(maxWeight * 0.7));
  const heavy = admission.enter(request(maxWeight * 0.7, true));

  if (first.status === "admitted") admission.documentSent(first.render);

  expect(await heavy).toMatchObject({ status: "admitted" });
  expect([admission.rendersUnderWay, admission.weightUnderWay]).toEqual([2, maxWeight * 0.7]);
});

it("admits a render that weighs more than all renders may, if it is alone", async () => {
  const admission = new Admission(settings);

  expect(await admission.enter(request(2 * maxWeight))).toMatchObject({ status: "admitted" });
  expect(await admission.enter(request(1))).toMatchObject({ status: "refused" });
});

describe("the fonts of the service", () => {
  const fonts = (count: number, name = "noto-sans-jp") =>
    Array.from({ length: count }, (_, index) => ({ id: `${name}-${index}`, weight: "400", style: "normal" }) as const);
  const document = { textBytes: 30_000, fileBytes: 0 };
  const weightOf = (...faces: DocumentFace[]) => renderWeight({ ...document, fonts: faces }) - renderWeight(document);

  it("add to the weight of a document, at most what is on its way to the page at a time", () => {
    expect(weightOf()).toBe(0);
    expect(weightOf(...fonts(4))).toBe(2 * weightOf(...fonts(2)));
    expect(weightOf(...fonts(1_000))).toBe(weightOf(...fonts(100)));
  });

  it("let all pages render documents in Japanese at once, and three with emoji", () => {
    const emoji = weightOf(...fonts(1, "noto-color-emoji-all"));

    expect(6 * renderWeight({ ...document, fonts: fonts(100) })).toBeLessThanOrEqual(maxWeight);
    expect(emoji).toBeGreaterThan(10_000_000);
    expect(3 * emoji).toBeLessThanOrEqual(maxWeight);
  });

  it("count once for each file", () => {
    const [font] = fonts(1);
    if (!font) throw new Error("there is no font");

    expect(weightOf(font, { ...font, weight: "700" })).toBe(weightOf(font));
  });
});
