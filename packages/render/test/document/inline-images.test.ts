import { expect, it } from "vitest";
import { checkImageUri } from "colophon-images/image-guard";
import { withoutUnfitImages } from "colophon-template-model/document-images";
import type { Field } from "colophon-template-model/template";
import { validateData } from "colophon-template-model/validate-data";
import { png as pngOf } from "colophon-test-kit/images";
import { renderWorld } from "colophon-test-kit/render-world";
import { field } from "colophon-test-kit/template-content";
import { maxInlinedBytes } from "../../../template-model/src/document/inlined-files.ts";
import { inlineImages } from "../../src/document/inline-images.ts";
import type { FetchedImage, RenderServices } from "../../src/render-services.ts";

const url = "https://images.example.com/a.png";
const png = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const uri = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
const photo = field("photo", "image");

/** Returns services that fetch images with `fetchImage`. `requested` lists the URLs that were fetched. */
function imageServices(
  fetchImage: (url: string) => FetchedImage | Promise<FetchedImage> = () => ({ status: "fetched", bytes: png }),
) {
  const requested: string[] = [];
  const services = renderWorld({
    images: {
      fetch: async (wanted) => {
        requested.push(wanted);
        return fetchImage(wanted);
      },
    },
  });
  const inline = (fields: Field[], data: Record<string, unknown>) => inlined(services, fields, data);
  return { services, requested, inline };
}

/** Inlines the images in the data. Returns the data as templates see it, and the warnings. */
async function inlined(services: RenderServices, fields: Field[], given: Record<string, unknown>, timeLeftMs = 20_000) {
  const { data } = validateData(fields, given, new Set(["http://a.example.com"]));
  const { images, warnings } = await inlineImages(services, data.images, services.now() + timeLeftMs);
  for (const { source, show } of images) show(source);
  return { data: data.values, warnings };
}

it("a URL is replaced with its image", async () => {
  const { inline } = imageServices();

  const result = await inline([photo], { photo: url });

  expect(result).toEqual({ data: { photo: uri }, warnings: [] });
});

it("data: URIs and URLs in fields of other types are not changed", async () => {
  const { inline, requested } = imageServices();
  const data = { photo: uri, website: url };

  const result = await inline([photo, field("website", "string")], data);

  expect(result).toEqual({ data, warnings: [] });
  expect(requested).toEqual([]);
});

it("a URL is fetched once, however often it is used", async () => {
  const { inline, requested } = imageServices();

  const { data } = await inline([field("photos", "list", { items: "image" })], { photos: [url, url, url] });

  expect(data).toEqual({ photos: [uri, uri, uri] });
  expect(requested).toEqual([url]);
});

it.each<[string, FetchedImage, string]>([
  ["an unreachable server", { status: "failed", reason: "its server could not be reached" }, "could not be reached"],
  ["bytes that are not an image", { status: "fetched", bytes: new TextEncoder().encode("<html>") }, "is not a PNG"],
  ["a redirect to another protocol", { status: "redirected", location: "ftp://a.example.com/" }, "https"],
  ["a redirect to a private address", { status: "redirected", location: "https://10.0.0.1/a.png" }, "IP address"],
  ["a redirect to no URL", { status: "redirected", location: "https://[" }, "redirected to an invalid URL"],
  ["a URL that redirects to itself", { status: "redirected", location: url }, "redirected more than 3 times"],
])("an image is left empty with a warning about %s", async (_what, response, reason) => {
  const { inline } = imageServices(() => response);

  const result = await inline([photo], { photo: url });

  expect(result.data).toEqual({ photo: "" });
  expect(result.warnings).toEqual([expect.stringMatching(`^The image \`photo\` was left empty: .*${reason}`)]);
});

it.each(["https://localhost/a.png", "https://colophon.test/files/x", "http://a.example.com/"])(
  "no image is fetched from %s",
  async (address) => {
    const { inline, requested } = imageServices();

    const result = await inline([photo], { photo: address });

    expect(requested).toEqual([]);
    expect(result.warnings).toEqual([expect.stringContaining("its URL must")]);
  },
);

it("a redirect to a different public address is followed", async () => {
  const { inline, requested } = imageServices((wanted) =>
    wanted === url ? { status: "redirected", location: "/b.png" } : { status: "fetched", bytes: png },
  );

  const result = await inline([photo], { photo: url });

  expect(result).toEqual({ data: { photo: uri }, warnings: [] });
  expect(requested).toEqual([url, "https://images.example.com/b.png"]);
});

it("at most six images are fetched at a time, and fifty in total", async () => {
  let inFlight = 0;
  let most = 0;
  const { inline, requested } = imageServices(async () => {
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inFlight--;
    return { status: "fetched", bytes: png };
  });
  const photos = Array.from({ length: 60 }, (_, index) => `${url}?${index}`);

  const { data, warnings } = await inline([field("photos", "list", { items: "image" })], { photos });

  expect(most).toBe(6);
  expect(requested).toHaveLength(50);
  expect((data["photos"] as string[]).filter((image) => image === "")).toHaveLength(10);
  expect(warnings).toHaveLength(10);
});

it("images are left empty after a total of twenty megabytes", async () => {
  const bytes = new Uint8Array(4_900_000);
  bytes.set(png);
  const { inline } = imageServices(() => ({ status: "fetched", bytes }));
  const photos = Array.from({ length: 6 }, (_, index) => `${url}?${index}`);

  const { data, warnings } = await inline([field("photos", "list", { items: "image" })], { photos });

  expect((data["photos"] as string[]).filter((image) => image === "")).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining("20 MB"), expect.stringContaining("20 MB")]);
});

it("only images whose `data:` URIs fit into a document are kept", async () => {
  const bytes = new Uint8Array(5_000_000);
  bytes.set(png);
  const { inline } = imageServices(() => ({ status: "fetched", bytes }));
  const photos = Array.from({ length: 4 }, (_, index) => `${url}?${index}`);

  const { data, warnings } = await inline([field("photos", "list", { items: "image" })], { photos });

  const chars = (data["photos"] as string[]).reduce((sum, { length }) => sum + length, 0);
  expect((chars * 3) / 4).toBeLessThanOrEqual(maxInlinedBytes);
  expect(warnings).toEqual([expect.stringContaining("20 MB")]);
});

it("no image is fetched when the create has no time left", async () => {
  const { services, requested } = imageServices();

  const result = await inlined(services, [photo], { photo: url }, 0);

  expect(requested).toEqual([]);
  expect(result.warnings).toEqual(["The image `photo` was left empty: it did not arrive in time."]);
});

it("an image may take five seconds to arrive, and all images together twelve", async () => {
  const timeouts: number[] = [];
  const services = renderWorld({
    images: {
      fetch: async (_url, timeoutMs) => {
        timeouts.push(timeoutMs);
        services.state.nowMs += 4_000;
        return { status: "fetched", bytes: png };
      },
    },
  });
  const names = ["a", "b", "c", "d"];
  const data = Object.fromEntries(names.map((name) => [name, `${url}?${name}`]));

  const { warnings } = await inlined(
    services,
    names.map((name) => field(name, "image")),
    data,
  );

  expect(timeouts).toEqual([5_000, 5_000, 4_000]);
  expect(warnings).toEqual(["The image `d` was left empty: it did not arrive in time."]);
});

it("the bytes of a fetched image are checked in the same way as a `data:` URI", async () => {
  const { services } = imageServices(() => ({ status: "fetched", bytes: pngOf(60_000, 60_000) }));
  const { images } = validateData([photo], { photo: url }).data;

  const inlined = await inlineImages(services, images, services.now() + 20_000);

  const [source = ""] = inlined.images.map((image) => image.source);
  expect([...inlined.checks]).toEqual([[source, checkImageUri(source)]]);
  expect(withoutUnfitImages(inlined.images, inlined.checks).warnings).toEqual([
    expect.stringMatching(/^The image `photo` was left empty: it is 60000 x 60000 pixels/),
  ]);
});
