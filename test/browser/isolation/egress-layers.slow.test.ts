import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { contentSecurityPolicy } from "../../../src/core/rendering/document-html.ts";
import { egressVectors } from "../fixtures/egress-vectors.ts";
import { faultyBrowser, type Alteration } from "../fixtures/faulty-browser.ts";
import { job, testPool } from "../fixtures/pool.ts";
import { scriptedVectors } from "../fixtures/scripted-vectors.ts";

type Layer = "no scripts" | "offline" | "interception" | "policy";

const layers: Layer[] = ["no scripts", "offline", "interception", "policy"];
const commandOf: Record<string, Layer> = {
  "Emulation.setScriptExecutionDisabled": "no scripts",
  "Network.emulateNetworkConditions": "offline",
  "Fetch.enable": "interception",
};

const markup = egressVectors(inject("trapPort"));
const scripts = scriptedVectors(inject("trapPort"));

/** A connection by WebRTC, and what another window asks for. */
const scriptOnly = new Set(["", "open", "openblank"]);

const without = (layer: Layer) => layers.filter((other) => other !== layer);

/** Leaves out the commands of all other layers, and runs `script` in the page before ours. */
function only(kept: Layer[], script: () => string): Alteration {
  return (command) => {
    const layer = commandOf[command.method];
    if (layer && !kept.includes(layer)) return null;
    if (command.method !== "Runtime.callFunctionOn" || !script()) return command;
    const { functionDeclaration: pageScript } = command.params as { functionDeclaration: string };
    const forced = `async function (input) { try { (() => { ${script()} })() } catch {} await new Promise((r) => setTimeout(r, 60)); return (${pageScript})(input) }`;
    return { ...command, params: { ...command.params, functionDeclaration: forced } };
  };
}

async function trapPaths(): Promise<string[]> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return (await fetch(`${inject("trapCountUrl")}paths`)).json();
}

/** Renders every vector with only these layers; returns what reached the listener, and what was said of blocked requests. */
async function leaks(kept: Layer[], vectors: { markup?: Record<string, string>; scripts?: Record<string, string> }) {
  let script = "";
  const pool = testPool(
    faultyBrowser(
      env.BROWSER,
      only(kept, () => script),
    ),
  );
  const before = (await trapPaths()).length;
  const warned: string[] = [];
  const outcomes: Record<string, string> = {};
  const render = async (name: string, content: string) => {
    const asked = job(content, { accountId: "one", timeoutMs: 3_000 });
    const html = kept.includes("policy") ? asked.html : asked.html.replace(contentSecurityPolicy, "");
    const outcome = await pool.render({ ...asked, html });
    outcomes[name] = outcome.status;
    if (outcome.status === "rendered" && outcome.warnings.join().includes("blocked")) warned.push(name);
  };
  for (const [name, content] of Object.entries(vectors.markup ?? {})) await render(name, content);
  for (const [name, code] of Object.entries(vectors.scripts ?? {})) {
    script = code;
    await render(name, "<p>x</p>");
  }
  script = "";
  const reached = (await trapPaths()).slice(before);
  await pool.closeIfIdle(0);
  return { reached, warned, outcomes };
}

it("lets nothing out through markup, by all layers together, and counts what it stopped", async () => {
  const { reached, warned } = await leaks(layers, { markup });

  expect(reached).toEqual([]);
  expect(warned.length).toBeGreaterThan(40);
});

for (const layer of layers) {
  it(`lets out through markup at most a prefetch or preconnect when this layer is missing: ${layer}`, async () => {
    const { reached } = await leaks(without(layer), { markup });

    // A prefetch or a preconnect is made by the browser itself, for which neither offline mode nor interception is in force.
    expect(reached.filter((path) => layer !== "policy" || !["prefetch", ""].includes(path))).toEqual([]);
  });
}

// The holes of the other two are closed without a layer: the page script takes a refresh out, and puts markup in place in a
// way that runs none of its scripts.
const holes: [Layer, RegExp][] = [
  ["no scripts", /^img$/],
  ["offline", /^iframe|^img$/],
];

for (const [layer, hole] of holes) {
  it(`has a hole in a layer alone, which the others close: ${layer}`, async () => {
    const { reached } = await leaks([layer], { markup });

    expect(
      reached.some((path) => hole.test(path)),
      reached.join(),
    ).toBe(true);
  });
}

it("lets scripts reach nobody from the page itself, should they ever run", async () => {
  const { reached } = await leaks(without("no scripts"), { scripts });

  // These three need a script to begin with, and nothing else stops them: hence scripts are off, and refused by the policy.
  expect(reached.filter((path) => !scriptOnly.has(path))).toEqual([]);
});

it("runs no script of a document, neither without the policy nor with scripts let run", async () => {
  const scriptVectors = Object.fromEntries(
    Object.entries(scripts).map(([name, code]) => [
      name,
      `<script>${code}</script><img src="data:," onerror="${code.replaceAll('"', "&quot;")}">`,
    ]),
  );

  const [byPolicy, byBrowser] = [
    await leaks(without("no scripts"), { markup: scriptVectors }),
    await leaks(without("policy"), { markup: scriptVectors }),
  ];

  expect([...byPolicy.reached, ...byBrowser.reached]).toEqual([]);
});
