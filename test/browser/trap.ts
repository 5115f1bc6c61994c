// A listener that nothing must ever reach, and a second one that tells how many connections the first has had.
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    trapPort: number;
    trapCountUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  let connections = 0;
  const trap = createServer((socket) => {
    connections++;
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
    socket.on("error", () => {});
  });
  const counter = createHttpServer((_request, response) => response.end(String(connections)));
  project.provide("trapPort", await listen(trap));
  project.provide("trapCountUrl", `http://127.0.0.1:${await listen(counter)}/`);
  return () => {
    trap.close();
    counter.close();
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}
