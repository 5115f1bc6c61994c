// The script in docs/accounts.md, run unchanged against two services whose state the commands do not see.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { originOf, startService, type RunningService } from "./service.ts";

let services: RunningService[];
let receiver: Server;
let variables: Record<string, string>;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  const origin = await originOf(receiver);
  const settings = { DEMO: "0", LEASE_SECONDS: "5", WEBHOOK_ALLOWED_ORIGINS: origin };
  services = await Promise.all([startService(settings), startService({ DEMO: "0" })]);
  const [first, other] = services;
  variables = {
    ORIGIN: first?.origin ?? "",
    OPERATOR_KEY: await operatorKey(first),
    OTHER_ORIGIN: other?.origin ?? "",
    OTHER_OPERATOR_KEY: await operatorKey(other),
    WEBHOOK_URL: `${origin}/gone`,
    STATE_DIR: await mkdtemp(join(tmpdir(), "colophon-empty-")),
  };
}, 240_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  receiver.close();
});

async function operatorKey(service: RunningService | undefined): Promise<string> {
  const text = await readFile(join(service?.stateDir ?? "", "secrets.env"), "utf8");
  return /OPERATOR_KEY=(\S+)/.exec(text)?.[1] ?? "";
}

it(
  "the documented script takes a customer from the first key to a move to a different instance",
  { timeout: 180_000 },
  async () => {
    const text = await readFile(new URL("../../docs/accounts.md", import.meta.url).pathname, "utf8");
    const [, script = ""] = /^## The life of a customer$[^]*?^```sh$([^]*?)^```$/m.exec(text) ?? [];
    const file = join(variables["STATE_DIR"] ?? "", "life.sh");
    await writeFile(file, script);

    const { stdout } = await promisify(execFile)("bash", [file], { env: { ...process.env, ...variables } });

    const responses = stdout.match(/\{"success":.*?"requestId":"[^"]*"\}\}/g)?.map((line) => JSON.parse(line)) ?? [];
    const [pushed, wrong, redelivered, revoked, days, tested, usage, moved, otherUsage] = responses;
    expect(pushed.data).toMatchObject({ template: { folder: "certificate", version: 1 }, changed: true });
    expect(wrong.error).toMatchObject({ code: "MISSING_FIELD" });
    expect(redelivered.data).toMatchObject({ status: "pending" });
    expect(revoked.data).toMatchObject({ revoked: true });
    expect(days.data.days).toMatchObject([{ completed: 1 }]);
    expect(tested.data).toMatchObject({ isTest: true, status: "completed" });
    expect(usage.data).toMatchObject({ used: 1 });
    expect(moved.data).toMatchObject({ status: "completed" });
    expect(otherUsage.data).toMatchObject({ used: 1 });
    const file2 = await fetch(moved.data.fileUrl);
    expect([file2.status, file2.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  },
);
