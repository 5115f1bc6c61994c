import { afterEach, expect, it, vi } from "vitest";
import { parseLiquid } from "colophon-liquid/liquid";
import { Meter, tooMuchWork, workBudget } from "colophon-liquid/meter";
import { measured } from "colophon-test-kit/cpu-time";
import { documentFilters } from "../src/filters.ts";
import { messageCatalog, messagesFor } from "../src/messages/message-catalog.ts";
import { formatBombs, listBombs, parsingBombs, searchBombs, textBombs, type Bomb } from "./bombs.ts";
import { rendered } from "./engine.ts";
import { hashBombs, languageBombs, localeBombs } from "./reference-bombs.ts";

/** Three times as long as the budget may last on an idle machine, because processors are slower under load. */
const maxCpuMs = 3_000;
const known = { ...searchBombs, ...textBombs, ...listBombs, ...formatBombs };
const bombs = Object.entries({ ...known, ...hashBombs, ...languageBombs, ...localeBombs });

function exploded([template, data = () => ({}), { locale = "en-US", parts = {}, messages = {} } = {}]: Bomb) {
  const variables = data();
  const meter = new Meter();
  const catalog = messageCatalog(new Map([["en", new Map(Object.entries(messages))]]));
  const scope = { locale, language: locale.slice(0, 2), messages: messagesFor(catalog, "en", "en") };
  const { result, cpuMs } = measured(() => rendered(template, variables, { scope, meter, parts }));
  const reason = result.status === "problem" ? result.problem.reason : "it was rendered";
  return { reason, cpuMs, work: meter.work };
}

afterEach(() => vi.restoreAllMocks());

it.each(bombs)("a template that is designed to exhaust the service ends within its budget: %s", (_name, bomb) => {
  vi.spyOn(Date, "now").mockReturnValue(1_000);
  vi.spyOn(performance, "now").mockReturnValue(1_000);

  const { reason, cpuMs, work } = exploded(bomb);

  expect(cpuMs).toBeLessThan(maxCpuMs);
  // The step that would exceed the budget is charged, but not done.
  expect(reason === tooMuchWork).toBe(work > workBudget);
});

it.each(Object.entries(parsingBombs))(
  "a template that is designed to exhaust the parser is handled fast: %s",
  (_name, source) => {
    const template = source();

    const { cpuMs } = measured(() => parseLiquid("pages/1.liquid", template, { filters: documentFilters }));

    expect(cpuMs).toBeLessThan(maxCpuMs);
  },
);
