// Measures batches of documents of the table with 30 rows: how long one takes, and how long single documents of a different account take
// beside one.
import { read } from "../test/e2e/service.ts";
import { median, responseMs, seconds } from "./harness/measure.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { startWithTenants, type Tenant, type TenantsService } from "./harness/service.ts";

const betweenReadsMs = 200;
const folder = "bench/small-table";
const besideFolders = ["bench/one-line", folder, "templates/invoice"];
const callsInRound = 40;

type Batch = { id: string; status: string; counts: Record<string, number> };

type RunningBatch = { acceptedMs: number; state(): Promise<Batch>; cancel(): Promise<void>; ended(): Promise<Batch> };

/** Prints how long `count` documents take, their statuses, and the rate per minute. */
export async function benchBatch(count: number): Promise<void> {
  const service = await startWithTenants({ folders: [folder] });
  const [tenant] = service.tenants;
  try {
    await (await begin(service, tenant, 50)).ended(); // The warm-up.
    const startedMs = performance.now();
    const batch = await begin(service, tenant, count);
    const { completed = 0, failed } = (await batch.ended()).counts;
    const endedMs = performance.now() - startedMs;
    console.log(`a batch of ${count}: accepted after ${seconds(batch.acceptedMs)}, ended after ${seconds(endedMs)}`);
    console.log(
      `  ${completed} completed, ${failed} failed; ${Math.round((completed * 60_000) / endedMs)} documents a minute`,
    );
  } finally {
    await service.stop();
  }
}

/** Prints how long creates of one caller take alone, and beside a batch of `count` documents of a different account, in turn. */
export async function benchBeside(count: number, rounds: number): Promise<void> {
  const samples = await Promise.all(besideFolders.map((name) => loadSample(name, "pdf")));
  const service = await startWithTenants({ tenants: 2, folders: besideFolders });
  try {
    for (const sample of samples) await creates(service, sample);
    for (const sample of samples) {
      const times: [alone: number, beside: number][] = [];
      for (let round = 0; round < rounds; round++) {
        const alone = await creates(service, sample);
        const batch = await begin(service, service.tenants[0], count);
        times.push([alone, await creates(service, sample)]);
        const { status } = await batch.state();
        if (status === "ended") throw new Error("the batch has ended too early: make it longer");
        await batch.cancel();
      }
      const [alone, beside] = [median(times.map(([ms]) => ms)), median(times.map(([, ms]) => ms))];
      const ratio = median(times.map(([before, during]) => during / before));
      console.log(
        `${sample.folder}: p50 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} beside a batch; ${ratio.toFixed(2)}`,
      );
    }
  } finally {
    await service.stop();
  }
}

/** Returns the median time of creates of the second account, one after the other. */
async function creates(service: TenantsService, sample: Sample): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < callsInRound; call++) times.push(await responseMs(() => service.create(sample, 1)));
  return median(times);
}

async function begin(service: TenantsService, tenant: Tenant, count: number): Promise<RunningBatch> {
  const { data } = await loadSample(folder, "pdf");
  const options = { templateId: tenant.templateIds[folder] };
  const lines = [options, ...Array.from({ length: count }, (_, n) => ({ customId: `row-${n}`, data }))];
  const authorization = { Authorization: `Bearer ${tenant.key}` };
  const headers = { ...authorization, "Content-Type": "application/x-ndjson" };
  const body = lines.map((line) => JSON.stringify(line)).join("\n");
  const startedMs = performance.now();
  const response = await fetch(`${service.baseUrl}/batches`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
  const { id } = ((await response.json()) as { data: Batch }).data;
  const acceptedMs = performance.now() - startedMs;
  const state = () => read<Batch>(service, tenant, `/batches/${id}`);
  const ended = async () => {
    for (;;) {
      const batch = await state();
      if (batch.status === "ended") return batch;
      await new Promise((resolve) => setTimeout(resolve, betweenReadsMs));
    }
  };
  const cancel = async () => {
    await fetch(`${service.baseUrl}/batches/${id}/cancel`, { method: "POST", headers: authorization });
    await ended();
  };
  return { acceptedMs, state, ended, cancel };
}
