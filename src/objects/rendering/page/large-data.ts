// Takes large files out of the messages of the browser before puppeteer parses them. An image of 25 MB arrives as a message of
// 33 million characters. Parsing would copy them, so that the message, the copy and the file would be in memory together.

type Bytes = Uint8Array<ArrayBuffer>;
type Listener = (event: { data: unknown }) => void;

/** The beginning of a message whose result is a file as base64. */
const fileResult = /^\{"id":\d+,"result":\{"data":"/;
const maxStartChars = 100;
const minLargeChars = 1_000_000;
/** How much is decoded at a time; a multiple of four characters, which are three bytes. */
const partChars = 1_000_000;

/** Files between their message and `decodeData`. A file that has not been taken within its own event is dropped. */
const detached = new Map<string, Bytes>();
let lastNumber = 0;

/** Lets the listeners of the socket receive messages in which a short key stands for each large file. */
export function detachLargeData(socket: WebSocket): void {
  const listen = socket.addEventListener.bind(socket) as (type: string, listener: Listener) => void;
  const value = (type: string, listener: Listener) =>
    listen(type, type === "message" ? ({ data }) => listener({ data: withoutLargeData(data) }) : listener);
  Object.defineProperty(socket, "addEventListener", { value });
}

/** Returns the bytes of a file that a command has returned as base64. Call it in the event in which the command resolves. */
export function decodeData(data: string): Bytes {
  const bytes = detached.get(data);
  detached.delete(data);
  return bytes ?? decodeBase64(data, 0, data.length);
}

function withoutLargeData(message: unknown): unknown {
  if (typeof message !== "string" || message.length < minLargeChars) return message;
  const start = fileResult.exec(message.slice(0, maxStartChars))?.[0].length;
  if (start === undefined) return message;
  const end = message.indexOf('"', start);
  // Base64 contains no colon.
  const key = `file:${++lastNumber}`;
  detached.set(key, decodeBase64(message, start, end));
  setTimeout(() => detached.delete(key));
  return message.slice(0, start) + key + message.slice(end);
}

/** Decodes a part of a text. `Buffer.from` would need a copy of the whole. */
function decodeBase64(text: string, start: number, end: number): Bytes {
  const padding = text.slice(Math.max(start, end - 2), end).split("=").length - 1;
  const bytes = new Uint8Array(((end - start) / 4) * 3 - padding);
  let filled = 0;
  for (let at = start; at < end; at += partChars) {
    const part = Buffer.from(text.slice(at, Math.min(end, at + partChars)), "base64");
    bytes.set(part, filled);
    filled += part.length;
  }
  return bytes;
}
