// Passes the messages of a DevTools connection on to the browser and back, each with half of the round trip's delay, in
// order. The browser keeps the contexts of a connection that was closed, because the platform does not document that it
// disposes of them.

export type RelayOptions = {
  /** The time from a command to its response, in addition to the browser's own time. */
  roundTripMs: number;
  /** The connection is closed if a message in either direction is larger. */
  maxMessageBytes: number;
};

export type RelayParts = RelayOptions & {
  /** Called with the method of each command; returns whether to forward the command. */
  onCommand: (method: string) => boolean;
};

/** Returns the client's end of a new connection, whose other end is connected to `upstream`. */
export function relay(upstream: WebSocket, { roundTripMs, maxMessageBytes, onCommand }: RelayParts): WebSocket {
  const { 0: client, 1: server } = new WebSocketPair();
  const close = (code = 1000, reason = "") => {
    for (const end of [upstream, server]) if (end.readyState === WebSocket.READY_STATE_OPEN) end.close(code, reason);
  };
  // Timers of equal length fire in the order in which they were set, so the messages stay in order.
  const later = (action: () => void) => {
    if (roundTripMs === 0) action();
    else setTimeout(action, roundTripMs / 2);
  };
  const pass = (to: WebSocket, data: string) => {
    if (new TextEncoder().encode(data).length > maxMessageBytes) return close(1009, "the message is too large");
    later(() => to.readyState === WebSocket.READY_STATE_OPEN && to.send(data));
  };
  upstream.accept();
  server.accept();
  server.addEventListener("message", ({ data }) => {
    const command = String(data);
    if (onCommand((JSON.parse(command) as { method: string }).method)) pass(upstream, keepingContexts(command));
  });
  upstream.addEventListener("message", ({ data }) => pass(server, String(data)));
  server.addEventListener("close", () => later(close));
  upstream.addEventListener("close", () => later(close));
  return client;
}

function keepingContexts(command: string): string {
  if (!command.includes('"Target.createBrowserContext"')) return command;
  const { params, ...rest } = JSON.parse(command) as { params?: Record<string, unknown> };
  return JSON.stringify({ ...rest, params: { ...params, disposeOnDetach: false } });
}
