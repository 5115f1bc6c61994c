// Estimates how much memory a render needs in its object, so that the renders under way fit into it together. The files of a
// document pass through in parts. Its markup is in memory several times, and `output-memory.ts` limits large results.
import type { PoolJob } from "../../platform/rendering/job-content.ts";

/** The markup is in memory as text and as a message to the browser, with up to two bytes for each byte of UTF-8. */
const bytesPerTextByte = 3;
/** The parts of files that are on their way to the browser; see `page-functions.ts`. */
const maxFileBytesUnderWay = 6_000_000;
/** Everything else. It is so little that many small renders leave space for a large one, which then waits only for others. */
const otherBytes = 2_000_000;

/** The renders under way may weigh this much together. One render may always run, whatever it weighs. */
export const maxWeight = 60_000_000;

/** Returns the number of bytes that the render takes at most, without a large file as its result. */
export function renderWeight({ textBytes, fileBytes }: Pick<PoolJob, "textBytes" | "fileBytes">): number {
  return otherBytes + bytesPerTextByte * textBytes + 2 * Math.min(fileBytes, maxFileBytesUnderWay);
}

/** Whether a render of this weight fits beside the others. */
export function fits(weight: number, underWay: Iterable<{ readonly weight: number }>): boolean {
  const others = Array.from(underWay, (render) => render.weight);
  return others.length === 0 || others.reduce((sum, other) => sum + other, weight) <= maxWeight;
}
