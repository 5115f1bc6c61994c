// Replaces what would end in its own time, so that all steps of a test follow from its seed.
import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, vi } from "vitest";

/** The test moves the clock, and no digest is made on another thread. */
export function withoutThreads(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
    const importKey = crypto.subtle.importKey.bind(crypto.subtle) as (...args: unknown[]) => Promise<CryptoKey>;
    vi.spyOn(crypto.subtle, "importKey").mockImplementation(async (...args: unknown[]) => {
      const { name } = args[2] as { name?: string };
      return name === "HMAC" ? (args[1] as CryptoKey) : importKey(...args);
    });
    vi.spyOn(crypto.subtle, "sign").mockImplementation(async (_, key, data) => {
      const hmac = createHmac("sha256", key as unknown as Uint8Array);
      return bytesOf(hmac.update(data as Uint8Array).digest());
    });
    vi.spyOn(crypto.subtle, "digest").mockImplementation(async (_, data) => {
      const hash = createHash("sha256");
      return bytesOf(hash.update(data as Uint8Array).digest());
    });
  });

  afterAll(() => vi.useRealTimers().restoreAllMocks());
}

function bytesOf(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
