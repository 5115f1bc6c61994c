import { expect, it } from "vitest";
import { withoutRemoteImages } from "../../src/operations/remote-images.ts";
import { field } from "../tenant.ts";

const url = "https://example.com/a.png";
const uri = "data:image/png;base64,iVBORw0KGgo=";
const photo = field("photo", "image");

it("empties an image by URL and warns of it", () => {
  const result = withoutRemoteImages([photo], { photo: url });

  expect(result.data).toEqual({ photo: "" });
  expect(result.warnings).toEqual([
    "The image `photo` was left empty: images by URL are not fetched; send a data: URI.",
  ]);
});

it("knows the scheme in capitals", () => {
  const { data } = withoutRemoteImages([photo], { photo: "HTTPS://example.com/a.png" });

  expect(data["photo"]).toBe("");
});

it("keeps a data: URI", () => {
  const result = withoutRemoteImages([photo], { photo: uri });

  expect(result).toEqual({ data: { photo: uri }, warnings: [] });
});

it("keeps a URL in a field that is no image", () => {
  const result = withoutRemoteImages([field("website", "string")], { website: url });

  expect(result).toEqual({ data: { website: url }, warnings: [] });
});

it.each([
  ["an object", field("seller", "object", { fields: [photo] }), { seller: { photo: url } }, "seller.photo"],
  ["a list of objects", field("items", "list", { fields: [photo] }), { items: [{}, { photo: url }] }, "items.1.photo"],
  ["a list of images", field("photos", "list", { items: "image" }), { photos: [uri, url] }, "photos.1"],
])("finds an image in %s and names its path", (_what, inside, data, path) => {
  const result = withoutRemoteImages([inside], data);

  expect(JSON.stringify(result.data)).not.toContain(url);
  expect(result.warnings).toEqual([expect.stringContaining(`\`${path}\``)]);
});

it("does not change the data it was given", () => {
  const data = { items: [{ photo: url }] };

  withoutRemoteImages([field("items", "list", { fields: [photo] })], data);

  expect(data).toEqual({ items: [{ photo: url }] });
});

it("adds nothing for a field that is absent", () => {
  const { data } = withoutRemoteImages([photo, field("name", "string")], {});

  expect(Object.keys(data)).toEqual([]);
});

it("adds nothing for an absent field whose name every object knows", () => {
  const { data } = withoutRemoteImages([field("constructor", "string"), field("toString", "string")], {});

  expect(Object.keys(data)).toEqual([]);
});
