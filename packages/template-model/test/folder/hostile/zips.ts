// Zips that somebody may send instead of a template: the mistake, the zip, and the first problem as `file reason`. A problem that
// ends with `…` is abbreviated.
import { crc32, deflateRawSync } from "node:zlib";
import { bytesOf, validFiles } from "colophon-test-kit/template-files";
import { joined, little, zipOf, type End, type Entry } from "./zip-bytes.ts";

export type HostileZip = [what: string, zip: () => Uint8Array, problem: string];

export const valid: Entry[] = Object.entries(validFiles).map(([name, content]) => ({ name, content: content ?? "" }));
const withEntries = (...entries: Entry[]) => zipOf([...valid, ...entries]);
/** The valid zip with another entry for its page. */
const withPage = (change: Partial<Entry>) =>
  zipOf([...valid.slice(0, 2), { name: "pages/1.liquid", content: "<p>Hello {{ name }}</p>", ...change }]);

const zeros = (bytes: number) => new Uint8Array(bytes);
const bomb = (bytes: number): Partial<Entry> => ({ packed: deflateRawSync(zeros(bytes)), crc: crc32(zeros(bytes)) });

const backslash = "its path contains a backslash; folders in a zip are separated by /";
const segments = "its path has an empty name, `.` or `..`";
const control = "its name contains control characters";
const notUtf8 = "the file's name is not valid UTF-8";
const special = "this is not a file, but a device, a socket or a named pipe";
const link = "this is a symbolic link; a template folder must not contain any";
const content = "its content does not have the size and the checksum that the zip declares";
const places = "the zip contains two different descriptions of this file";
const notFile = "this is a folder, but must be a file";
const notFolder = "this is a file, but must be a folder";
const sameName = "some systems do not distinguish this name from";
const damaged = "its central directory is damaged";

const inPaths = (reason: string, ...names: string[]) =>
  names.map((path): HostileZip => [
    `its path is ${JSON.stringify(path)}`,
    () => withEntries({ name: path, content: "x" }),
    `${path} ${reason}`,
  ]);

const paths = [
  ...inPaths(segments, "../a", "pages/../../a", "..", "a/../b", "pages/./2.liquid", "pages//2.liquid", "", "pages/../"),
  ...inPaths(backslash, "pages\\2.liquid", "..\\a", "C:\\a", "assets/\\\\host"),
  ...inPaths("its path is absolute", "/etc/passwd", "/", "//host/share", "C:/a", "c:a"),
  ...inPaths(control, "pages/\0.liquid", "a\nb", "pages/\x7f", "assets/\x85.svg"),
];

const charsets: HostileZip[] = [
  ["ff", "\ufffd"],
  ["70616765732fe42e6c6971756964", "pages/\ufffd.liquid"],
  ["c0ae2e2f61", "\ufffd\ufffd./a"],
  ["eda080", "\ufffd\ufffd\ufffd"],
].map(([hex = "", shown = ""]) => [
  `its name has the bytes ${hex}`,
  () => withEntries({ name: new Uint8Array(Buffer.from(hex, "hex")), content: "x" }),
  `${shown} ${notUtf8}`,
]);

const kinds: HostileZip[] = [
  ...[0x1000, 0x6000, 0xc000, 0x4000, 0xf000].map((kind): HostileZip => [
    `a page has the mode ${kind.toString(8)}`,
    () => withPage({ mode: kind | 0o644 }),
    `pages/1.liquid ${special}`,
  ]),
  ["an ignored file is a device", () => withEntries({ name: "x", mode: 0x2000 }), `x ${special}`],
  ...["pages/1.liquid", "assets/logo.svg", "notes", ".git", "shared", "pages/"].map((name): HostileZip => [
    `${name} is a symbolic link`,
    () => withEntries({ name, content: "/etc/passwd", mode: 0xa1ff }),
    `${name} ${link}`,
  ]),
  ["a folder is a regular file", () => withEntries({ name: "pages/", mode: 0x8000 }), `pages/ ${special}`],
];

const containing = (name: string, problem: string): HostileZip => [
  `it contains ${name}`,
  () => withEntries({ name, content: "x" }),
  problem,
];

const names: HostileZip[] = [
  containing("Template.json", "Template.json its name must be written as template.json"),
  containing("PAGES/1.liquid", "PAGES its name must be written as pages"),
  containing("Shared/parts/a.liquid", "Shared its name must be written as shared"),
  containing("shared/Parts/a", "shared/Parts its name must be written as parts"),
  containing("pages/x/", `pages/x ${notFile}; move its files to pages/`),
  containing("assets/img/logo.svg", `assets/img ${notFile}; move its files to assets/`),
  containing("shared/assets/a/b/c", `shared/assets/a ${notFile}; move its files to shared/assets/`),
  containing("template.json/a", `template.json ${notFile}`),
  containing("style.css/", `style.css ${notFile}`),
  ...["assets", "shared", "shared/styles"].map((name) => containing(name, `${name} ${notFolder}`)),
  containing("pages/1.liquid", "pages/1.liquid the zip contains this file twice"),
  ...[
    ["pages/A.liquid", "pages/a.liquid"],
    ["assets/e\u0301.svg", "assets/\u00e9.svg"],
    ["shared/parts/ROW.liquid", "shared/parts/row.liquid"],
  ].map(([first = "", second = ""]): HostileZip => [
    `it contains ${first} and ${second}`,
    () => withEntries({ name: first }, { name: second }),
    `${second} ${sameName} ${first}; rename one of the files`,
  ]),
  containing("assets/a\u202eb.svg", "assets/a\u202eb.svg the file's name contains invisible characters"),
];

const manyIn = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index): Entry => ({ name: `${folder}${index}.liquid`, content: "x" }));

const sizes: HostileZip[] = [
  ...[
    ["pages/2.liquid", 2_000_001, "2,000,000"] as const,
    ["locales/de.json", 250_001, "250,000"] as const,
    ["shared/assets/a.png", 0xfffffffe, "20,000,000"] as const,
  ].map(([name, size, shown]): HostileZip => [
    `${name} declares ${size} bytes`,
    () => withEntries({ name, packed: zeros(10), size }),
    `${name} the file is larger than ${shown} bytes`,
  ]),
  ...[0, 1, 999].map((size): HostileZip => [
    `a page of 2 MB of zeros declares ${size} bytes`,
    () => withPage({ ...bomb(2_000_000), size }),
    `pages/1.liquid ${content}`,
  ]),
  [
    "an asset inflates to 100 MB and declares 20 MB",
    () => withEntries({ name: "assets/a.png", packed: deflateRawSync(zeros(100_000_000)), size: 19_000_000 }),
    `assets/a.png ${content}`,
  ],
  [
    "its declared bombs are more than 20 MB together",
    () => zipOf([1, 2, 3].map((each) => ({ name: `assets/${each}.png`, ...bomb(7_000_000), size: 7_000_000 }))),
    "assets/3.png with this file, the template is larger than 20 MB",
  ],
  ["it has 10,000 files", () => zipOf(manyIn("assets/", 10_000)), "assets the folder has more than 1000 entries"],
  ["it has 10,000 ignored files", () => withEntries(...manyIn("", 10_000)), ". the folder has more than 1000 entries"],
  ["the empty blocks of a page are 5 MB", () => withPage({ packed: emptyBlocks() }), `pages/1.liquid ${content}`],
  ["it is larger than 21 MB", () => zeros(21_000_001), "the zip the file is larger than 21,000,000 bytes"],
];

/** 5 MB of dynamic blocks without content, for each of which a decompressor rebuilds its tables. */
function emptyBlocks(): Uint8Array {
  const fourBlocks = Buffer.from(
    "04c081000000000090ff6b100007020000000040feaf41001c080000000000f9bf060170200000000000e4ff1a",
    "hex",
  );
  return joined(Buffer.alloc(Math.floor(5_000_000 / fourBlocks.length) * fourBlocks.length, fourBlocks), "\x03\0");
}

const entries: HostileZip[] = [
  ...[0x1, 0x40, 0x2000, 0x20].map((flags): HostileZip => [
    `a page has the flags ${flags}`,
    () => withPage({ flags }),
    "pages/1.liquid it is encrypted",
  ]),
  ...[1, 9, 99, 0xffff].map((method): HostileZip => [
    `a page has the compression method ${method}`,
    () => withPage({ method, packed: bytesOf("x") }),
    `pages/1.liquid its compression method is ${method}; use deflate`,
  ]),
  ...(["packedSize", "size", "offset"] as const).map((field): HostileZip => [
    `the ${field} of a page is in a ZIP64 field`,
    () => withPage({ [field]: 0xffffffff }),
    "pages/1.liquid it needs ZIP64",
  ]),
  ["a page is on disk 1", () => withPage({ disk: 1 }), "pages/1.liquid it is in a different part of the zip"],
  ...[{ name: "../1.liquid" }, { name: "" }, { method: 0 }, { flags: 0x801 }, { crc: 1 }, { size: 5 }].map(
    (local): HostileZip => [
      `the header of a page has ${JSON.stringify(local)}`,
      () => withPage({ local }),
      `pages/1.liquid ${places}`,
    ],
  ),
  ...(
    [
      { crc: 0 },
      { size: 22 },
      { size: 24 },
      { method: 0, size: 22 },
      { packed: bytesOf("not deflated, at all") },
      { packed: new Uint8Array() },
    ] as Partial<Entry>[]
  ).map((change): HostileZip => [
    `the content of a page does not fit ${JSON.stringify(change)}`,
    () => withPage(change),
    `pages/1.liquid ${content}`,
  ]),
  ...[12, 16].map((bytes): HostileZip => [
    `${bytes} zeros follow a page instead of its sizes`,
    () => zipOf([{ name: "pages/1.liquid", content: "x", flags: 0x808, after: zeros(bytes) }]),
    bytes < 16
      ? "pages/1.liquid its content is truncated"
      : "pages/1.liquid the zip contains different sizes of this file",
  ]),
];

/** `count` files that all have the content of a single one. */
function quine(count: number, shift = 0): Uint8Array {
  const kernel: Entry = { name: "assets/0.png", ...bomb(1_000_000), size: 1_000_000 };
  const others = Array.from({ length: count }, (_, index): Entry => {
    return { ...kernel, name: `assets/${index + 1}.png`, offset: shift };
  });
  return zipOf([kernel, ...others.map((entry) => ({ ...entry, packed: new Uint8Array(), packedSize: 1_000 }))]);
}

const overlap = "its bytes overlap others, or bytes before it belong to no file";
const endOf = (end: End) => () => zipOf(valid, { end });
const notZip = "the zip it does not end like a zip without a comment; it may be truncated or not be a zip";
const notPlaced =
  "the zip its central directory is not at the offset given at its end; other bytes may precede or follow the zip";
const inParts = "the zip it is split into several parts, or a ZIP64; send a single ordinary zip";

const whole: HostileZip[] = [
  ["20 files share the content of another", () => quine(20), `assets/1.png ${overlap}`],
  ["a file begins inside another", () => quine(1, 41), `assets/1.png ${overlap}`],
  [
    "the content of a file contains the next file",
    () => {
      const inner: Entry = { name: "pages/2.liquid", content: "x" };
      const nested = zipOf([inner]).subarray(0, 47);
      return zipOf([
        { name: "pages/1.liquid", content: nested, method: 0 },
        { ...inner, offset: 44 },
      ]);
    },
    `pages/2.liquid ${overlap}`,
  ],
  ["bytes precede it", () => joined("#!/bin/sh\n", zipOf(valid)), notPlaced],
  ["bytes precede its files", () => zipOf(valid, { before: "#!" }), `template.json ${overlap}`],
  ["bytes follow its files", () => zipOf(valid, { between: "hidden" }), "the zip it has bytes that belong to no file"],
  ["bytes follow a file", () => zipOf([{ name: "a", after: zeros(1) }, ...valid]), `template.json ${overlap}`],
  ["a second zip follows it", () => joined(zipOf(valid), zipOf(valid)), notPlaced],
  ["a comment follows it", () => joined(endOf({ commentLength: 3 })(), "abc"), notZip],
  ["its comment is itself a zip", () => joined(endOf({ commentLength: 22 })(), zipOf([])), notPlaced],
  ["it is empty", () => new Uint8Array(), notZip],
  ["it is a PDF", () => bytesOf("%PDF-1.7\n%%EOF\n                         "), notZip],
  ...["disk", "startDisk", "here"].map((field): HostileZip => [
    `its end has ${field} 1`,
    endOf({ [field]: 1 }),
    inParts,
  ]),
  ["its count is that of a ZIP64", endOf({ here: 0xffff, count: 0xffff }), `the zip ${damaged}`],
  ["its directory has no bytes", endOf({ size: 0 }), notPlaced],
  ["its directory begins at 1", endOf({ start: 1 }), notPlaced],
  ["its directory lacks an entry", endOf({ here: 4, count: 4 }), `the zip ${damaged}`],
  ["its directory has one more", endOf({ here: 2, count: 2 }), "the zip its central directory has bytes …"],
  [
    "a ZIP64 locator precedes its end",
    () => joined(zipOf(valid).subarray(0, -22), little([4, 0x07064b50]), zeros(16), zipOf(valid).subarray(-22)),
    notPlaced,
  ],
];

export const zips = [...paths, ...charsets, ...kinds, ...names, ...sizes, ...entries, ...whole];
