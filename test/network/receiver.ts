// An HTTP server in Node that acts as a webhook receiver and as an image server. `/<log>/<behaviour>` adds the request to the
// log and responds with the behaviour. `/log/<log>` lists the requests in the log. `/verify` verifies a message with two
// libraries. A hostile server runs beside it, and `/hostile/<behaviour>/<test>` counts its requests and open connections.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import type { TestProject } from "vitest/node";
import { hostileServer } from "../fixtures/hostile-server.ts";

export type Received = {
  id: string;
  headers: Record<string, string>;
  body: string;
  /** The status of the response, or the way in which the connection failed. */
  outcome: number | "hang" | "reset";
};

/** How long a hanging connection stays open, in ms. This is far longer than the service waits for a response. */
const hangMs = 60_000;

/** Responds to a request, or breaks the connection. */
type Behaviour = (response: ServerResponse) => Received["outcome"];

const status = (code: number, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => {
    response.writeHead(code, headers).end("x".repeat(5_000));
    return code;
  };
};
const hang = (response: ServerResponse) => {
  setTimeout(() => response.destroy(), hangMs).unref();
  return "hang" as const;
};
const reset = (response: ServerResponse) => {
  (response.socket as unknown as { resetAndDestroy(): void }).resetAndDestroy();
  return "reset" as const;
};
/** Responds at random: 30 % of the requests get a 500, 10 % hang, 5 % are reset, and 55 % get a 200. */
const storm: Behaviour = (response) => {
  const draw = Math.random();
  return (draw < 0.3 ? status(500) : draw < 0.4 ? hang : draw < 0.45 ? reset : status(200))(response);
};

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const image: Behaviour = (response) => {
  response.writeHead(200, { "Content-Type": "text/plain" }).end(png);
  return 200;
};
/** An image whose file exceeds the buffers of its reader. Each part of it is different. */
const longImage = Buffer.concat([png, Buffer.from(Uint32Array.from({ length: 100_000 }, (_, index) => index).buffer)]);
/** The image from a receiver that does not give its length. */
const chunkedImage: Behaviour = (response) => {
  response.writeHead(200);
  for (let at = 0; at < longImage.length; at += 60_000) response.write(longImage.subarray(at, at + 60_000));
  response.end();
  return 200;
};
/** The `Content-Length` is the compressed image's length. */
const compressedImage: Behaviour = (response) => {
  const compressed = gzipSync(longImage);
  response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": compressed.length }).end(compressed);
  return 200;
};
/** Responds with six megabytes in chunks, without a Content-Length. */
const huge: Behaviour = (response) => {
  response.writeHead(200);
  for (let sent = 0; sent < 6; sent++) response.write(Buffer.alloc(1_000_000));
  response.end();
  return 200;
};

const behaviours: Record<string, Behaviour> = {
  ok: status(200),
  gone: status(410),
  redirect: status(302, { Location: "/redirected/ok" }),
  later: status(503, { "Retry-After": "7200" }),
  fails: status(500),
  "redirect-to-image": status(302, { Location: "image" }),
  hang,
  reset,
  storm,
  image,
  "chunked-image": chunkedImage,
  "compressed-image": compressedImage,
  "long-image": (response) => {
    response.writeHead(200, { "Content-Length": longImage.length }).end(longImage);
    return 200;
  },
  huge,
};

/** Whether the library accepts the message with this secret. */
export function isAccepted(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const logs = new Map<string, Received[]>();
  const hostile = await hostileServer(Number(process.env["HOSTILE_PORT"]));
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const [, name = "", behaviour = ""] = (request.url ?? "").split("/");
      if (name === "log") return response.end(JSON.stringify(logs.get(behaviour) ?? []));
      if (name === "hostile") {
        const path = (request.url ?? "").slice("/hostile/".length);
        return response.end(JSON.stringify({ requests: hostile.requests(path), open: hostile.open(path) }));
      }
      if (name === "verify") {
        const { secret, headers, payload } = JSON.parse(body) as VerifyRequest;
        return response.end(JSON.stringify(isAccepted(secret, payload, headers)));
      }
      const headers = request.headers as Record<string, string>;
      const entry: Received = { id: headers["webhook-id"] ?? "", headers, body, outcome: "hang" };
      const log = logs.get(name) ?? [];
      log.push(entry);
      logs.set(name, log);
      entry.outcome = (behaviours[behaviour.split("?")[0] ?? ""] ?? status(404))(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(Number(process.env["RECEIVER_PORT"]), "127.0.0.1", resolve));
  project.provide("receiverOrigin", `http://127.0.0.1:${process.env["RECEIVER_PORT"]}`);
  project.provide("hostileOrigin", `http://127.0.0.1:${hostile.port}`);
  return () => {
    hostile.close();
    server.closeAllConnections();
    server.close();
  };
}

export type VerifyRequest = { secret: string; headers: Record<string, string>; payload: string };

declare module "vitest" {
  export interface ProvidedContext {
    receiverOrigin: string;
    hostileOrigin: string;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
