import { expect, it } from "vitest";
import {
  checkImage,
  checkImageUri,
  imageProblems,
  maxDocumentPixels,
  maxImagePixels,
  withoutUnfitImages,
} from "../../../src/core/images/image-guard.ts";
import { validateData } from "../../../src/core/templates/validate-data.ts";
import type { Field } from "../../../src/core/templates/template.ts";
import { field } from "../../fixtures/tenant.ts";
import { dataUri, gif, jpeg, png } from "../../fixtures/images.ts";

const good = dataUri("png", png(640, 480));
const bomb = dataUri("png", png(60_000, 60_000));
const svg = (inner: string) => `data:image/svg+xml,${encodeURIComponent(`<svg>${inner}</svg>`)}`;

it("accepts an image with exactly the maximum number of pixels", () => {
  const width = 10_000;
  const height = maxImagePixels / width;

  expect(checkImage(png(width, height))).toEqual({ status: "ok", pixels: maxImagePixels });
  expect(checkImage(png(width, height + 1))).toMatchObject({ status: "refused", reason: /10000 x 5001 pixels/ });
});

it("refuses an image with a side longer than the limit, even if the image has few pixels", () => {
  expect(checkImage(jpeg(16_384, 1)).status).toBe("ok");
  expect(checkImage(jpeg(16_385, 1)).status).toBe("refused");
});

it("refuses bytes that are not an image, even if their URI declares an image type", () => {
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
  ["an SVG in plain text", "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"],
])("accepts a URI with %s, as browsers do", (_what, uri) => {
  expect(checkImageUri(uri).status).toBe("ok");
});

it.each(["data:image/png;base64", "data:image/png;base64,!!!!", "data:image/png;base64,AA=A", "data:image/png,%8"])(
  "refuses the malformed URI %s",
  (uri) => {
    expect(checkImageUri(uri).status).toBe("refused");
  },
);

it("refuses an SVG that contains an oversized image, directly or in a nested SVG", () => {
  const inside = svg(`<image href="${bomb}"/>`);

  expect(checkImageUri(inside)).toMatchObject({ status: "refused", reason: /inside it: it is 60000 x 60000/ });
  expect(checkImageUri(svg(`<image href='${inside}'/>`)).status).toBe("refused");
  expect(checkImageUri(svg(`<image href="${good}"/>`))).toEqual({ status: "ok", pixels: 640 * 480 });
});

it.each([
  ["lines", (uri: string) => uri.replace(/.{20}/g, "$&\n")],
  ["lines that end with references", (uri: string) => uri.replace(/.{20}/g, "$&&#10;")],
  ["a reference in its scheme", (uri: string) => uri.replace("d", "&#100;")],
])("reads an image in an SVG whose URI has %s", (_what, written) => {
  expect(checkImageUri(svg(`<image href="${written(good)}"/>`))).toEqual({ status: "ok", pixels: 640 * 480 });
  expect(checkImageUri(svg(`<image href="${written(bomb)}"/>`)).status).toBe("refused");
});

/** Checks the images in the data. Returns the warnings and, by path, the source of each image after the check. */
function checked(fields: Field[], data: Record<string, unknown>) {
  const { images, warnings } = withoutUnfitImages(validateData(fields, data).data.images);
  return { sources: Object.fromEntries(images.map(({ path, source }) => [path, source])), warnings };
}

it("names the paths of refused images at any depth of the data", () => {
  const fields = [
    field("title", "string"),
    field("photo", "image"),
    field("people", "list", { fields: [field("face", "image")] }),
    field("strip", "list", { items: "image" }),
    field("note", "text"),
  ];
  const data = { title: "data: images", photo: good, people: [{ face: bomb }, { face: good }], strip: [bomb] };

  const { sources, warnings } = checked(fields, { ...data, note: ` ${bomb}` });

  expect(sources).toEqual({ photo: good, "people.0.face": "", "people.1.face": good, "strip.0": "", note: "" });
  expect(warnings).toEqual([
    expect.stringMatching(/^The image `people.0.face` was left empty: it is 60000 x 60000 pixels/),
    expect.stringMatching(/^The image `strip.0` was left empty/),
    expect.stringMatching(/^The image `note` was left empty/),
  ]);
});

it("does not modify the given images", () => {
  const { images } = validateData([field("photo", "image")], { photo: bomb }).data;

  withoutUnfitImages(images);

  expect(images).toMatchObject([{ path: "photo", source: bomb }]);
});

it("does not check the URI of an image whose check is known", () => {
  const { images } = validateData([field("a", "image"), field("b", "image")], { a: good, b: bomb }).data;
  const known = new Map([
    [good, { status: "ok", pixels: maxDocumentPixels } as const],
    [bomb, { status: "ok", pixels: 1 } as const],
  ]);

  const { warnings } = withoutUnfitImages(images, known);

  expect(warnings).toEqual([expect.stringMatching(/^The image `b` was left empty: the images of one document/)]);
});

it("keeps image URLs unchanged", () => {
  const { sources, warnings } = checked([field("photo", "image")], { photo: "https://example.com/a.png" });

  expect(sources).toEqual({ photo: "https://example.com/a.png" });
  expect(warnings).toEqual([]);
});

it("counts a repeated image only once towards the total number of pixels", () => {
  const large = (height: number) => dataUri("png", png(10_000, height));
  const half = maxDocumentPixels / 2 / 10_000;
  const fields = ["a", "again", "b", "c"].map((key) => field(key, "image"));

  const { sources, warnings } = checked(fields, {
    a: large(half),
    again: large(half),
    b: large(half - 1),
    c: large(2),
  });

  expect(Object.entries(sources).filter(([, uri]) => uri === "")).toEqual([["c", ""]]);
  expect(warnings).toEqual([expect.stringMatching(/`c`.*100 megapixels in total/)]);
});

it("warns about at most twenty images", () => {
  const photos = Array.from({ length: 500 }, () => bomb);

  const { warnings } = checked([field("photos", "list", { items: "image" })], { photos });

  expect(warnings).toHaveLength(20);
});

it("refuses SVGs that are nested more than four levels deep", () => {
  const nested = (levels: number): string =>
    levels === 0 ? "" : `data:image/svg+xml,%3Csvg/${nested(levels - 1).replaceAll("%", "%25")}`;

  expect(checkImageUri(nested(4)).status).toBe("ok");
  expect(checkImageUri(nested(5))).toMatchObject({ reason: expect.stringContaining("nested more than 4 levels deep") });
});

it("names the images that would be left empty, without fetching any images", () => {
  const sources = {
    good: dataUri("png", png(1, 1)),
    bad: bomb,
    url: "https://example.com/a.png",
    own: "https://127.0.0.1/a",
  };
  const { data } = validateData(
    Object.keys(sources).map((key) => field(key, "image")),
    sources,
  );

  expect(imageProblems(data.images)).toEqual([
    { path: "bad", reason: expect.stringContaining("pixels") },
    { path: "own", reason: expect.any(String) },
  ]);
});
