// Connects to the inspector of the local runtime, for the service's isolate.

type InspectorEvent = {
  method?: string;
  params?: { context?: { id: number }; scriptId?: string; url?: string };
};

type Message = InspectorEvent & { id?: number; result?: Record<string, unknown>; error?: { message: string } };

export async function connectInspector(port: number, onEvent: (event: InspectorEvent) => void) {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = openSocket(targets[0]?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the inspector cannot be reached")));
  });
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) onEvent(message);
    else waiting.get(message.id)?.(message);
  });
  let lastId = 0;
  return {
    async send(method: string, params: Record<string, unknown> = {}) {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<Message>();
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
      const { result = {}, error } = await promise;
      waiting.delete(id);
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    close: () => socket.close(),
  };
}

/** The runtime refuses connections without an origin. Node's `WebSocket` accepts headers, which its type lacks. */
function openSocket(url: string): WebSocket {
  return Reflect.construct(WebSocket, [url, { headers: { Origin: "http://localhost" } }]) as WebSocket;
}
