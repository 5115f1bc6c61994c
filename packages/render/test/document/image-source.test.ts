import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { imageSource } from "../../src/document/image-source.ts";

const maxImageBytes = 5_000_000;
let server: Server | undefined;
afterEach(() => server?.closeAllConnections());
afterEach(() => void server?.close());

/** Returns bytes that differ from their neighbours, so that a misplaced part is detected. */
const imageOf = (size: number) =>
  Buffer.alloc(
    size,
    Uint8Array.from({ length: 251 }, (_, index) => index),
  );

/** Fetches an image from a web server that sends it with `send`. */
async function fetched(send: (response: ServerResponse) => void) {
  const started = createServer((_, response) => send(response));
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const { port } = started.address() as AddressInfo;
  const image = await imageSource.fetch(`http://127.0.0.1:${port}/a.png`, 10_000);
  if (image.status !== "fetched") return { image };
  return { bytes: Buffer.from(image.bytes), heldBytes: image.bytes.buffer.byteLength };
}

it("an image is read into a buffer of its size if the server states the size", async () => {
  const image = imageOf(4_900_000);

  const { bytes, heldBytes } = await fetched((response) =>
    response.writeHead(200, { "Content-Length": image.length }).end(image),
  );

  expect(bytes?.equals(image)).toBe(true);
  expect(heldBytes).toBe(image.length);
});

it.each([0, 64_001, maxImageBytes])(
  "an image of %d bytes without a stated size is read into a bounded buffer",
  async (size) => {
    const image = imageOf(size);

    const { bytes, heldBytes } = await fetched((response) => {
      response.flushHeaders();
      response.end(image);
    });

    expect(bytes?.equals(image)).toBe(true);
    expect(heldBytes).toBeLessThanOrEqual(maxImageBytes);
  },
);

it("a compressed image is read although it has more bytes than the server states", async () => {
  const image = imageOf(1_000_000);
  const packed = gzipSync(image);

  const { bytes } = await fetched((response) =>
    response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": packed.length }).end(packed),
  );

  expect(bytes?.equals(image)).toBe(true);
});

it("an image that is too large is refused, whether or not the server states its size", async () => {
  const tooLarge = imageOf(maxImageBytes + 1);

  const stated = await fetched((response) =>
    response.writeHead(200, { "Content-Length": tooLarge.length }).end(tooLarge),
  );
  server?.closeAllConnections();
  server?.close();
  const unstated = await fetched((response) => {
    response.flushHeaders();
    response.end(tooLarge);
  });

  const refused = { image: { status: "failed", reason: "it is larger than 5 MB" } };
  expect([stated, unstated]).toEqual([refused, refused]);
});
