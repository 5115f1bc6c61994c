// A listener that nothing must ever reach, and a second one that tells how many connections the first has had, and
// on /paths which paths were asked for ("" where nothing was said, or not in HTTP).
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
  const paths: string[] = [];
  const trap = createServer((socket) => {
    const at = paths.push("") - 1;
    socket.once("data", (said) => {
      paths[at] = /^[A-Z]+ \/(\S*) HTTP/.exec(String(said))?.[1] ?? "";
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    socket.on("error", () => {});
  });
  const counter = createHttpServer((request, response) => {
    response.end(request.url === "/paths" ? JSON.stringify(paths) : String(paths.length));
  });
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
