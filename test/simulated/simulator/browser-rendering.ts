// A simulator of Cloudflare's Browser Rendering. It is a browser binding that implements the protocol of @cloudflare/puppeteer,
// and forwards it to the real binding, which starts a local Chromium. It adds what the local binding lacks: the time to launch,
// refusals, distance, a limit on messages and sessions, sessions that end, and contexts that outlive a connection.
import type { BrowserWorker } from "@cloudflare/puppeteer";
import { relay, type RelayOptions } from "./devtools-relay.ts";

export type PlatformOptions = Partial<RelayOptions> & {
  /** How long a browser takes to start. Documented: 2 to 4 seconds. */
  launchMs?: number;
  /** The call during which the browser starts. The documentation does not specify it. */
  launchDuring?: "acquire" | "connect";
  /** The maximum number of running browsers. */
  maxSessions?: number;
};

export type Refusal = { status: 429 | 503; retryAfter?: string };

export type SimulatedSession = {
  id: string;
  keepAliveMs: number;
  startedMs: number;
  lastCommandMs: number;
  /** Why the session has ended, in the platform's words; null while it runs. */
  closeReason: "NormalClosure" | "BrowserIdle" | "SessionEvicted" | null;
};

export type SimulatedPlatform = BrowserWorker & {
  /** May be changed at any time. Connections that are already open keep their delay. */
  options: PlatformOptions;
  /** All sessions, oldest first. */
  sessions: SimulatedSession[];
  /** The steps so far, oldest first: `acquire`, `acquired`, `connect`, `connected`, `end`, and the names of all commands. */
  steps: string[];
  /** Refuses the next calls of `acquire`, one per refusal. */
  refuse(...refusals: Refusal[]): void;
  /**
   * Called before each step, in the context of the binding's caller. If it returns false, the step is not executed and gets no
   * response, as if the caller no longer existed.
   */
  onStep: (step: string) => boolean;
  /** Ends a session from the platform's side, as before a new release of the platform. */
  evict(sessionId: string): Promise<void>;
  /** Ends the sessions that the platform would have ended after `ms` without activity. */
  elapse(ms: number): Promise<void>;
};

/** Documented: the keep-alive time of a session that sets none. */
const defaultKeepAliveMs = 60_000;

export function simulatedPlatform(real: BrowserWorker, options: PlatformOptions = {}): SimulatedPlatform {
  const refusals: Refusal[] = [];
  const running = () => platform.sessions.filter(({ closeReason }) => closeReason === null);

  const isCarriedOut = (step: string): boolean => {
    platform.steps.push(step);
    return platform.onStep(step);
  };
  const step = (name: string): Promise<void> => (isCarriedOut(name) ? Promise.resolve() : new Promise(() => {}));

  const refusal = (): Refusal | null => {
    const planned = refusals.shift();
    if (planned) return planned;
    return running().length >= (platform.options.maxSessions ?? Infinity) ? { status: 429 } : null;
  };

  const acquire = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    await step("acquire");
    await distance();
    const refused = refusal();
    if (refused) return refusedResponse(refused);
    const { launchMs = 0, launchDuring = "acquire" } = platform.options;
    const [response] = await Promise.all([real.fetch(url, init), sleep(launchDuring === "acquire" ? launchMs : 0)]);
    const { sessionId: id } = (await response.json()) as { sessionId: string };
    const keepAliveMs = Number(url.searchParams.get("keep_alive")) || defaultKeepAliveMs;
    const nowMs = Date.now();
    platform.sessions.push({
      id,
      keepAliveMs,
      startedMs: nowMs,
      lastCommandMs: nowMs,
      closeReason: null,
    });
    await step("acquired");
    return Response.json({ sessionId: id });
  };

  const connect = async (session: SimulatedSession, url: URL, init: RequestInit | undefined): Promise<Response> => {
    await step("connect");
    await distance();
    const { launchMs = 0, launchDuring = "acquire", roundTripMs = 0, maxMessageBytes = Infinity } = platform.options;
    if (launchDuring === "connect") await sleep(session.startedMs + launchMs - Date.now());
    const { webSocket } = await real.fetch(url, init);
    if (!webSocket) return Response.json({ error: "Browser not found" }, { status: 404 });
    const client = relay(webSocket, {
      roundTripMs,
      maxMessageBytes,
      onCommand(method) {
        // The browser may respond until it has ended, but the platform has closed the session already.
        const isEvicted = session.closeReason !== null && session.closeReason !== "NormalClosure";
        if (isEvicted || !isCarriedOut(method)) return false;
        session.lastCommandMs = Date.now();
        if (method === "Browser.close") session.closeReason ??= "NormalClosure";
        return true;
      },
    });
    await step("connected");
    return new Response(null, { status: 101, webSocket: client });
  };

  const end = async (session: SimulatedSession, closeReason: SimulatedSession["closeReason"]): Promise<void> => {
    session.closeReason ??= closeReason;
    const url = `https://browser.test/v1/devtools/browser/${session.id}`;
    await (await real.fetch(url, { method: "DELETE" })).text();
  };

  const distance = () => sleep(platform.options.roundTripMs ?? 0);

  const onSession = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    const session = running().find(({ id }) => url.pathname.endsWith(`/${id}`));
    if (!session) return Response.json({ error: "Session not found" }, { status: 404 });
    if (init?.method !== "DELETE") return connect(session, url, init);
    await step("end");
    await distance();
    await end(session, "NormalClosure");
    return Response.json({ status: "closing" });
  };

  const platform: SimulatedPlatform = {
    options,
    sessions: [],
    steps: [],
    refuse: (...planned: Refusal[]) => void refusals.push(...planned),
    onStep: () => true,
    async evict(sessionId: string) {
      const session = running().find(({ id }) => id === sessionId);
      if (session) await end(session, "SessionEvicted");
    },
    async elapse(ms: number) {
      const isIdle = ({ lastCommandMs, keepAliveMs }: SimulatedSession) =>
        lastCommandMs + keepAliveMs <= Date.now() + ms;
      await Promise.all(
        running()
          .filter(isIdle)
          .map((session) => end(session, "BrowserIdle")),
      );
    },
    async fetch(input: RequestInfo | URL, init?: RequestInit) {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.pathname === "/v1/devtools/browser" && init?.method === "POST") return acquire(url, init);
      if (url.pathname.startsWith("/v1/devtools/browser/")) return onSession(url, init);
      if (url.pathname === "/v1/sessions")
        return Response.json({ sessions: running().map(({ id: sessionId }) => ({ sessionId })) });
      return Response.json({ error: "Not found" }, { status: 404 });
    },
  };
  return platform;
}

function refusedResponse({ status, retryAfter }: Refusal): Response {
  return new Response("Rate limit exceeded", {
    status,
    headers: retryAfter === undefined ? {} : { "Retry-After": retryAfter },
  });
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
