// Reads the `Retry-After` header of a response.

/**
 * Returns the delay in ms that a `Retry-After` header asks for. RFC 9110 allows seconds or a date. Returns null when
 * the header is absent or has neither form.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  // `Date.parse` accepts nearly any string that contains a number, so the form of the date is checked first.
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
