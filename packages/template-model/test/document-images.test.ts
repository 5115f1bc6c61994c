import { expect, it } from "vitest";
import { dataUri, png } from "colophon-test-kit/images";
import { field } from "colophon-test-kit/template-content";
import { imageProblems, maxDocumentPixels, withoutUnfitImages } from "../src/document-images.ts";
import type { Field } from "../src/template.ts";
import { validateData } from "../src/validate-data.ts";

const good = dataUri("png", png(640, 480));
const bomb = dataUri("png", png(60_000, 60_000));

/** Checks the images in the data. Returns the warnings and, by path, the source of each image after the check. */
function checked(fields: Field[], data: Record<string, unknown>) {
  const { images, warnings } = withoutUnfitImages(validateData(fields, data).data.images);
  return { sources: Object.fromEntries(images.map(({ path, source }) => [path, source])), warnings };
}

it("refused images are named by their paths at any depth of the data", () => {
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

it("the check of images does not modify the given images", () => {
  const { images } = validateData([field("photo", "image")], { photo: bomb }).data;

  withoutUnfitImages(images);

  expect(images).toMatchObject([{ path: "photo", source: bomb }]);
});

it("the URI of an image is not checked again if its result is known", () => {
  const { images } = validateData([field("a", "image"), field("b", "image")], { a: good, b: bomb }).data;
  const known = new Map([
    [good, { status: "ok", pixels: maxDocumentPixels } as const],
    [bomb, { status: "ok", pixels: 1 } as const],
  ]);

  const { warnings } = withoutUnfitImages(images, known);

  expect(warnings).toEqual([expect.stringMatching(/^The image `b` was left empty: the images of one document/)]);
});

it("the check of images keeps image URLs unchanged", () => {
  const { sources, warnings } = checked([field("photo", "image")], { photo: "https://example.com/a.png" });

  expect(sources).toEqual({ photo: "https://example.com/a.png" });
  expect(warnings).toEqual([]);
});

it("a repeated image counts only once towards the total number of pixels", () => {
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

it("at most twenty images cause warnings", () => {
  const photos = Array.from({ length: 500 }, () => bomb);

  const { warnings } = checked([field("photos", "list", { items: "image" })], { photos });

  expect(warnings).toHaveLength(20);
});

it("the images that would be left empty are named without fetching any images", () => {
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
    { path: "own", reason: "the image `own` cannot be used: must not name an IP address" },
  ]);
});
