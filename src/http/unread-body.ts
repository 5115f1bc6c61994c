// Reads what is left of the body of a request that is refused. If more than 64 KiB are left, the runtime closes the connection shortly
// after the response, and a client that is still sending then sees a broken connection instead of the error.
import type { MiddlewareHandler } from "hono";
import { withinTime } from "colophon-base/deadline";
import type { HttpContext, HttpEnv } from "./context.ts";

/** More than the largest body that an operation accepts. A client that sends more, or more slowly, may lose the response. */
const maxBytes = 100_000_000;
const maxMs = 5_000;

export const readUnreadBody: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  if (context.res.status < 400) return;
  // A client that has hung up needs no response.
  await withinTime(maxMs, readRest(context), () => {}).catch(() => {});
};

async function readRest({ req, var: { endReading } }: HttpContext): Promise<void> {
  await endReading?.();
  const { body } = req.raw;
  if (!body || body.locked) return;
  const reader = body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(256 * 1024);
  for (let bytes = 0; bytes < maxBytes;) {
    const { done, value } = await reader.readAtLeast(buffer.byteLength, new Uint8Array(buffer));
    if (done) return;
    bytes += value.length;
    buffer = value.buffer;
  }
}
