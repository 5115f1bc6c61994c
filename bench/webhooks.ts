// Measures whether one account's dead receiver delays another account's webhooks. The benchmark measures the time from
// the completion of a document to the arrival of its event. It does so twice: first without other traffic, then while
// another account sends fifty events per second to a receiver that never responds.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startService } from "./harness/service.ts";
import { percentile } from "./harness/statistics.ts";

const quietMs = 20_000;
const noisyMs = 60_000;
const betweenDeadMs = 20;
const betweenHealthyMs = 200;

/**
 * Prints the p50 and the p99 of the delivery times in ms, first without and then with the events for the dead receiver.
 */
export async function benchWebhooks(port: number): Promise<void> {
  const latenciesMs: number[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      if (request.url === "/dead") return;
      const { data } = JSON.parse(body) as { data: { completedAt: string } };
      latenciesMs.push(Date.now() - Date.parse(data.completedAt));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const service = await startService(port, {
    variables: { WORKER_MAIN: "bench/worker.ts", WEBHOOK_ALLOWED_ORIGINS: origin },
  });
  const end = (account: string, path: string) =>
    fetch(`${service.origin}/end?${new URLSearchParams({ account, url: origin + path }).toString()}`).then((response) =>
      response.arrayBuffer(),
    );
  const newAccount = async () => ((await (await fetch(`${service.origin}/account`)).json()) as { id: string }).id;
  const [dead, healthy] = [await newAccount(), await newAccount()];
  const report = (what: string, events: number) => {
    const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
    console.log(`webhooks ${what}: ${latenciesMs.length} of ${events} arrived, p50 ${p50} ms, p99 ${p99} ms`);
    latenciesMs.length = 0;
  };
  try {
    const alone = await every(betweenHealthyMs, quietMs, () => end(healthy, "/healthy"));
    report("alone", alone);
    const [beside, deadOnes] = await Promise.all([
      every(betweenHealthyMs, noisyMs, () => end(healthy, "/healthy")),
      every(betweenDeadMs, noisyMs, () => end(dead, "/dead")),
    ]);
    report(`while ${deadOnes} others went to a receiver that never responds`, beside);
  } finally {
    await service.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
}

/**
 * Calls `work` every `intervalMs` for `durationMs`. Waits until all calls have finished and then five more seconds, so
 * that the last events can arrive. Returns the number of calls.
 */
async function every(intervalMs: number, durationMs: number, work: () => Promise<unknown>): Promise<number> {
  const running: Promise<unknown>[] = [];
  const startedMs = Date.now();
  for (let due = startedMs; due < startedMs + durationMs; due += intervalMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
    running.push(work());
  }
  await Promise.all(running);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return running.length;
}
