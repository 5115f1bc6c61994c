// A browser binding that passes everything on to the real one, and fails where and how a test says: at a call of the
// binding (`acquire`, `connect`, `end`) or at a command of the DevTools protocol. It can also change commands on the way.
import type { BrowserWorker } from "@cloudflare/puppeteer";

export type Failure =
  /** This one call or command is never answered. */
  | "stall"
  /** From here on the connection is silent, as that of a stopped browser. */
  | "hang"
  /** The connection is closed. */
  | "drop"
  /** The page's process ends instead. */
  | "crash"
  /** An error in answer to a command. */
  | "error"
  /** An HTTP status in answer to a call of the binding. */
  | number;

export type FaultyBrowser = BrowserWorker & {
  /** The next `times` calls of `step` fail. */
  fail(step: string, how: Failure, times?: number): void;
  /** Session ids, in order of their acquisition. */
  acquired: string[];
  /** Every step so far, in order. */
  steps: string[];
};

export type Command = { id: number; sessionId?: string; method: string; params?: Record<string, unknown> };

/** What is passed on in place of a command; null when it is only said to be done. */
export type Alteration = (command: Command) => Command | null;

const never = new Promise<never>(() => {});

export function faultyBrowser(real: BrowserWorker, alter: Alteration = (command) => command): FaultyBrowser {
  const planned = new Map<string, { how: Failure; left: number }>();
  const acquired: string[] = [];
  const steps: string[] = [];

  const nextFailure = (step: string): Failure | null => {
    steps.push(step);
    const plan = planned.get(step);
    if (!plan || plan.left <= 0) return null;
    plan.left--;
    return plan.how;
  };

  const relayed = (upstream: WebSocket): WebSocket => {
    const { 0: client, 1: server } = new WebSocketPair();
    let isSilent = false;
    upstream.accept();
    server.accept();
    server.addEventListener("message", ({ data }) => {
      const command = JSON.parse(String(data)) as Command;
      const failure = nextFailure(command.method);
      if (failure === "drop") return server.close(1011, "dropped");
      if (failure === "hang") isSilent = true;
      if (failure === "error") server.send(errorAnswer(command));
      if (failure === "crash") upstream.send(JSON.stringify({ ...command, method: "Page.crash", params: {} }));
      if (failure !== null || isSilent) return;
      const altered = alter(command);
      if (altered) upstream.send(JSON.stringify(altered));
      else server.send(JSON.stringify({ id: command.id, sessionId: command.sessionId, result: {} }));
    });
    upstream.addEventListener("message", ({ data }) => !isSilent && server.readyState === 1 && server.send(data));
    upstream.addEventListener("close", () => server.readyState === 1 && server.close());
    server.addEventListener("close", () => upstream.close());
    return client;
  };

  return {
    acquired,
    steps,
    fail: (step, how, times = 1) => void planned.set(step, { how, left: times }),
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const failure = nextFailure(stepOf(init));
      if (typeof failure === "number") return new Response("no", { status: failure });
      if (failure !== null) return never;
      const answer = await real.fetch(input, init);
      if (answer.webSocket) return new Response(null, { status: 101, webSocket: relayed(answer.webSocket) });
      if (init?.method !== "POST") return answer;
      const body = await answer.text();
      acquired.push((JSON.parse(body) as { sessionId: string }).sessionId);
      return new Response(body);
    },
  } as FaultyBrowser;
}

function stepOf(init?: RequestInit): string {
  return init?.method === "POST" ? "acquire" : init?.method === "DELETE" ? "end" : "connect";
}

function errorAnswer({ id, sessionId }: Command): string {
  return JSON.stringify({ id, sessionId, error: { code: -32000, message: "it failed" } });
}
