// Tests what becomes of fonts that cannot be read from the static files.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fontIndexPath, hanIndexPath, type FontIndex } from "../../../src/core/rendering/fonts/font-index.ts";
import type { ReadAsset } from "../../../src/platform/rendering/font-library.ts";

const file = "assets/fonts/greek-400.0123456789abcdef.woff2";
const font = new TextEncoder().encode("wOF2 with glyphs");
const index: FontIndex = {
  slices: [
    {
      family: "sans",
      ranges: "41-5a,370-3ff",
      files: [{ id: "greek-400", style: "normal", weight: "400", file, bytes: font.length }],
    },
  ],
  hanRanges: "4e00-9fff",
};
const intact: Record<string, Uint8Array> = {
  [fontIndexPath]: new TextEncoder().encode(JSON.stringify(index)),
  [hanIndexPath]: new TextEncoder().encode('{"slices":[]}'),
  [file]: font,
};

/** The module keeps what it has read, so each test loads its own. */
let library: typeof import("../../../src/platform/rendering/font-library.ts");
beforeEach(async () => {
  vi.resetModules();
  library = await import("../../../src/platform/rendering/font-library.ts");
});

type Logged = { event: unknown; message: string };

/** Returns the library and what it logs. `read` is called for the files in `changed` only. */
function opened(read: ReadAsset, changed: string) {
  const logged: Logged[] = [];
  const reads: string[] = [];
  const fonts = library.fontLibrary(
    async (path) => {
      reads.push(path);
      return path === changed ? read(path) : (intact[path] ?? new Uint8Array());
    },
    (_, { event, cause }) => logged.push({ event, message: cause instanceof Error ? cause.message : "" }),
  );
  return { fonts, logged, reads };
}

const text = (content: string): ReadAsset => {
  return async () => new TextEncoder().encode(content);
};

it("reads a file once, and finds it by its id", async () => {
  const { fonts, logged, reads } = opened(text(""), "");

  const loaded = [await fonts.load("greek-400"), await fonts.load("greek-400")];

  expect(loaded.map((found) => found?.bytes)).toEqual([font, font]);
  expect(reads.filter((path) => path === file)).toHaveLength(1);
  expect(logged).toEqual([]);
});

describe("an index that cannot be read", () => {
  it.each([
    ["is not JSON", "<html>"],
    ["is cut off", '{"slices":['],
    ["is something else", '{"fonts":[]}'],
  ])("is logged, and looked for again by the next document, if it %s", async (_, content) => {
    let broken = true;
    const { fonts, logged } = opened(
      async (path) => (broken ? new TextEncoder().encode(content) : (intact[path] ?? font)),
      fontIndexPath,
    );

    expect(await fonts.lookup(false)).toBeNull();
    expect(logged.map(({ event }) => event)).toEqual(["fonts.index_failed"]);
    broken = false;
    expect(await fonts.lookup(false)).not.toBeNull();
  });

  it("does not fail documents without Chinese, Japanese or Korean text if it is that of these scripts", async () => {
    const { fonts } = opened(text("<html>"), hanIndexPath);

    expect(await fonts.lookup(true)).toBeNull();
    expect(await fonts.lookup(false)).not.toBeNull();
    expect((await fonts.load("greek-400"))?.bytes).toEqual(font);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["is empty", ""],
    ["is cut off", "wOF2 with"],
    ["is no font", "<!doctype html>."],
  ])("is logged, and read again for the next document, if it %s", async (_, content) => {
    let broken = true;
    const { fonts, logged } = opened(async () => (broken ? new TextEncoder().encode(content) : font), file);

    expect(await fonts.load("greek-400")).toBeNull();
    expect(logged).toEqual([{ event: "fonts.file_failed", message: "the file is not the font of the index" }]);
    broken = false;
    expect((await fonts.load("greek-400"))?.bytes).toEqual(font);
  });

  it("is logged if the index has no such id", async () => {
    const { fonts, logged } = opened(text(""), "");

    expect(await fonts.load("klingon-400")).toBeNull();
    expect(logged).toEqual([{ event: "fonts.file_failed", message: "the index has no such font" }]);
  });

  it("is given up after three seconds", async () => {
    vi.useFakeTimers();
    const { fonts, logged } = opened(() => new Promise(() => {}), file);

    const loading = fonts.load("greek-400");
    await vi.advanceTimersByTimeAsync(3_000);
    vi.useRealTimers();

    expect(await loading).toBeNull();
    expect(logged).toEqual([{ event: "fonts.file_failed", message: "reading a font took longer than 3000 ms" }]);
  });

  it("is logged with the status of the static files", async () => {
    const read = library.assetReader({ fetch: async () => new Response("not found", { status: 404 }) });
    const { fonts, logged } = opened(read, file);

    expect(await fonts.load("greek-400")).toBeNull();
    expect(logged).toEqual([{ event: "fonts.file_failed", message: "the static files responded with status 404" }]);
  });
});
