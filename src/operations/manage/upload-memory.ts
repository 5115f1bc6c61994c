// Claims the memory of one upload from the memory that the Worker's creates share. Nothing is decompressed before its declared size
// has been claimed.
import type { MemoryPart, MemoryPermit } from "colophon-render/render-services";
import { liveAccountId } from "../../core/accounts/account.ts";
import { serviceUnavailable } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";

/** A body of at most this size needs no claim. */
export const unclaimedBytes = 1024 * 1024;
/** The time in which a large body must arrive. */
export const uploadMs = 60_000;
const maxWaitMs = 20_000;
/** A request that the platform stops releases nothing. The steps after the body take only seconds. */
const expiresInMs = 2 * uploadMs;

/** All claiming methods throw SERVICE_UNAVAILABLE if the memory does not become free in time. */
export function uploadMemory({ memory }: Pick<Services, "memory">, account: string) {
  const accountId = liveAccountId(account);
  let body: MemoryPermit | null = null;
  let all: MemoryPermit | null = null;
  let isOver = false;
  const acquire = async (part: MemoryPart, amount: number) => {
    const permit = await memory.acquire(part, { accountId, amount, maxWaitMs, expiresInMs });
    // A slow body may finish arriving, or its claim be granted, after the response.
    if (isOver) permit?.release();
    if (!permit || isOver) throw serviceUnavailable({ retryAfterSeconds: 5 });
    return permit;
  };
  return {
    /**
     * Claims the bytes of a body over 1 MiB. Only one such body is in a Worker's memory at a time, so an upload never waits for
     * an upload that is itself waiting.
     */
    async claimBody(bytes: number): Promise<void> {
      body = await acquire("uploads", 1);
      all = await acquire("loaded", bytes);
    },
    /**
     * Replaces the body's claim by a claim for everything that the upload needs. An upload that exceeds the capacity runs alone. An
     * upload over 1 MiB waits for others like a large body, because its checks can occupy the processor for several seconds.
     */
    async claimAll(bytes: number): Promise<void> {
      all?.release();
      all = null;
      if (bytes > unclaimedBytes) body ??= await acquire("uploads", 1);
      all = await acquire("loaded", bytes);
    },
    /** Changes the amount that `claimAll` has claimed. */
    resize: (bytes: number) => all?.resize(bytes),
    release(): void {
      isOver = true;
      all?.release();
      body?.release();
    },
  };
}
