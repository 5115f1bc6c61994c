import { expect, it } from "vitest";
import { dataUri, gif, jpeg, png } from "colophon-test-kit/images";
import { checkImage, checkImageUri, maxImagePixels, vectorUriProblem } from "../src/image-guard.ts";

const good = dataUri("png", png(640, 480));
const bomb = dataUri("png", png(60_000, 60_000));
const svg = (inner: string) => `data:image/svg+xml,${encodeURIComponent(`<svg>${inner}</svg>`)}`;

it("an image with exactly the maximum number of pixels is accepted", () => {
  const width = 10_000;
  const height = maxImagePixels / width;

  expect(checkImage(png(width, height))).toEqual({ status: "ok", pixels: maxImagePixels });
  expect(checkImage(png(width, height + 1))).toMatchObject({ status: "refused", reason: /10000 x 5001 pixels/ });
});

it("an image with a side longer than the limit is refused, even if it has few pixels", () => {
  expect(checkImage(jpeg(16_384, 1)).status).toBe("ok");
  expect(checkImage(jpeg(16_385, 1)).status).toBe("refused");
});

it("bytes that are not an image are refused, even if their URI declares an image type", () => {
  expect(checkImageUri(`data:image/png;base64,${btoa("<html>")}`)).toMatchObject({ reason: /not a PNG/ });
});

it.each([
  ["base64 with line breaks", good.replace(/.{20}/g, "$&\n")],
  ["base64 with percent-encoded characters", good.replaceAll("A", "%41")],
  ["`BASE64` in capitals after a parameter", good.replace(";base64", ";charset=utf-8;BASE64")],
  [
    "percent-encoding without base64",
    `data:image/gif,${[...gif(2, 2)].map((b) => `%${b.toString(16).padStart(2, "0")}`).join("")}`,
  ],
  ["a fragment", `${good}#x`],
])("a URI with %s is accepted, as in browsers", (_what, uri) => {
  expect(checkImageUri(uri).status).toBe("ok");
});

it.each(["data:image/png;base64", "data:image/png;base64,!!!!", "data:image/png;base64,AA=A", "data:image/png,%8"])(
  "the malformed URI %s is refused",
  (uri) => {
    expect(checkImageUri(uri).status).toBe("refused");
  },
);

it("an SVG that contains an oversized image is refused, even if a nested SVG contains the image", () => {
  const inside = svg(`<image href="${bomb}"/>`);

  expect(checkImageUri(inside)).toMatchObject({ status: "refused", reason: /inside it: it is 60000 x 60000/ });
  expect(checkImageUri(svg(`<image href='${inside}'/>`)).status).toBe("refused");
  expect(checkImageUri(svg(`<image href="${good}"/>`))).toEqual({ status: "ok", pixels: 640 * 480 });
});

it.each([
  ["lines", (uri: string) => uri.replace(/.{20}/g, "$&\n")],
  ["lines that end with references", (uri: string) => uri.replace(/.{20}/g, "$&&#10;")],
  ["a reference in its scheme", (uri: string) => uri.replace("d", "&#100;")],
])("an image in an SVG is read if its URI has %s", (_what, written) => {
  expect(checkImageUri(svg(`<image href="${written(good)}"/>`))).toEqual({ status: "ok", pixels: 640 * 480 });
  expect(checkImageUri(svg(`<image href="${written(bomb)}"/>`)).status).toBe("refused");
});

it("SVGs that are nested more than four levels deep are refused", () => {
  const nested = (levels: number): string =>
    levels === 0 ? "" : `data:image/svg+xml,%3Csvg/${nested(levels - 1).replaceAll("%", "%25")}`;

  expect(checkImageUri(nested(4)).status).toBe("ok");
  expect(checkImageUri(nested(5))).toMatchObject({ reason: expect.stringContaining("nested more than 4 levels deep") });
});

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="#f00"/></svg>';

it.each([
  ["another type", `data:image/png,${encodeURIComponent(drawing)}`, /must begin with `data:image\/svg\+xml`/],
  ["no type", `data:;base64,${btoa(drawing)}`, /must begin with `data:image\/svg\+xml`/],
  ["a fragment in the middle", `data:image/svg+xml;utf8,${drawing}`, /ends at `#`; write `%23`/],
  ["no namespace", svg("<rect/>"), /lacks `xmlns="http:\/\/www.w3.org\/2000\/svg"`/],
  [
    "the bytes of a PNG",
    good.replace("image/png", "image/svg+xml"),
    /not an SVG, as its URI says, but of the type png/,
  ],
])("the check says why browsers do not show an SVG with %s", (_what, uri, reason) => {
  expect(vectorUriProblem(uri)).toMatch(reason);
});

it.each([
  ["an SVG", `data:image/svg+xml,${encodeURIComponent(drawing)}`],
  ["an SVG in base64 with a parameter", `DATA:image/svg+xml;charset=utf-8;base64,${btoa(drawing)}`],
  ["an SVG with a fragment at its end", `data:image/svg+xml,${encodeURIComponent(drawing)}#view`],
  [
    "an SVG with a prefix",
    `data:image/svg+xml,${drawing.replaceAll("svg x", "s:svg x").replace("xmlns", "xmlns:s").replace("#", "%23")}`,
  ],
  ["a PNG that is called a JPEG", good.replace("image/png", "image/jpeg")],
])("the check reports no problem of %s", (_what, uri) => {
  expect(vectorUriProblem(uri)).toBeNull();
});
