// Tests which files of the service's fonts are sent to a page, and when it forgets them.
import { expect, it } from "vitest";
import type { DocumentFace } from "colophon-fonts/font-index";
import type { FacesPart, UsedFaces } from "colophon-page/page-faces";
import type { LoadedFont } from "../../src/fonts/font-library.ts";
import { FontError, pageFonts } from "../../src/page/page-fonts.ts";

const megabyte = 1_000_000;

function face(id: string, weight: DocumentFace["weight"] = "400"): DocumentFace {
  return { id, weight, style: "normal" };
}

/** Opens a page whose files have `bytes` bytes. `failing` are the ids of files that cannot be read. Those that begin with `sans` are of the default family. */
function opened({ bytes = 30, failing = new Set<string>() } = {}) {
  const page = { parts: [] as FacesPart[], used: [] as UsedFaces[], reads: [] as string[] };
  const fontOf = (id: string): LoadedFont | null => {
    page.reads.push(id);
    if (failing.has(id)) return null;
    const weight = id.endsWith("-700") ? "700" : "400";
    const file = { id, style: "normal", weight, file: `${id}.pack`, start: 0, bytes } as const;
    const family = id.startsWith("sans") ? "sans" : "scripts";
    return { slice: { family, ranges: "370-3ff", files: [file] }, file, bytes: new Uint8Array(bytes) };
  };
  const load = async function* (ids: readonly string[]) {
    yield* ids.map(fontOf);
  };
  const fonts = pageFonts(
    { load },
    {
      addFaces: async (part) => void page.parts.push(part),
      useFaces: async (faces) => void page.used.push(faces),
    },
  );
  const use = async (...faces: DocumentFace[]) => {
    const { arrived } = await fonts.use(faces);
    await arrived;
  };
  return { use, page, failing };
}

it("the faces of a document are sent once, each file with all of its faces", async () => {
  const { use, page } = opened();

  await use(face("greek"), face("greek", "700"));
  await use(face("greek"), face("thai"), face("greek", "700"));

  expect(page.reads).toEqual(["greek", "thai"]);
  expect(page.parts[0]?.files).toMatchObject([
    {
      family: "Colophon Scripts",
      range: "U+370-3ff",
      faces: [{ key: "greek 400 normal" }, { key: "greek 700 normal" }],
    },
  ]);
  expect(page.used.at(-1)).toEqual({
    keys: ["greek 400 normal", "thai 400 normal", "greek 700 normal"],
    dropped: [],
  });
});

it("a face is decoded only when text needs it if it is bold, except for faces of the default family", async () => {
  const { use, page } = opened();

  await use(face("thai-400"), face("thai-700", "700"), face("sans-700", "700"));

  expect(page.parts.flatMap(({ files }) => files).map(({ isDeferred }) => isDeferred)).toEqual([false, true, false]);
});

it("the faces of a document are sent in parts of 64,000 characters", async () => {
  const { use, page } = opened({ bytes: 12_000 });

  await use(...Array.from({ length: 70 }, (_, index) => face(`jp-${index}`)));

  expect(page.parts.slice(0, -1).every(({ text }) => text.length === 64_000)).toBe(true);
  expect(page.parts.flatMap(({ files }) => files)).toHaveLength(70);
});

it("the faces of a document arrive complete and in order, even if a file is longer than a part", async () => {
  const { use, page } = opened({ bytes: 150_001 });

  await use(face("greek"), face("thai"));

  const text = page.parts.map((part) => part.text).join("");
  const files = page.parts.flatMap((part) => part.files);
  expect(files.map(({ faces }) => faces[0]?.key)).toEqual(["greek 400 normal", "thai 400 normal"]);
  expect(text.length).toBe(files.reduce((sum, { chars }) => sum + chars, 0));
  const [first = 0] = files.map(({ chars }) => chars);
  expect([text.slice(0, first), text.slice(first)].map((base64) => Buffer.from(base64, "base64").length)).toEqual([
    150_001, 150_001,
  ]);
  // A file is not used before its last part.
  expect(page.parts.findIndex((part) => part.files.length > 0)).toBe(3);
});

it("a page drops the faces of earlier documents when it holds more than 16 MB", async () => {
  const { use, page } = opened({ bytes: 6 * megabyte });

  await use(face("a"));
  await use(face("b"));
  expect(page.used.at(-1)).toEqual({ keys: ["b 400 normal"], dropped: [] });
  await use(face("b"), face("c"));

  expect(page.used.at(-1)).toEqual({ keys: ["b 400 normal", "c 400 normal"], dropped: ["a 400 normal"] });
  await use(face("a"));
  expect(page.reads).toEqual(["a", "b", "c", "a"]);
});

it("a page keeps all faces of the document that it shows, however large they are", async () => {
  const { use, page } = opened({ bytes: 6 * megabyte });

  await use(face("a"), face("b"), face("c"));
  await use(face("a"), face("b"), face("c"));

  expect(page.used).toEqual([{ keys: ["a 400 normal", "b 400 normal", "c 400 normal"], dropped: [] }]);
});

it("a document fails if a font file cannot be read", async () => {
  const { use, page } = opened({ failing: new Set(["greek"]) });

  await expect(use(face("greek"), face("thai"))).rejects.toThrow(FontError);

  expect(page.used).toEqual([]);
});

it("a font file that could not be read is read again for the next document, unlike files that the page already has", async () => {
  const { use, page, failing } = opened({ failing: new Set(["greek"]) });
  await use(face("thai"), face("greek"), face("lao")).catch(() => {});
  failing.clear();

  await use(face("thai"), face("greek"), face("lao"));

  expect(page.used.at(-1)?.keys).toEqual(["thai 400 normal", "greek 400 normal", "lao 400 normal"]);
  expect(page.reads).toEqual(["thai", "greek", "lao", "greek"]);
  expect(page.parts.flatMap(({ files }) => files).map(({ faces }) => faces[0]?.key.split(" ")[0])).toEqual([
    "thai",
    "lao",
    "greek",
  ]);
});

it("a document fails if the browser does not accept a message", async () => {
  const fonts = pageFonts(
    { load: async function* () {} },
    { addFaces: async () => {}, useFaces: () => Promise.reject(new Error("Target closed")) },
  );

  const { arrived } = await fonts.use([face("greek")]);

  await expect(arrived).rejects.toThrow("Target closed");
});
