// An HTTP server on this machine with scripted responses.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../packages/client/src/client.ts";

export type ReceivedRequest = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void;

export type ScriptedServer = {
  baseUrl: string;
  /** The requests so far, in order. */
  requests: ReceivedRequest[];
  client(options?: Partial<ClientOptions>): Client;
};

export const apiKey = "colophon_test_QbdnWmVJ3vKz1T0aXc";
export const requestId = "420a9d4e-5aaa-452d-972c-c7636240893a";
const meta = { timestamp: "2026-11-22T10:00:00.000Z", requestId };

/** Starts a server, and returns it with a client that has the usual settings. */
export async function serve(...replies: Reply[]): Promise<{ server: ScriptedServer; client: Client }> {
  const server = await scriptedServer(...replies);
  return { server, client: server.client() };
}

/** Starts a server that sends the replies in order until the test ends. Further requests get the last reply. */
export async function scriptedServer(...replies: Reply[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(parts).toString() };
    requests.push(request);
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    reply?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl, requests, client: (options = {}) => createClient({ baseUrl, apiKey, ...options }) };
}

export function success(data: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", "X-Request-Id": requestId, ...headers });
    response.end(JSON.stringify({ success: true, data, meta }));
  };
}

export function failure(status: number, code: string, { headers = {}, ...error }: FailureParts = {}): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", "X-Request-Id": requestId, ...headers });
    response.end(
      JSON.stringify({ success: false, error: { code, message: `the message of ${code}`, ...error }, meta }),
    );
  };
}

type FailureParts = {
  headers?: Record<string, string>;
  message?: string;
  details?: { path: string; message: string }[];
};

/** A failure after which the client retries the request. */
export const temporary = failure(503, "SERVICE_UNAVAILABLE");

/** Closes the connection without a response. */
export const lost: Reply = (response) => response.destroy();

/** Never responds. */
export const silent: Reply = () => {};

export function page(status: number, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "text/html", ...headers });
    response.end("<h1>It works!</h1>");
  };
}
