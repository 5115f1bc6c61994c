// Damages PDFs in numbered ways, for the fuzzing of the assembly. The same seed makes the same damage.
import { deflateSync, inflateSync } from "node:zlib";

export type Random = {
  /** Returns an integer from 0 to before `count`. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
};

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.trunc(next() * count);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** A kind of damage. Text is Latin-1: each character is one byte. */
export type Damage = (text: string, random: Random) => string;

export const hostileNumbers = [
  "-1",
  "0",
  "2147483648",
  "99999999999999999999",
  "1e9",
  "4294967295",
  ".",
  "9".repeat(400),
];
const hostileTokens = "<< >> [ ] ( ) < > endobj endstream stream obj R null /Length /Kids % \\ xref trailer".split(" ");
const hostileObjects = [
  "[".repeat(5_000),
  "<</A".repeat(5_000),
  `(${"(".repeat(3_000)}`,
  "<</Length 9999999999>> stream\n",
  "<</Type /Pages /Count 1 /Kids [1 0 R]>>",
  "<</S /JavaScript /JS (x)>>",
];

const kinds: Record<string, Damage> = {
  cutObject(text, random) {
    const object = random.pick(objectsOf(text));
    const from = object.from + random.below(object.to - object.from);
    return spliced(text, from, random.below(object.to - from) + 1, "");
  },
  cutFile: (text, random) => text.slice(0, random.below(text.length)),
  changeBytes(text, random) {
    let changed = text;
    for (let count = random.below(8) + 1; count > 0; count--)
      changed = spliced(changed, random.below(changed.length), 1, String.fromCharCode(random.below(256)));
    return changed;
  },
  changeNumber: (text, random) => replacedMatch(text, random, /(?<=[ [/])-?\d+\.?\d*/g, random.pick(hostileNumbers)),
  changeReference: (text, random) => replacedMatch(text, random, /\b\d+ 0 R/g, `${random.below(60)} 0 R`),
  swapReferences(text, random) {
    const references = [...text.matchAll(/\b\d+ 0 R/g)].map(([reference]) => reference);
    return replacedMatch(text, random, /\b\d+ 0 R/g, random.pick(references));
  },
  insertToken: (text, random) => spliced(text, random.below(text.length), 0, ` ${random.pick(hostileTokens)} `),
  replaceObject(text, random) {
    const { from, to } = random.pick(objectsOf(text));
    return spliced(text, from, to - from, random.pick(hostileObjects));
  },
  copyObject(text, random) {
    const [source, target] = [random.pick(objectsOf(text)), random.pick(objectsOf(text))];
    return spliced(text, target.from, target.to - target.from, text.slice(source.from, source.to));
  },
  hideObjectInStream(text, random) {
    const streams = [...text.matchAll(/stream\n/g)].map(({ index }) => index + "stream\n".length);
    return spliced(text, random.pick(streams), 0, `endstream\nendobj\n${random.below(40)} 0 obj\n<<>>\nendobj\n`);
  },
  changeKey: (text, random) =>
    replacedMatch(
      text,
      random,
      /\/[A-Z]\w+/g,
      random.pick(["/Kids", "/Parent", "/Length", "/A", "/Annots", "/Dests", "/Contents", "/XObject"]),
    ),
};

/** Damage to the tables, which is done after the tables have been repaired. */
const tableKinds: Record<string, Damage> = {
  none: (text) => text,
  changeOffset: (text, random) =>
    replacedMatch(text, random, /\d{10}(?= 00000 n)/g, String(random.below(2 * text.length)).padStart(10, "0")),
  overlap(text, random) {
    const offsets = [...text.matchAll(/\d{10}(?= 00000 n)/g)].map(([offset]) => offset);
    return replacedMatch(text, random, /\d{10}(?= 00000 n)/g, random.pick(offsets));
  },
  loop: (text) => text.replace(/trailer\s*<</, `trailer\n<</Prev ${/startxref\n(\d+)/.exec(text)?.[1]}\n`),
  changeTrailer: (text, random) =>
    replacedMatch(text, random, /(?<=\/(?:Root|Info|Size) )\d+/g, String(random.below(80))),
  changeCount: (text, random) => text.replace(/(?<=xref\n)0 \d+/, `${random.below(3)} ${random.pick(hostileNumbers)}`),
};

/** Returns a damaged copy of a file and the names of its damages. */
export function damaged(bytes: Uint8Array, random: Random): { bytes: Uint8Array; names: string[] } {
  const names: string[] = [];
  let text = latin1(bytes);
  for (let count = random.below(4) === 0 ? 2 : 0; count >= 0; count--) {
    const name = random.pick(Object.keys(kinds));
    names.push(name);
    if (objectsOf(text).length > 0) text = kinds[name]?.(text, random) ?? text;
  }
  // Most readers would stop at the first wrong offset, so most files get a table that fits.
  if (random.below(10) > 0) text = withTable(text);
  const name = random.below(3) > 0 ? "none" : random.pick(Object.keys(tableKinds));
  names.push(name);
  text = tableKinds[name]?.(text, random) ?? text;
  return { bytes: Buffer.from(text, "latin1"), names };
}

function objectsOf(text: string): { number: string; at: number; from: number; to: number }[] {
  return [...text.matchAll(/^(\d+) 0 obj\n([^]*?)\nendobj$/gm)].map(({ 0: all, 1: number = "", index }) => {
    const from = index + `${number} 0 obj\n`.length;
    return { number, at: index, from, to: index + all.length - "\nendobj".length };
  });
}

/** Returns a copy of a file in which the text of the first content stream is changed. Its table and its lengths are right. */
export function withContent(bytes: Uint8Array, change: (content: string) => string): Uint8Array {
  const text = latin1(bytes);
  const number = /\/Contents (\d+) 0 R/.exec(text)?.[1];
  const object = objectsOf(text).find((object) => object.number === number);
  if (!object) throw new Error("the file has no page with content");
  const source = text.slice(object.from, object.to);
  const dataAt = source.indexOf("stream\n") + "stream\n".length;
  const content = latin1(inflateSync(Buffer.from(source.slice(dataAt), "latin1")));
  const data = latin1(deflateSync(Buffer.from(change(content), "latin1")));
  const head = source.slice(0, dataAt).replace(/(?<=\/Length )\d+/, String(data.length));
  return Buffer.from(
    withTable(spliced(text, object.from, object.to - object.from, `${head}${data}\nendstream`)),
    "latin1",
  );
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Replaces the cross-reference table with one that has the offsets of all lines such as `7 0 obj`. */
function withTable(text: string): string {
  const tableAt = text.lastIndexOf("\nxref\n") + 1;
  const trailer = /trailer\s*(<<[^]*?>>)\s*startxref/.exec(text.slice(tableAt))?.[1];
  if (tableAt === 0 || trailer === undefined) return text;
  const body = text.slice(0, tableAt);
  const offsets = new Map(
    [...body.matchAll(/^(\d{1,4}) 0 obj$/gm)].map(({ 1: number, index }) => [Number(number), index]),
  );
  const size = Math.max(0, ...offsets.keys()) + 1;
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  return `${body}xref\n0 ${size}\n${entries.join("")}trailer\n${trailer}\nstartxref\n${tableAt}\n%%EOF\n`;
}

export function replacedMatch(text: string, random: Random, pattern: RegExp, replacement: string): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { 0: match, index } = random.pick(matches);
  return spliced(text, index, match.length, replacement);
}

export function spliced(text: string, at: number, removed: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at + removed);
}
