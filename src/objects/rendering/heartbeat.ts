// Distinguishes a slow page from a hung browser by pinging the browser during a render. If the browser's process is
// stopped or its connection is dead, it does not respond to a ping. Without the heartbeat, a render in a hung browser
// would fail only at its deadline.
import { withDeadline } from "colophon-base/deadline";

/** Thrown when the browser itself hangs or is gone, rather than just one of its pages. */
export class UnresponsiveBrowserError extends Error {}

const pingEveryMs = 2_000;
/**
 * This limit is far longer than a browser under load needs to respond, but short enough to leave time for a second
 * render attempt.
 */
const pingTimeoutMs = 5_000;

/** Rejects if the ping takes longer than a browser under load needs to respond. */
export function pingInTime(ping: Promise<unknown>): Promise<unknown> {
  return withDeadline("a ping of the browser", pingTimeoutMs, ping);
}

/** Settles like `work`, but rejects with `UnresponsiveBrowserError` as soon as a ping fails or times out. */
export function withHeartbeat<T>(ping: () => Promise<unknown>, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const check = async () => {
      try {
        await pingInTime(ping());
        if (!isOver) timer = setTimeout(check, pingEveryMs);
      } catch (cause) {
        reject(new UnresponsiveBrowserError("the browser does not respond", { cause }));
      }
    };
    let timer = setTimeout(check, pingEveryMs);
    work.then(resolve, reject).finally(() => {
      isOver = true;
      clearTimeout(timer);
    });
  });
}
