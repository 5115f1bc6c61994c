// Replaces everything that ends at its own pace, so that all steps of a test are determined by its seed.
import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, vi } from "vitest";

const tagBytes = 16;

/** The test moves the clock, and nothing is hashed or encrypted on a different thread. */
export function withoutThreads(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
    const importKey = crypto.subtle.importKey.bind(crypto.subtle) as (...args: unknown[]) => Promise<CryptoKey>;
    vi.spyOn(crypto.subtle, "importKey").mockImplementation(async (...args: unknown[]) => {
      const { name } = args[2] as { name?: string };
      return name === "HMAC" || args[2] === "AES-GCM" ? (args[1] as CryptoKey) : importKey(...args);
    });
    vi.spyOn(crypto.subtle, "encrypt").mockImplementation(async (algorithm, key, data) => {
      const { iv, additionalData } = algorithm as unknown as AesParameters;
      const cipher = createCipheriv("aes-256-gcm", key as unknown as Uint8Array, iv).setAAD(additionalData);
      return bytesOf(Buffer.concat([cipher.update(data as Uint8Array), cipher.final(), cipher.getAuthTag()]));
    });
    vi.spyOn(crypto.subtle, "decrypt").mockImplementation(async (algorithm, key, data) => {
      const { iv, additionalData } = algorithm as unknown as AesParameters;
      const sealed = data as Uint8Array;
      const cipher = createDecipheriv("aes-256-gcm", key as unknown as Uint8Array, iv).setAAD(additionalData);
      cipher.setAuthTag(sealed.subarray(-tagBytes));
      return bytesOf(Buffer.concat([cipher.update(sealed.subarray(0, -tagBytes)), cipher.final()]));
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

type AesParameters = { iv: Uint8Array; additionalData: Uint8Array };

function bytesOf(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
