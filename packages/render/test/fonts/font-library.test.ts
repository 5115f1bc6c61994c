// Tests the handling of fonts that cannot be read from the static files.
import { expect, it, vi } from "vitest";
import type { Log } from "colophon-base/log";
import { fontIndexPath, type FontIndex } from "colophon-fonts/font-index";
import { noCharacters } from "colophon-template-model/text-characters";
import { fontLibrary, isolateFonts, type ReadAsset } from "../../src/fonts/font-library.ts";

const file = "assets/fonts/greek-400.0123456789abcdef.pack";
const font = new TextEncoder().encode("wOFF with glyphs");
const index: FontIndex = {
  slices: [
    {
      family: "sans",
      ranges: "41-5a,370-3ff",
      files: [{ id: "greek-400", style: "normal", weight: "400", file, start: 0, bytes: font.length }],
    },
  ],
};
const intact: Record<string, Uint8Array> = {
  [fontIndexPath]: new TextEncoder().encode(JSON.stringify(index)),
  [file]: font,
};

type Logged = { event: unknown; message: string };

/** Returns the library and its log entries. `read` is called only for the files in `changed`. */
function opened(read: ReadAsset, changed: string) {
  const logged: Logged[] = [];
  const reads: string[] = [];
  const fonts = fontLibrary(
    async (path) => {
      reads.push(path);
      return path === changed ? read(path) : (intact[path] ?? new Uint8Array());
    },
    (_, { event, cause }) => logged.push({ event, message: cause instanceof Error ? cause.message : "" }),
  );
  const load = async (...ids: string[]) => {
    const loaded: (Uint8Array | null)[] = [];
    for await (const found of fonts.load(ids)) loaded.push(found?.bytes ?? null);
    return loaded;
  };
  return { fonts, load, logged, reads };
}

const text = (content: string): ReadAsset => {
  return async () => new TextEncoder().encode(content);
};

it("a font file is read once, and is found by its id", async () => {
  const { load, logged, reads } = opened(text(""), "");

  const loaded = [await load("greek-400"), await load("greek-400")];

  expect(loaded).toEqual([[font], [font]]);
  expect(reads.filter((path) => path === file)).toHaveLength(1);
  expect(logged).toEqual([]);
});

it("several fonts are found in one file, and six files are read at a time", async () => {
  const places = Array.from({ length: 20 }, (_, index) => ({ file: `${index >> 1}.pack`, start: (index % 2) * 8 }));
  const files = places.map((place, index) => ({ ...place, id: `${index}`, style: "normal", weight: "400", bytes: 8 }));
  const slices = files.map((font) => ({ family: "sans", ranges: "41", files: [font] }));
  let [inFlight, most] = [0, 0];
  const reads: string[] = [];
  const fonts = fontLibrary(
    async (path) => {
      if (path === fontIndexPath) return new TextEncoder().encode(JSON.stringify({ slices }));
      reads.push(path);
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inFlight--;
      return new TextEncoder().encode(`wOFF ${path.slice(0, 3)}second ${path[0]}`);
    },
    () => {},
  );

  const loaded: string[] = [];
  for await (const found of fonts.load(files.map(({ id }) => id))) loaded.push(new TextDecoder().decode(found?.bytes));

  expect(loaded).toEqual(
    places.map(({ file, start }) => (start === 0 ? `wOFF ${file.slice(0, 3)}` : `second ${file[0]}`)),
  );
  expect(reads).toEqual(Array.from({ length: 10 }, (_, number) => `${number}.pack`));
  expect(most).toBe(6);
});

it.each([
  ["is not JSON", "<html>"],
  ["is cut off", '{"slices":['],
  ["is something else", '{"fonts":[]}'],
])("a font index is logged as broken and read again for the next document if it %s", async (_, content) => {
  let broken = true;
  const { fonts, logged } = opened(
    async (path) => (broken ? new TextEncoder().encode(content) : (intact[path] ?? font)),
    fontIndexPath,
  );

  expect(await fonts.facesFor(noCharacters(), "en")).toBeNull();
  expect(logged.map(({ event }) => event)).toEqual(["fonts.index_failed"]);
  broken = false;
  expect(await fonts.facesFor(noCharacters(), "en")).not.toBeNull();
});

it.each([
  ["is empty", ""],
  ["is cut off", "wOFF with"],
  ["is no font", "<!doctype html>."],
])("a font file is logged as broken and read again for the next document if it %s", async (_, content) => {
  let broken = true;
  const { load, logged } = opened(async () => (broken ? new TextEncoder().encode(content) : font), file);

  expect(await load("greek-400")).toEqual([null]);
  expect(logged).toEqual([{ event: "fonts.file_failed", message: "fonts.wrong_file" }]);
  broken = false;
  expect(await load("greek-400")).toEqual([font]);
});

it("a font whose id is not in the index is logged", async () => {
  const { load, logged } = opened(text(""), "");

  expect(await load("klingon-400")).toEqual([null]);
  expect(logged).toEqual([{ event: "fonts.file_failed", message: "fonts.unknown" }]);
});

it("a font file that does not arrive within three seconds is given up", async () => {
  vi.useFakeTimers();
  const { load, logged } = opened(() => new Promise(() => {}), file);

  const loading = load("greek-400");
  await vi.advanceTimersByTimeAsync(3_000);
  vi.useRealTimers();

  expect(await loading).toEqual([null]);
  expect(logged).toEqual([{ event: "fonts.file_failed", message: "reading a font took longer than 3000 ms" }]);
});

it("all users of the same static files share what was read, and users of other static files do not", async () => {
  let reads = 0;
  const fetch = async () => {
    reads++;
    return new Response(intact[fontIndexPath]);
  };
  const [assets, others] = [{ fetch }, { fetch }];

  for (const its of [assets, assets, others]) await isolateFonts(its, () => {}).facesFor(noCharacters(), "en");

  expect(reads).toBe(2);
});

it("a missing font file is logged with the status of the response", async () => {
  const log = vi.fn<Log>();
  const fonts = isolateFonts({ fetch: async () => new Response("not found", { status: 404 }) }, log);

  expect(await fonts.facesFor(noCharacters(), "en")).toBeNull();
  expect(log).toHaveBeenCalledWith("error", {
    event: "fonts.index_failed",
    cause: expect.objectContaining({ code: "assets.status_404" }),
  });
});
