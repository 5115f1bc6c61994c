// Sends 5,000 pairs of framing headers through `npm run serve`, alone and behind nginx and Caddy from Debian (`apt-get install nginx
// caddy`), configured as in docs/self-hosting.md. Each request contains a second request, which nobody has sent: no interpretation of the
// headers makes it a request, because the bytes before it are not one.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hidden, rawRequests, request, sendRaw, statusesIn } from "../cli/serve/raw-requests.ts";
import { startService, type RunningService } from "./service.ts";

const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const names = [
  ...["Transfer-Encoding", "transfer-encoding", "Transfer-Encoding ", " Transfer-Encoding"],
  "X: y\nTransfer-Encoding",
];
const encodings = [
  ...["chunked", "CHUNKED", " chunked", "\tchunked", "chunked ", "\u000bchunked"],
  ...["chunked, chunked", "gzip, chunked"],
];
const otherEncodings = ["chunked, gzip", "identity", "x", "", "chunked;q=1", '"chunked"', "chunked\r", "chunk"];
const size = chunk.length;
const lengths = ["", "0", "+0", "-1", "0x0", " 0", "0 ", "0, 0", "00", "1e0", `${size}`, `0${size}`, `${size}, 0`];
const framings = [
  ...names.flatMap((name) => encodings.map((value) => `${name}:${value}`)),
  ...otherEncodings.map((value) => `Transfer-Encoding: ${value}`),
  ...lengths.map((value) => `Content-Length: ${value}`),
  ...["Content-Length : 0", "Connection: close, Content-Length", "Connection: Transfer-Encoding"],
  ...["TE: trailers", "Upgrade: h2c"],
  ...["Expect: 100-continue", "Content-Length:\r\n 0", "Transfer-Encoding:\r\n chunked", "Content_Length: 0", "X: y"],
];
const methods = ["GET", "POST", "HEAD", "DELETE", "OPTIONS", "PUT", "TRACE", "PROPFIND"];
const pairs = framings
  .flatMap((first) => framings.map((second) => [first, second]))
  .map((pair, index) => request(methods[index % methods.length] ?? "GET", pair, chunk));

const proxies = ["nginx", "caddy"] as const;
const missing = proxies.filter((name) => {
  try {
    execFileSync("which", [name]);
    return false;
  } catch {
    return true;
  }
});

let service: RunningService;
let log = "";
const started: ChildProcess[] = [];

beforeAll(async () => {
  const variables = { PUBLIC_URL: "https://pdf.example.com", TRUSTED_PROXY: "127.0.0.1", DEMO: "0" };
  service = await startService(variables, undefined, "serve");
  service.process.stdout?.on("data", (data) => (log += String(data)));
}, 120_000);

afterAll(async () => {
  for (const proxy of started) proxy.kill();
  await service.stop();
});

/** The configuration in the documentation, with different ports and without TLS. */
function configuration(name: (typeof proxies)[number], port: number): string[] {
  const directory = mkdtempSync(join(tmpdir(), "colophon-proxy-"));
  const text = readFileSync("docs/self-hosting.md", "utf8").replaceAll(
    "127.0.0.1:8787",
    new URL(service.origin).host.replace("localhost", "127.0.0.1"),
  );
  const file = join(directory, "configuration");
  if (name === "caddy") {
    const block = /```\n(pdf\.example\.com \{[^]*?)```/.exec(text)?.[1] ?? "";
    const secure = "header_up X-Forwarded-Proto https\n    lb_try_duration";
    writeFileSync(
      file,
      `{\nadmin off\n}\n${block.replace("pdf.example.com", `http://:${port}`).replace("lb_try_duration", secure)}`,
    );
    return ["run", "--adapter", "caddyfile", "--config", file];
  }
  const block = (/```nginx\n([^]*?)```/.exec(text)?.[1] ?? "").replace("$scheme", "https");
  const server = `server { listen 127.0.0.1:${port}; ${block} }`;
  writeFileSync(
    file,
    `daemon off; pid ${directory}/pid; error_log ${directory}/error; events {} http { access_log off; ${server} }`,
  );
  return ["-c", file, "-p", directory];
}

async function portOf(way: string): Promise<number> {
  if (way === "alone") return Number(new URL(service.origin).port);
  const port = way === "nginx" ? 14_381 : 14_382;
  const name = way === "nginx" ? "nginx" : "caddy";
  started.push(spawn(name, configuration(name, port), { stdio: "ignore" }));
  const isOpen = () =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("close", () => socket.destroy());
    });
  await expect.poll(isOpen, { timeout: 10_000 }).toBe(true);
  return port;
}

/** The methods of the requests that the Worker has received. */
function logged(): string[] {
  return [...log.matchAll(/"event":"request\.ended".*?"method":"(\w+)"/g)].map(([, method]) => method ?? "");
}

it("the proxies that the documentation describes are installed", () => {
  expect(missing, "apt-get install nginx caddy").toEqual([]);
});

describe.each(["alone", "nginx", "caddy"])("npm run serve, %s", (way) => {
  it.skipIf(missing.some((name) => name === way))(
    "the Worker gets no request that nobody has sent",
    async () => {
      const port = await portOf(way);
      log = "";
      expect(pairs.length).toBeGreaterThanOrEqual(5_000);
      // A proxy may interpret the end of some of the other forms, such as CONNECT, as a second request by the same caller.
      const forms = way === "alone" ? rawRequests.filter(({ name }) => name !== "two requests at once") : [];
      const all = [...pairs, ...forms.map(({ bytes }) => bytes)];
      const counts: Record<string, number> = {};
      const next = all.values();
      const caller = async () => {
        for (const bytes of next) {
          const [status = "closed"] = statusesIn(await sendRaw(port, bytes, false, 30)).filter(
            (found) => found !== 100,
          );
          counts[status] = (counts[status] ?? 0) + 1;
        }
      };

      await Promise.all(Array.from({ length: 32 }, caller));

      const methodsSeen = logged();
      console.log(way, `${all.length} requests`, counts, `${methodsSeen.length} reached the Worker`);
      expect(methodsSeen.filter((method) => method === "PATCH")).toEqual([]);
      // A proxy that forwards nothing would prove nothing.
      expect(methodsSeen.length).toBeGreaterThan(20);
      expect(methodsSeen.length).toBeLessThanOrEqual(all.length);
    },
    1_200_000,
  );
});
