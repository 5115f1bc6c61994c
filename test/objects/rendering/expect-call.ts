import { expect, vi, type Mock } from "vitest";

/** Advances the fake clock by `ms`, and expects that `mock` is called once, at the end of this time and not before. */
export async function expectCallAfter(ms: number, mock: Mock): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(mock).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(mock).toHaveBeenCalledOnce();
}
