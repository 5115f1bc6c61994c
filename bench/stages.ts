// Compares the stages of a create with a different commit: how long each takes, and its processor time in the Worker's isolate,
// from a profile whose samples are assigned to the module of the innermost function. The samples include the runtime functions
// that it calls, but not what the runtime does between functions, nor the platform's simulators. Profiling itself takes time, so
// these figures are only for comparison.
import { comparedSamples, inTurn, prepareCheckout, startCheckout, type CheckoutService } from "./harness/checkout.ts";
import { connectInspector } from "./harness/inspector.ts";
import { median } from "./harness/measure.ts";
import { processorDuring } from "./harness/processes.ts";

const rounds = 8;
const callsInRound = 40;
const warmUpCalls = 300;
/** No samples are taken while the isolate waits. */
const samplingMs = 0.2;

/** The modules of each stage: the first pattern that matches the path decides. */
const stages: [stage: string, modules: RegExp][] = [
  ["authentication", /accounts\/(authenticate|limit-attempts|key-directory|checksum|api-key|bearer|client)|ipaddr/],
  ["reserve", /quota|hold|ledger|idempotency|object-client/],
  ["template", /templates\/|render-memory/],
  ["put", /file-store/],
  ["row", /drizzle|\/d1\/|document-store|record-/],
  ["log", /json-log|observation|stage-clock/],
  ["assembly", /\/pdf\/|page\/print(-pdf|ed|-margins)/],
  ["browser", /puppeteer|render\/src\/page|objects\/rendering|browser-pool/],
  ["sending", /render\/src\/content|pool-client/],
  ["liquid", /\/(liquid|template-model|fonts)\/|core\/(templates|html)|render\/src\/(document|plan)/],
  ["HTTP", /src\/http|hono|zod|strict-json|json-scan/],
  ["the rest", /./],
];

type Profile = {
  nodes: { id: number; callFrame: { scriptId: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
};

type Watched = CheckoutService & { profile(work: () => Promise<void>): Promise<Record<string, number>> };

/** Compares this checkout with the commit. */
export async function benchStages(firstPort: number, baseline: string): Promise<void> {
  const services: Watched[] = [];
  try {
    for (const [index, name] of [baseline, "."].entries()) {
      const ports = { port: firstPort + index, inspectorPort: firstPort + 10 + index };
      const service = await startCheckout(await prepareCheckout(name), { name, ...ports });
      services.push({ ...service, profile: await profiler(ports.inspectorPort) });
    }
    for (const sample of Object.keys(comparedSamples)) await benchSample(services, sample);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function benchSample(services: Watched[], sample: string): Promise<void> {
  for (const { create } of services) for (let call = 0; call < warmUpCalls; call++) await create(sample);
  const measured: Record<string, number>[][] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push(await inTurn(services, (service) => measureRound(service as Watched, sample)));
  }
  console.log(`\n${sample}, ms of a create: ${services.map(({ name }) => name).join(", ")}`);
  for (const name of new Set(measured.flat().flatMap((figures) => Object.keys(figures)))) {
    const of = (index: number) => median(measured.map((row) => row[index]?.[name] ?? 0));
    console.log(`${name.padEnd(36)}${of(0).toFixed(2).padStart(9)}${of(1).toFixed(2).padStart(9)}`);
  }
}

async function measureRound({ pid, create, profile }: Watched, sample: string): Promise<Record<string, number>> {
  const timings: Record<string, number>[] = [];
  const calls = async () => {
    for (let call = 0; call < callsInRound; call++) timings.push(await create(sample));
  };
  const used = Object.entries(await processorDuring(pid, calls));
  const processes = used.map(([kind, ms]) => [`process: ${kind}`, ms] as const);
  const inWorker = Object.entries(await profile(calls)).map(
    ([stage, ms]) => [`processor in the Worker: ${stage}`, ms] as const,
  );
  const names = new Set(timings.flatMap((timing) => Object.keys(timing)));
  const mean = (name: string) => timings.reduce((sum, timing) => sum + (timing[name] ?? 0), 0) / timings.length;
  return Object.fromEntries([
    ...[...names].map((name) => [`time: ${name}`, mean(name)] as const),
    ...[...inWorker, ...processes].map(([name, ms]) => [name, ms / callsInRound] as const),
  ]);
}

/** Returns a function that runs the work and returns the processor time of each stage in ms. */
export async function profiler(port: number): Promise<Watched["profile"]> {
  let scriptId = "";
  const { send } = await connectInspector(port, ({ method, params }) => {
    if (method === "Debugger.scriptParsed" && /^(index|delayed-worker)\.js$/.test(params?.url ?? ""))
      scriptId = params?.scriptId ?? "";
  });
  await send("Debugger.enable");
  const { scriptSource } = await send("Debugger.getScriptSource", { scriptId });
  await send("Debugger.disable");
  const stageOfLine = stagesOfLines(String(scriptSource));
  await send("Profiler.enable");
  await send("Profiler.setSamplingInterval", { interval: samplingMs * 1_000 });
  return async (work) => {
    await send("Profiler.start");
    await work();
    const { profile } = await send("Profiler.stop");
    return timesByStage(profile as Profile, ({ callFrame }) =>
      callFrame.scriptId === scriptId ? stageOfLine[callFrame.lineNumber] : null,
    );
  };
}

/** Returns the stages of the lines of the bundle. The bundler writes the path of each module in a line before it. */
function stagesOfLines(source: string): (string | null)[] {
  let stage: string | null = null;
  return source.split("\n").map((line) => {
    const path = /^\s*\/\/ ((?:\.\.\/|src\/|packages\/|node_modules\/|bench\/)\S+)$/.exec(line)?.[1];
    if (path) stage = stages.find(([, modules]) => modules.test(path))?.[0] ?? null;
    return stage;
  });
}

type StageOf = (node: Profile["nodes"][number]) => string | null | undefined;

function timesByStage({ nodes, samples }: Profile, stageOf: StageOf): Record<string, number> {
  const stageOfNode = new Map<number, string | null>();
  // Parents precede their children. A runtime function belongs to the stage that called it.
  for (const node of nodes) {
    const stage = stageOf(node) ?? stageOfNode.get(node.id) ?? null;
    for (const id of [node.id, ...(node.children ?? [])]) stageOfNode.set(id, stage);
  }
  const times: Record<string, number> = {};
  for (const id of samples) {
    const stage = stageOfNode.get(id);
    if (stage) times[stage] = (times[stage] ?? 0) + samplingMs;
  }
  return times;
}
