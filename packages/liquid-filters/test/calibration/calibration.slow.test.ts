// Measures every primitive of the template language against its cost, and prints the most expensive ones.
import { afterAll, expect, it } from "vitest";
import { liquidRender } from "colophon-liquid/liquid";
import { Meter, workBudget } from "colophon-liquid/meter";
import { measured } from "colophon-test-kit/cpu-time";
import { parsed } from "../../../liquid/test/engine.ts";
import { documentFilters, type DocumentScope } from "../../src/filters.ts";
import { messageCatalog, messagesFor } from "../../src/messages/message-catalog.ts";
import { calibrationData, calibrationMessages } from "./data.ts";
import {
  calibrationParts,
  comparisonPrimitives,
  expressionPrimitives,
  filterPrimitives,
  tagPrimitives,
} from "./primitives.ts";

/** Three times as long as a unit takes on an idle machine, because processors are slower under load. */
const maxNsPerUnit = 15;
/** Shared processors are slow at times, so a measurement that fails is repeated after pauses. */
const maxRepeats = 4;
const pauseMs = 1_000;
/** A fifth of the budget is enough to measure, because every primitive is repeated until that fifth is used up. */
const measuredWork = workBudget / 5;
const shownCount = 20;

const kinds = {
  tag: tagPrimitives,
  expression: expressionPrimitives,
  operator: comparisonPrimitives,
  filter: filterPrimitives,
};
const templates = Object.entries(kinds).flatMap(([kind, primitives]) =>
  Object.entries(primitives).flatMap(([name, each]) =>
    each.map((template) => ({ primitive: `${kind} ${name}`, template })),
  ),
);
const results: { primitive: string; template: string; nsPerUnit: number }[] = [];

afterAll(() => {
  const worst = results.toSorted((a, b) => b.nsPerUnit - a.nsPerUnit).slice(0, shownCount);
  const lines = worst.map(
    ({ primitive, template, nsPerUnit }) => `${nsPerUnit.toFixed(2).padStart(7)}  ${primitive.padEnd(30)} ${template}`,
  );
  console.log(
    `the most expensive of ${results.length} templates, in ns of processor time for a unit:\n${lines.join("\n")}`,
  );
});

it.each(templates)(
  `a unit of work takes less than ${maxNsPerUnit} ns in $primitive: $template`,
  async ({ primitive, template }) => {
    let nsPerUnit = measurePrimitive(template);
    for (let repeats = 0; repeats < maxRepeats && nsPerUnit >= maxNsPerUnit; repeats++) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      nsPerUnit = Math.min(nsPerUnit, measurePrimitive(template));
    }

    results.push({ primitive, template, nsPerUnit });
    expect(nsPerUnit).toBeLessThan(maxNsPerUnit);
  },
);

/** Repeats the template until its budget is used up. */
function measurePrimitive(template: string): number {
  const data = calibrationData();
  const page = parsed("pages/1.liquid", `{% for i in (1..100000000) %}${template}{% endfor %}`, documentFilters);
  const parts = new Map(
    Object.entries(calibrationParts).map(([name, source]) => [
      name,
      parsed(`parts/${name}.liquid`, source, documentFilters),
    ]),
  );
  const meter = new Meter(measuredWork);
  let repeatedWork = 0;
  const { cpuMs } = measured(() => {
    const render = liquidRender(data, scope(), { meter, parts }).render(page);
    // A large document starts again, and is not charged for the work before that.
    for (let step = render.next(); !step.done; step = render.next())
      if (step.value.isLarge) repeatedWork ||= meter.work;
  });
  // Work that a template does only once cannot be measured.
  expect(meter.work + repeatedWork).toBeGreaterThan(measuredWork / 100);
  return (cpuMs * 1e6) / (meter.work + repeatedWork);
}

function scope(): DocumentScope {
  return {
    locale: "en-US",
    timeZone: "UTC",
    createdAt: 0,
    language: "tr",
    assetReference: (name) => name.slice(0, 10),
    formatters: new Map(),
    messages: messagesFor(messageCatalog(new Map([["en", calibrationMessages()]])), "en-US", "en-US"),
  };
}
