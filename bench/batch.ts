// Measures a batch of documents of the table with 30 rows, from its request to its end, on one browser.
import { read } from "../test/e2e/service.ts";
import { loadSample } from "./harness/samples.ts";
import { startWithTenants } from "./harness/service.ts";

const betweenReadsMs = 200;

type Batch = { id: string; status: string; counts: Record<string, number> };

/** Prints how long `count` documents take, their statuses, and the rate per minute. */
export async function benchBatch(count: number): Promise<void> {
  const { folder, data } = await loadSample("bench/small-table", "pdf");
  const service = await startWithTenants({ folders: [folder] });
  const [tenant] = service.tenants;
  const run = async (items: number) => {
    const options = { templateId: tenant.templateIds[folder] };
    const lines = [options, ...Array.from({ length: items }, (_, n) => ({ customId: `row-${n}`, data }))];
    const headers = { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/x-ndjson" };
    const body = lines.map((line) => JSON.stringify(line)).join("\n");
    const startedMs = performance.now();
    const response = await fetch(`${service.baseUrl}/batches`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(await response.text());
    let batch = ((await response.json()) as { data: Batch }).data;
    const acceptedMs = performance.now() - startedMs;
    while (batch.status !== "ended") {
      await new Promise((resolve) => setTimeout(resolve, betweenReadsMs));
      batch = await read<Batch>(service, tenant, `/batches/${batch.id}`);
    }
    return { acceptedMs, endedMs: performance.now() - startedMs, counts: batch.counts };
  };
  try {
    await run(50); // The warm-up.
    const { acceptedMs, endedMs, counts } = await run(count);
    const [accepted, ended] = [acceptedMs, endedMs].map((ms) => `${(ms / 1000).toFixed(1)} s`);
    const { completed = 0, failed } = counts;
    console.log(`a batch of ${count}: accepted after ${accepted}, ended after ${ended}`);
    console.log(
      `  ${completed} completed, ${failed} failed; ${Math.round((completed * 60_000) / endedMs)} documents a minute`,
    );
  } finally {
    await service.stop();
  }
}
