// Runs the steps of the smoke test.
import { ColophonError } from "colophon-client";

/** Prints a line: whether the step succeeded, how long it took, and what it has seen. Rejects if it failed. */
export async function step<T>(
  title: string,
  work: () => Promise<T>,
  seen: (result: T) => string = () => "",
): Promise<T> {
  const startedAt = performance.now();
  const print = (outcome: string, text: string) =>
    console.log(`${outcome.padEnd(7)} ${(performance.now() - startedAt).toFixed(0).padStart(6)} ms  ${text}`);
  try {
    const result = await work();
    print("ok", [title, seen(result)].filter(Boolean).join(": "));
    return result;
  } catch (cause) {
    print("FAILED", title);
    const status = cause instanceof ColophonError && cause.status ? `status ${cause.status}, ${cause.code}: ` : "";
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The smoke test failed: ${title}: ${status}${reason}`, { cause });
  }
}

/** Throws an error that names the problem, unless the condition holds. */
export function check(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

/** Throws unless the service refuses the request with this status. */
export async function checkRefused(request: Promise<unknown>, expected: number): Promise<void> {
  const error = await request.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ColophonError))
    throw error ?? new Error(`a request was accepted, not refused with ${expected}`);
  if (error.status !== expected) throw error;
}
