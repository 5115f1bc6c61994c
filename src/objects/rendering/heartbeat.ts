// Tells a page that takes long from a browser that hangs: a hung one (stopped, or behind a dead connection) does not
// answer the simplest question either. Nothing else would tell before the render's whole time is used up.
import { withDeadline } from "../../platform/deadline.ts";

/** The browser itself hangs or is gone, not only a page of it. */
export class UnresponsiveBrowserError extends Error {}

const askEveryMs = 2_000;
/** Far more than a busy browser needs, and little enough to leave time for a second try. */
const answerWithinMs = 5_000;

/** What `work` comes to; rejects as soon as `ask` is not answered in time, or with an error. */
export function withHeartbeat<T>(ask: () => Promise<unknown>, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const check = async () => {
      try {
        await withDeadline("an answer of the browser", answerWithinMs, ask());
        if (!isOver) timer = setTimeout(check, askEveryMs);
      } catch (cause) {
        reject(new UnresponsiveBrowserError("the browser does not answer", { cause }));
      }
    };
    let timer = setTimeout(check, askEveryMs);
    work.then(resolve, reject).finally(() => {
      isOver = true;
      clearTimeout(timer);
    });
  });
}
