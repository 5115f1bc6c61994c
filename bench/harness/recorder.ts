// Records the browser's responses to the commands of a render, and replays them. A replayed render takes only the time
// that the renderer itself needs.
import type { CDPSession } from "@cloudflare/puppeteer";

export type Recorder = {
  /** Forgets all responses. Later commands go to the browser, and their responses are recorded. */
  record(): void;
  /** Answers later commands with the recorded responses, from the first one on. */
  replay(): void;
  /** How long the browser took for the first command with this method, in ms. */
  tookMs(method: string): number;
  /** When the renderer got the last recorded response that it waits for, on the clock of `performance.now()`. */
  lastResponseMs(): number;
};

type Recorded = { method: string; response: unknown; tookMs: number; arrivedMs: number };

/** Watches the pages that are opened through `root` after this call. */
export function recordCommands(root: CDPSession): Recorder {
  let recorded: Recorded[] = [];
  let next: number | null = null;
  const send = async (original: (...args: unknown[]) => Promise<unknown>, args: unknown[]): Promise<unknown> => {
    if (next !== null) return recorded[next++]?.response;
    const entry: Recorded = { method: String(args[0]), response: null, tookMs: 0, arrivedMs: 0 };
    recorded.push(entry);
    const startedMs = performance.now();
    entry.response = await original(...args);
    entry.arrivedMs = performance.now();
    entry.tookMs = entry.arrivedMs - startedMs;
    return entry.response;
  };
  const connection = root.connection();
  const find = connection?.session.bind(connection);
  if (!connection || !find) throw new Error("the connection is closed");
  connection.session = (id) => {
    const page = find(id);
    if (!page) return null;
    const original = page.send.bind(page) as (...args: unknown[]) => Promise<unknown>;
    page.send = ((...args: unknown[]) => send(original, args)) as CDPSession["send"];
    return page;
  };
  return {
    record: () => ([recorded, next] = [[], null]),
    replay: () => (next = 0),
    // The renderer closes streams without waiting for the response.
    lastResponseMs: () =>
      Math.max(...recorded.filter(({ method }) => method !== "IO.close").map(({ arrivedMs }) => arrivedMs)),
    tookMs: (wanted) => recorded.find(({ method }) => method === wanted)?.tookMs ?? Number.NaN,
  };
}
