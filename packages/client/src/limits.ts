// Checks how long requests may take and how often they are repeated. A timer takes a limit that is no number as zero, so a mistake
// would make every request fail at once.

type Limits = { timeoutMs: number; maxRetries: number; totalTimeoutMs: number };

/** Throws a `TypeError` that names the limit which makes no sense. `Infinity` is allowed. */
export function checkLimits({ timeoutMs, maxRetries, totalTimeoutMs }: Limits): void {
  for (const [name, value] of Object.entries({ timeoutMs, totalTimeoutMs })) {
    if (!(typeof value === "number" && value > 0)) throw new TypeError(`\`${name}\` must be a number above 0, in ms.`);
  }
  if (!(Number.isInteger(maxRetries) || maxRetries === Infinity) || maxRetries < 0)
    throw new TypeError("`maxRetries` must be a whole number, 0 or more.");
}
