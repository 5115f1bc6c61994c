// Measures what the primitives of the template language cost: processor time for each unit of work. Prints how long the
// whole budget lasts when a template spends it on one primitive.
import { liquidRender, parseLiquid, type FilterScope, type ParsedLiquid } from "colophon-liquid/liquid";
import { Meter, workBudget } from "colophon-liquid/meter";
import { messageCatalog, messagesFor } from "colophon-liquid/messages";
import { calibrationData, calibrationMessages } from "./data.ts";
import {
  calibrationParts,
  comparisonPrimitives,
  expressionPrimitives,
  filterPrimitives,
  tagPrimitives,
  type Primitive,
} from "./primitives.ts";

/** The result of one template. `nsPerUnit` is processor time; `reason` says why the template ended. */
export type Measurement = { primitive: string; template: string; nsPerUnit: number; work: number; reason: string };

export function allPrimitives(): [name: string, primitive: Primitive][] {
  const named = (kind: string, primitives: Record<string, Primitive>) =>
    Object.entries(primitives).map(([name, primitive]): [string, Primitive] => [`${kind} ${name}`, primitive]);
  return [
    ...named("tag", tagPrimitives),
    ...named("expression", expressionPrimitives),
    ...named("operator", comparisonPrimitives),
    ...named("filter", filterPrimitives),
  ];
}

/** A fifth of the budget is enough to measure, because every primitive is repeated until that fifth is used up. */
const measuredWork = workBudget / 5;

/** Repeats the template until its budget is used up. */
export function measurePrimitive(primitive: string, template: string): Measurement {
  const data = calibrationData();
  const parsed = parsedTemplate("pages/1.liquid", `{% for i in (1..100000000) %}${template}{% endfor %}`);
  const parts = new Map(
    Object.entries(calibrationParts).map(([name, source]) => [name, parsedTemplate(`parts/${name}.liquid`, source)]),
  );
  const meter = new Meter(measuredWork);
  const before = process.cpuUsage();
  const render = liquidRender(data, scope(), { meter, parts }).render(parsed);
  let repeatedWork = 0;
  let step = render.next();
  // A large document begins again, and is not charged for what it did before.
  for (; !step.done; step = render.next()) if (step.value.isLarge) repeatedWork ||= meter.work;
  const { user, system } = process.cpuUsage(before);
  const reason = step.value.status === "problem" ? step.value.problem.reason : "it ended";
  const nsPerUnit = ((user + system) * 1_000) / (meter.work + repeatedWork);
  return { primitive, template, nsPerUnit, work: meter.work, reason };
}

function parsedTemplate(file: string, source: string): ParsedLiquid {
  const parsed = parseLiquid(file, source);
  if (parsed.status === "problem") throw new Error(`${source}: ${parsed.problem.reason}`);
  return parsed.value;
}

/**
 * Prints a line for each primitive, with its most expensive template, and with the processor time of a whole budget
 * spent on that template.
 */
export function benchLiquid(only = ""): void {
  console.log("primitive                        ns/unit   whole budget, ms   template");
  for (const [name, { small, large }] of allPrimitives()) {
    if (!name.includes(only)) continue;
    const measured = [...small, ...large].map((template) => measurePrimitive(name, template));
    const worst = measured.reduce((a, b) => (a.nsPerUnit > b.nsPerUnit ? a : b));
    const wholeMs = (worst.nsPerUnit * workBudget) / 1e6;
    console.log(
      `${name.padEnd(32)} ${worst.nsPerUnit.toFixed(2).padStart(7)} ${wholeMs.toFixed(0).padStart(18)}   ${worst.template.slice(0, 70)}${worst.work < measuredWork ? ` (${worst.reason})` : ""}`,
    );
  }
}

function scope(): FilterScope {
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
