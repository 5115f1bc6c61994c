// Hostile templates and data, over HTTP to the real runtime: each create takes little processor time, and meanwhile another
// account is served. Some attacks show only here, because the runtime and Node.js differ in their versions of V8 and ICU.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  formatBombs,
  listBombs,
  parsingBombs,
  searchBombs,
  textBombs,
  type Bomb,
} from "../../packages/liquid/test/bombs.ts";
import { hashBombs, languageBombs, localeBombs, markdownBombs } from "../../packages/liquid/test/reference-bombs.ts";
import { createDocument, newAccount, read, startService, type Account, type RunningService } from "./service.ts";

const maxCpuMs = 1_500;
const maxUsageMs = 1_000;
/** A manifest may have 250 kB, so objects have fewer keys here than in tests of the language alone. */
const maxKeys = 1_500;
const parsing = Object.entries(parsingBombs).map(([name, template]): [string, Bomb] => [
  name,
  { template: template() },
]);
const evaluated = { ...searchBombs, ...textBombs, ...listBombs, ...formatBombs, ...hashBombs, ...markdownBombs };
const bombs = [...Object.entries({ ...evaluated, ...languageBombs, ...localeBombs }), ...parsing];

let service: RunningService;
let folder: string;
let attacker: Account;
let neighbour: Account;
/** The ids of the templates that a push accepted, by folder. */
const templateIds = new Map<string, string>();
const results: { name: string; status: number; cpuMs: number; usageMs: number }[] = [];

beforeAll(async () => {
  service = await startService({ DEMO: "0", RATE_LIMITS: "off" });
  [attacker, neighbour] = [await newAccount(service, "enterprise"), await newAccount(service, "free")];
  folder = await mkdtemp(join(tmpdir(), "colophon-bombs-"));
  for (const [index, [name, bomb]] of bombs.entries()) await writeTemplate(join(folder, `b${index}`), name, bomb);
  await pushAll();
}, 400_000);

afterAll(async () => {
  const worst = results.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, 15);
  const lines = worst.map(
    ({ name, status, cpuMs, usageMs }) => `  ${cpuMs} ms, usage ${usageMs} ms, ${status}: ${name}`,
  );
  console.log(`the most expensive of ${results.length} creates:\n${lines.join("\n")}`);
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("a create with a hostile template", () => {
  it.each(bombs.map(([name, bomb], index) => ({ name, bomb, folder: `b${index}` })))(
    "takes little processor time and does not delay others: $name",
    async ({ name, bomb, folder: pushed }) => {
      const templateId = templateIds.get(pushed);
      // A push refuses some templates, so they never reach the service.
      if (templateId === undefined) return;
      const body = { templateId, data: { explodes: true, ...dataOf(bomb) }, locale: bomb.locale };
      const before = await cpuMs();

      const create = createDocument(service, attacker, body).then(async (response) => {
        await response.text();
        return response.status;
      });
      const usageMs = await slowestUsageMs(create);
      const status = await create;

      const used = (await cpuMs()) - before;
      results.push({ name, status, cpuMs: used, usageMs });
      expect([201, 400, 413, 422]).toContain(status);
      expect(used).toBeLessThan(maxCpuMs);
      expect(usageMs).toBeLessThan(maxUsageMs);
    },
    60_000,
  );
});

/** The template prints no more than a letter unless `explodes` is true, so that it can be pushed. */
async function writeTemplate(path: string, title: string, bomb: Bomb): Promise<void> {
  const data = { explodes: false, ...dataOf(bomb) };
  const hasLayout = bomb.template.startsWith("{% layout");
  const page = hasLayout ? bomb.template : `x{% if explodes %}${bomb.template}{% endif %}`;
  const files: Record<string, string> = {
    "template.json": JSON.stringify({ title, pageSize: "A4", fields: fieldsOf(data) }),
    "sample.json": JSON.stringify(sampleOf(data)),
    "style.css": "",
    "pages/1.liquid": page,
    ...(bomb.messages ? { "locales/en.json": JSON.stringify(bomb.messages) } : {}),
  };
  for (const [name, source] of Object.entries(bomb.parts ?? {})) files[`parts/${name}.liquid`] = source;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
}

/** The data of the bomb, with smaller objects. */
function dataOf({ data = () => ({}) }: Bomb): Record<string, unknown> {
  const small = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, maxKeys)) : value;
  return Object.fromEntries(Object.entries(data()).map(([key, value]) => [key, small(value)]));
}

function fieldsOf(data: Record<string, unknown>): object[] {
  return Object.entries(data).map(([key, value]) => ({ key, label: "L", ...typeOf(value) }));
}

function typeOf(value: unknown): object {
  if (!Array.isArray(value))
    return isObject(value) ? { type: "object", fields: fieldsOf(value) } : { type: scalar(value) };
  const [first] = value;
  return { type: "list", ...(isObject(first) ? { fields: fieldsOf({ a: 1, ...first }) } : { items: scalar(first) }) };
}

function scalar(value: unknown): string {
  return typeof value === "string" ? "text" : typeof value;
}

function sampleOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(sampleOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sampleOf(item)]));
  return typeof value === "string" ? "a" : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Listed = { templates: { id: string; title: string }[] };

async function pushAll(): Promise<void> {
  const push = service.cli("template", "push", folder, "--account", attacker.id, "--all", "--lenient");
  // The command fails if it refuses one of the templates, and pushes the others all the same.
  await push.catch(() => {});
  const lists = [0, 100].map((offset) => read<Listed>(service, attacker, `/templates?limit=100&offset=${offset}`));
  const pushed = (await Promise.all(lists)).flatMap(({ templates }) => templates);
  for (const [index, [name]] of bombs.entries()) {
    const found = pushed.find(({ title }) => title === name);
    if (found) templateIds.set(`b${index}`, found.id);
  }
  expect(templateIds.size).toBeGreaterThan(150);
}

async function slowestUsageMs(create: Promise<unknown>): Promise<number> {
  let slowest = 0;
  let isCreated = false;
  void create.finally(() => (isCreated = true));
  // oxlint-disable-next-line no-unmodified-loop-condition -- the promise sets it
  while (!isCreated) {
    const startedMs = performance.now();
    await read(service, neighbour, "/usage");
    slowest = Math.max(slowest, Math.round(performance.now() - startedMs));
    await sleep(50);
  }
  return slowest;
}

/** The processor time that the runtime has used since it started. Linux counts it in steps of 10 ms. */
async function cpuMs(): Promise<number> {
  const { processGroup } = JSON.parse(await readFile(join(service.stateDir, "running.json"), "utf8")) as Running;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  const workers = stats
    .filter((stat) => stat.includes("(workerd)"))
    .map((stat) => stat.split(") ")[1]?.split(" ") ?? []);
  const ticks = workers.filter((fields) => fields[2] === String(processGroup)).map((fields) => fields.slice(11, 13));
  expect(ticks).not.toEqual([]);
  return ticks.flat().reduce((sum, count) => sum + Number(count), 0) * 10;
}

type Running = { processGroup: number };
