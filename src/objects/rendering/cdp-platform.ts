// A browser at an address, reached through its DevTools: in a container, or at a provider. A session is a connection. The browser may
// serve others too, so it is never closed: when the connection ends, the browser closes the contexts and pages that were opened through
// it.
import { connect, type ConnectionTransport } from "@cloudflare/puppeteer";
import { withDeadline } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { retryAfterMs } from "../../core/retry-after.ts";
import { openRoot } from "./browser-platform.ts";
import { NoCapacityError, type BrowserConnection, type BrowserPlatform } from "./browser-session.ts";

/** Shorter than the limit on starting a browser, so that a browser that does not respond counts as a lack of capacity, not as a crash. */
const connectTimeoutMs = 8_000;
const maxVersionBytes = 65_536;

/** `url` may contain a token. Errors do not contain it, and are not logged with their messages anyway. */
export function cdpPlatform(url: URL): BrowserPlatform {
  return {
    acquire: async () => crypto.randomUUID(),
    async connect(sessionId) {
      const attempt = new AbortController();
      try {
        const opening = openConnection(url, sessionId, attempt.signal);
        return await withDeadline("connecting to the browser", connectTimeoutMs, opening);
      } catch (cause) {
        attempt.abort(); // This also ends a response that is not a browser's.
        throw cause instanceof NoCapacityError ? cause : new NoCapacityError("there is no browser", { cause });
      }
    },
    end: async () => {},
  };
}

async function openConnection(url: URL, sessionId: string, signal: AbortSignal): Promise<BrowserConnection> {
  const socket = await openSocket(await socketUrl(url, signal), signal);
  const transport = transportOf(socket);
  signal.addEventListener("abort", transport.close);
  const browser = await connect({ transport });
  const [root, version] = await Promise.all([openRoot(browser), browser.version()]);
  return {
    sessionId,
    isShared: true,
    isAlive: () => browser.connected,
    openRoot: async () => root,
    version: async () => version,
    disconnect: async () => browser.disconnect(),
  };
}

/**
 * The DevTools of Chromium have a new address after each start. A URL with `http://` or `https://` is therefore asked for this address,
 * as DevTools clients do.
 */
async function socketUrl(url: URL, signal: AbortSignal): Promise<URL> {
  const target = new URL(url);
  target.protocol = url.protocol.replace("ws", "http");
  if (target.protocol !== url.protocol) return target;
  const response = await fetch(new URL(`/json/version${url.search}`, url), { redirect: "manual", signal });
  const { webSocketDebuggerUrl } = JSON.parse(await beginningOf(checked(response))) as { webSocketDebuggerUrl: string };
  // Only the path, so that the browser cannot send the token to a different host.
  target.pathname = new URL(webSocketDebuggerUrl).pathname;
  return target;
}

async function beginningOf({ body }: Response): Promise<string> {
  let text = "";
  for await (const part of (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > maxVersionBytes) throw new CodedError("browser.response_too_large");
  }
  return text;
}

async function openSocket(url: URL, signal: AbortSignal): Promise<WebSocket> {
  const response = await fetch(url, { headers: { Upgrade: "websocket" }, redirect: "manual", signal });
  if (response.webSocket) return response.webSocket;
  checked(response);
  throw new CodedError("browser.no_websocket");
}

/** Returns the response if it is a success. */
function checked(response: Response): Response {
  if (response.ok) return response;
  throw new NoCapacityError(`the browser responded with ${response.status}`, {
    retryAfterMs: retryAfterMs(response.headers.get("Retry-After"), Date.now()),
  });
}

/** Ends the connection when a message is not JSON of the protocol. */
function transportOf(socket: WebSocket): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => socket.send(message),
    close: () => socket.close(),
  };
  const lost = () => transport.onclose?.();
  const receive = async (data: unknown) => {
    try {
      await transport.onmessage?.(data as string);
    } catch {
      transport.close();
      lost();
    }
  };
  socket.addEventListener("message", ({ data }) => void receive(data));
  socket.addEventListener("close", lost);
  socket.addEventListener("error", lost);
  socket.accept();
  return transport;
}
