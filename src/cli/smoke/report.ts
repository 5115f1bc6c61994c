// Prints one line for each step of the smoke test: whether it succeeded, how long it took, and what was seen.

/**
 * Runs a step, prints its line and returns its result. `note` says what to print beside the title; without it, a result that is a
 * string is printed.
 */
export type Report = <T>(title: string, work: () => Promise<T>, note?: (result: T) => string) => Promise<T>;

/** Thrown when a step fails. */
export class SmokeError extends Error {}

export function reporter(print: (line: string) => void): Report {
  return async (title, work, note = (result) => (typeof result === "string" ? result : "")) => {
    const startedAt = performance.now();
    const line = (outcome: string, text: string) =>
      print(`${outcome.padEnd(7)} ${(performance.now() - startedAt).toFixed(0).padStart(6)} ms  ${text}`);
    try {
      const result = await work();
      const seen = note(result);
      line("ok", seen === "" ? title : `${title}: ${seen}`);
      return result;
    } catch (cause) {
      line("FAILED", title);
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SmokeError(`The smoke test failed: ${title}: ${reason}`, { cause });
    }
  };
}

/** Throws an error that names the problem, unless the condition holds. */
export function check(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}
