import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DocumentFormat } from "colophon-page/document-format";
import { bombs } from "../fixtures/bombs.ts";
import { paintingBombs } from "../fixtures/bombs/painting.ts";
import { times } from "../fixtures/bombs/markup.ts";
import { stylesBombs } from "../fixtures/bombs/styles.ts";
import { job, testPool } from "../fixtures/pool.ts";

const budgetMs = 25_000;
const bombTimeoutMs = 8_000;
const minRenders = 200;
const pauseMs = 20;
const formats = ["pdf", "png", "webp"] as const;

const pool = testPool(env.BROWSER);
const [attackerId, neighbourId] = [crypto.randomUUID(), crypto.randomUUID()];

type Attack = { name: string; markup: string; format: DocumentFormat; timeoutMs: number };
type Render = { status: string; ms: number; beside: string };

beforeAll(async () => void (await Promise.all(formats.map((format) => neighbour(format)))));
afterAll(async () => void (await pool.closeIfIdle(0)));

/** Renders as the service does: once more after a crash, in the time that is left. */
async function neighbour(format: DocumentFormat, beside = ""): Promise<Render> {
  const startedMs = Date.now();
  const plain = job("<h1>A neighbour's page</h1>".repeat(20), { accountId: neighbourId, format, mayRetry: true });
  const first = await pool.render(plain);
  const timeoutMs = budgetMs - (Date.now() - startedMs);
  const last = first.status === "crashed" ? await pool.render({ ...plain, timeoutMs, mayRetry: false }) : first;
  return { status: last.status, ms: Date.now() - startedMs, beside: `${format} beside ${beside}` };
}

/**
 * Renders the attacks, `atOnce` at a time and each at least once, until the neighbour has rendered often enough in all formats.
 * Returns the renders of the neighbour, the slowest first.
 */
async function besides(attacks: Attack[], atOnce: number): Promise<Render[]> {
  const renders: Render[] = [];
  const running = new Set<Attack>();
  let begun = 0;
  const isOver = () => begun >= attacks.length && renders.length >= minRenders;
  const attack = async () => {
    while (!isOver()) {
      const current = { ...(attacks[begun++ % attacks.length] as Attack) };
      const { markup, format, timeoutMs } = current;
      running.add(current);
      const document = `<style>.page{position:relative;min-height:1027px}</style>${markup}`;
      const rest = { accountId: attackerId, format, timeoutMs };
      const outcome = await pool.render(job(document, { ...rest, mayRetry: true }));
      if (outcome.status === "crashed") await pool.render(job(document, rest));
      running.delete(current);
    }
  };
  const attacking = Promise.all(Array.from({ length: atOnce }, attack));
  const render = async (format: DocumentFormat) => {
    while (!isOver()) {
      renders.push(await neighbour(format, [...running].map(({ name }) => name).join(", ")));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all([attacking, ...formats.map(render)]);
  return renders.sort((a, b) => b.ms - a.ms);
}

const covers = (count: number, style: string) =>
  times(count, `<div style="position:absolute;inset:0;${style}">x</div>`);
const animations = times(200, (i) => `${i ? "," : ""}k ${i + 1}s infinite`);
const animatedStyle = `@keyframes k{to{transform:rotate(1turn);filter:blur(9px)}}b{display:inline-block;animation:${animations}}`;
const animated = `<style>${animatedStyle}</style>${times(1_500, "<b>x</b>")}`;
const blurred = covers(400, "backdrop-filter:blur(90px)");
const attackOf = (name: string, format: DocumentFormat, markup: string) => [
  { name, markup, format, timeoutMs: budgetMs },
];
const expensive = Object.entries({ ...bombs, ...stylesBombs, ...paintingBombs }).map(
  ([name, markup], index): Attack => ({ name, markup, format: formats[index % 3] ?? "pdf", timeoutMs: bombTimeoutMs }),
);

/** A plain image that the paths or shadows of another document hold up is tried again after five seconds. */
const retriedMs = 12_000;

it.each([
  ["WebPs with 400 blurred layers", attackOf("blur", "webp", blurred), 4, 4_000],
  ["PDFs with 400 blurred layers", attackOf("blur", "pdf", blurred), 4, 4_000],
  ["PDFs with 300,000 animations", attackOf("animations", "pdf", animated), 1, 4_000],
  [`${expensive.length} expensive documents`, expensive, 1, retriedMs],
])(
  "no render of an account fails, and few are slow, beside another's %s",
  async (name, attacks, atOnce, maxMs) => {
    const renders = await besides(attacks, atOnce);

    const p99 = renders[Math.floor(renders.length / 100)]?.ms;
    console.log(`beside ${name}: ${renders.length} renders, p99 ${p99} ms, slowest`, renders.slice(0, 8));
    expect(renders.filter(({ status }) => status !== "rendered")).toEqual([]);
    expect(p99).toBeLessThan(maxMs);
  },
  1_800_000,
);
