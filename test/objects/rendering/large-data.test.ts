import { describe, expect, it } from "vitest";
import { decodeData, detachLargeData } from "../../../src/objects/rendering/page/large-data.ts";

const file = new Uint8Array(3_000_001).map((_, index) => index * 7 + (index >> 8));
const base64 = Buffer.from(file).toString("base64");
const result = (data: string) => JSON.stringify({ id: 7, result: { data }, sessionId: "s" });

/** Returns what a listener of a socket receives for this message. */
function received(message: unknown): unknown {
  const socket = new EventTarget();
  detachLargeData(socket as WebSocket);
  let data: unknown;
  socket.addEventListener("message", (event) => (data = (event as MessageEvent).data));
  socket.dispatchEvent(new MessageEvent("message", { data: message }));
  return data;
}

const dataOf = (message: unknown) => (JSON.parse(String(message)) as { result: { data: string } }).result.data;

describe("a large file in a message", () => {
  it("is replaced by a key, for which its bytes are returned once", () => {
    const message = received(result(base64));

    expect(String(message).length).toBeLessThan(100);
    expect(JSON.parse(String(message))).toMatchObject({ id: 7, sessionId: "s" });
    expect(Buffer.compare(decodeData(dataOf(message)), file)).toBe(0);
    expect(decodeData(dataOf(message)).length).not.toBe(file.length);
  });

  it("is dropped if nobody takes it within its event", async () => {
    const message = received(result(base64));

    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(decodeData(dataOf(message)).length).not.toBe(file.length);
  });
});

it.each([
  ["a small file", result("AAAA")],
  ["another result", JSON.stringify({ id: 7, result: { result: { value: "x".repeat(2_000_000) } } })],
  ["an event", JSON.stringify({ method: "Network.dataReceived", params: { data: base64 } })],
  ["bytes", new Uint8Array(2_000_000)],
])("leaves %s as it is", (_, message) => expect(received(message)).toBe(message));

it.each([0, 1, 2, 3, 4, 1_000_000])("decodes base64 of %i bytes", (length) => {
  const bytes = file.subarray(0, length);

  expect(Buffer.compare(decodeData(Buffer.from(bytes).toString("base64")), bytes)).toBe(0);
});
