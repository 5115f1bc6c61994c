// Expensive templates of one account do not delay the requests of another account.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDocument, newAccount, pushSample, startService, type RunningService } from "./service.ts";

type Bomb = { name: string; page: string; fields: object[]; sample: object; data: object };

const field = (key: string, type: string, more: object = {}) => ({ key, label: key, type, required: true, ...more });

/** With the sample data, each template is cheap, so that it can be pushed. With `data`, it uses up its budget. */
const bombs: Bomb[] = [
  {
    name: "nested-loops",
    page: "{% for a in xs %}{% for b in xs %}{% for c in xs %}{% if c == b %}{% endif %}{% endfor %}{% endfor %}{% endfor %}",
    fields: [field("xs", "list", { items: "number" })],
    sample: { xs: [1] },
    data: { xs: Array.from({ length: 2_000 }, (_, index) => index) },
  },
  {
    name: "long-comparisons",
    page: "{% for i in (1..n) %}{% if a == b %}{% endif %}{% endfor %}",
    fields: [field("n", "number"), field("a", "text"), field("b", "text")],
    sample: { n: 1, a: "a", b: "a" },
    data: { n: 50_000, a: "a".repeat(300_000), b: "a".repeat(300_000) },
  },
  {
    name: "markdown",
    page: "{% for i in (1..n) %}{% assign x = md | markdown %}{% endfor %}",
    fields: [field("n", "number"), field("md", "text")],
    sample: { n: 1, md: "a" },
    data: { n: 50_000, md: "*a **b** `c` [x](y) ".repeat(500) },
  },
];

let service: RunningService;
let folder: string;

beforeAll(async () => {
  service = await startService({ DEMO: "0" });
  folder = await mkdtemp(join(tmpdir(), "colophon-bombs-"));
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function writeTemplate({ name, page, fields, sample }: Bomb): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, "pages"), { recursive: true });
  const manifest = { title: name, pageSize: "A4", locale: "en-GB", isPublished: true, fields };
  await writeFile(join(path, "template.json"), JSON.stringify(manifest));
  await writeFile(join(path, "sample.json"), JSON.stringify(sample));
  await writeFile(join(path, "style.css"), "");
  await writeFile(join(path, "pages", "1.liquid"), page);
  return path;
}

it("other accounts are served while one account creates documents that use up their work budgets", async () => {
  const [attacker, neighbour] = [await newAccount(service, "enterprise"), await newAccount(service, "free")];
  const bodies: { templateId: string; data: object }[] = [];
  for (const bomb of bombs) {
    const { templateId } = await pushSample(service, attacker, await writeTemplate(bomb));
    bodies.push({ templateId, data: bomb.data });
  }
  const label = await pushSample(service, neighbour, "templates/shipping-label");
  await (await createDocument(service, neighbour, label)).text();

  const creates = Promise.all([...bodies, ...bodies, ...bodies].map((body) => status(attacker, body)));
  const statuses: number[][] = [];
  void creates.then((all) => statuses.push(all));
  const neighbourCreate = status(neighbour, label);
  const waits: number[] = [];
  while (statuses.length === 0) waits.push(await usageWaitMs(neighbour.key));

  // If the processors are shared, some of the creates reach their deadline before their budget.
  expect(statuses[0]).toHaveLength(3 * bodies.length);
  expect(statuses[0]).toContain(422);
  expect(statuses[0]?.filter((status) => status !== 422 && status !== 504)).toEqual([]);
  expect(await neighbourCreate).toBe(201);
  expect(waits.length).toBeGreaterThan(3);
  expect(Math.max(...waits)).toBeLessThan(2_000);
}, 90_000);

async function status(account: { id: string; key: string; keyId: string }, body: object): Promise<number> {
  const response = await createDocument(service, account, { ...body });
  await response.text();
  return response.status;
}

async function usageWaitMs(key: string): Promise<number> {
  const begunAt = performance.now();
  const response = await fetch(`${service.baseUrl}/usage`, { headers: { Authorization: `Bearer ${key}` } });
  await response.text();
  expect(response.status).toBe(200);
  return performance.now() - begunAt;
}
