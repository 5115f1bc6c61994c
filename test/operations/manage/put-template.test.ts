import { randomBytes } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import type { MemoryPart } from "colophon-render/render-services";
import { maxZipBytes, templateZip } from "colophon-template-model/template-zip";
import { zipOf, type Entry } from "../../../packages/template-model/test/folder/hostile/zip-bytes.ts";
import { valid } from "../../../packages/template-model/test/folder/hostile/zips.ts";
import type { Account } from "../../../src/core/accounts/account.ts";
import { Semaphore } from "../../../src/core/rendering/semaphore.ts";
import { readBody } from "../../../src/http/read-body.ts";
import { putTemplate } from "../../../src/operations/manage/put-template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { failing, fakeServices } from "../../fakes/services.ts";

const zeros = new Uint8Array(18_000_000);
const photo = { name: "assets/a.png", content: zeros, packed: deflateRawSync(zeros), crc: crc32(zeros), method: 8 };
const noise = randomBytes(18_000_000);
const stored = (content: Uint8Array): Entry => ({ name: "notes/a", content, packed: content, method: 0 });
const small = () => zipOf(valid);
/** Ignored files, which would be decompressed to 18 MB. */
const withIgnored = () => zipOf([...valid, { ...photo, name: ".git/a" }, { ...photo, name: "notes/a" }]);
/** One megabyte of zeros, so that everything together takes about 2.5 MB. */
const unpackingToMore = () => {
  const content = zeros.subarray(0, 1_060_000);
  return zipOf([...valid, { ...photo, content, packed: deflateRawSync(content), crc: crc32(content) }]);
};
const claiming = (size: number) => zipOf([...valid, { ...photo, size } as Entry]);
const max = { bytes: maxZipBytes, text: "21 MB" };

/** Returns a Worker whose memory records the claims, and a function that pushes a body to it. */
function world(overrides: Partial<OperatorServices["templates"]> = {}) {
  const claims: string[] = [];
  /** The memory in use of `loaded` after each claim. */
  const peaks: number[] = [];
  const parts: Record<MemoryPart, Semaphore> = {
    loaded: new Semaphore({ capacity: 30_000_000 }),
    markup: new Semaphore({ capacity: 24_000_000 }),
    uploads: new Semaphore({ capacity: 1 }),
    bodies: new Semaphore({ capacity: 20_000_000 }),
  };
  const services = fakeServices({
    memory: {
      async acquire(part, claim) {
        claims.push(`${part} ${(claim.amount / 1e6).toFixed(1)}`);
        const permit = await parts[part].acquire(claim);
        peaks.push(parts.loaded.inUse);
        return permit;
      },
    },
  });
  const inserted: string[] = [];
  const store = {
    find: async () => null,
    putContent: async () => {},
    insert: async (_template: unknown, folder: string) => inserted.push(folder) > 0,
  };
  const manage = { ...services, templates: { ...store, ...overrides } } as unknown as OperatorServices;
  const push = (body: BodyInit, headers: Record<string, string> = {}) => {
    const request = new Request("https://a.test", { method: "PUT", body, duplex: "half" } as RequestInit);
    const sent = { headers: new Headers(headers), body: request.body } as Request;
    const readZip = (claim: (bytes: number) => Promise<void>) => readBody(sent, max, claim);
    const input = { folder: "letter", readZip, actor: "a", lenient: false, dryRun: false };
    return putTemplate(services, manage, { id: crypto.randomUUID() } as Account, input);
  };
  return { claims, peaks, push, inserted, inUse: () => Object.values(parts).map(({ inUse }) => inUse) };
}

/** A body that arrives in chunks of 300 kB, and then ends as `end` decides. */
function arriving(bytes: Uint8Array, end: (controller: ReadableStreamDefaultController) => void) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return end(controller);
      controller.enqueue(bytes.subarray(at, (at += 300_000)));
    },
  });
}
const complete = (bytes: Uint8Array) => arriving(bytes, (controller) => controller.close());

it.each([
  ["a small template", small, ["loaded 0.0"]],
  ["18 MB in a zip of some kB", () => claiming(zeros.length), ["uploads 0.0", "loaded 42.0"]],
  ["ignored files of 18 MB", withIgnored, ["loaded 0.0"]],
  ["a large zip", () => zipOf([...valid, stored(noise)]), ["uploads 0.0", "loaded 18.0", "loaded 18.0"]],
])("a push claims the memory that the directory of its zip declares, for %s", async (_what, zip, expected) => {
  const { claims, push, inUse } = world();

  const bytes = zip();
  await push(complete(bytes), { "Content-Length": String(bytes.length) }).catch((error: unknown) => {
    expect(error).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  expect(claims).toEqual(expected);
  expect(inUse()).toEqual([0, 0, 0, 0]);
});

const large = () => zipOf([...valid, stored(noise.subarray(0, 2_000_000))]);
const length = (bytes: number) => ({ "Content-Length": String(bytes) });
const invalid = (message: string) => ({ code: "VALIDATION_ERROR", message: expect.stringContaining(message) });

it.each([
  ["is cut", () => arriving(large(), (end) => end.error(new Error("gone"))), {}, invalid("ended before")],
  ["is shorter than declared", () => complete(large()), length(3_000_000), invalid("does not have the length")],
  ["is longer than declared", () => complete(large()), length(1_500_000), invalid("does not have the length")],
  ["is too large without a length", () => complete(new Uint8Array(maxZipBytes + 1)), {}, invalid("larger than 21 MB")],
  ["declares too little to inflate", () => complete(claiming(1_000)), {}, invalid("the size and the checksum")],
  ["is no zip", () => complete(new Uint8Array(2_000_000)), {}, invalid("may be truncated or not be a zip")],
  ["is no template", () => complete(templateZip([])), {}, invalid("the file is missing")],
])("a push releases all of its memory when the body %s", async (_what, body, headers, expected) => {
  const { push, inserted, inUse } = world();

  const refused = await Promise.allSettled([1, 2, 3].map(() => push(body(), headers)));

  for (const each of refused) expect(each).toMatchObject({ status: "rejected", reason: expected });
  expect(inUse()).toEqual([0, 0, 0, 0]);
  expect(inserted).toEqual([]);
});

it("a push releases all of its memory when the content cannot be stored", async () => {
  const { push, inUse } = world({ putContent: failing("R2 is down") });

  await expect(push(complete(large()))).rejects.toThrow("R2 is down");

  expect(inUse()).toEqual([0, 0, 0, 0]);
});

it("pushes never have two large bodies in memory at the same time, nor more unpacked files than fit into the memory", async () => {
  const { push, inUse } = world();
  const most = [0, 0, 0, 0];
  const look = setInterval(() => inUse().forEach((amount, part) => (most[part] = Math.max(most[part] ?? 0, amount))));

  await Promise.all(Array.from({ length: 8 }, () => push(complete(large()))));
  clearInterval(look);

  expect(most[2]).toBeLessThanOrEqual(1);
  expect(most[0]).toBeLessThanOrEqual(30_000_000);
  expect(inUse()).toEqual([0, 0, 0, 0]);
});

it("small zips that unpack to more than 1 MiB are checked one at a time", async () => {
  const { push, peaks } = world();

  await Promise.allSettled(Array.from({ length: 8 }, () => push(unpackingToMore())));

  expect(Math.max(...peaks)).toBeGreaterThan(2_000_000);
  expect(Math.max(...peaks)).toBeLessThan(4_000_000);
});
