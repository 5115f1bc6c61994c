// Tests the four layers that block network access, with one layer missing and with only one layer left. `egress.test.ts` tests them together.
import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { contentSecurityPolicy } from "../../../packages/template-model/src/document/content-security-policy.ts";
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

/** Paths that only the ban on scripts blocks. "" stands for WebRTC, which requests no path. New windows request the other two. */
const scriptOnly = new Set(["", "open", "openblank"]);

const without = (layer: Layer) => layers.filter((other) => other !== layer);

/** Drops the commands that enable the layers missing from `kept`, and runs `script` in the page before the page script. */
function only(kept: Layer[], script: () => string): Alteration {
  return (command) => {
    const layer = commandOf[command.method];
    if (layer && !kept.includes(layer)) return null;
    if (command.method !== "Runtime.callFunctionOn" || !script()) return command;
    const { functionDeclaration: pageScript } = command.params as { functionDeclaration: string };
    const forced = `async function (input) { try { (() => { ${script()} })() } catch {} await new Promise((r) => setTimeout(r, 60)); return (${pageScript}).call(this, input) }`;
    return { ...command, params: { ...command.params, functionDeclaration: forced } };
  };
}

async function trapPaths(): Promise<string[]> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return (await fetch(`${inject("trapCountUrl")}paths`)).json();
}

/** Renders every vector with only the layers in `kept`. Returns the paths that were requested from the trap server. */
async function leaks(kept: Layer[], vectors: { markup?: Record<string, string>; scripts?: Record<string, string> }) {
  let script = "";
  const pool = testPool(
    faultyBrowser(
      env.BROWSER,
      only(kept, () => script),
    ),
  );
  const before = (await trapPaths()).length;
  const render = async (content: string) => {
    const original = job(content, { accountId: "one", timeoutMs: 20_000 });
    const html = kept.includes("policy") ? original.html : original.html.replace(contentSecurityPolicy, "");
    await pool.render({ ...original, html });
  };
  await Promise.all(Object.values(vectors.markup ?? {}).map(render));
  for (const code of Object.values(vectors.scripts ?? {})) {
    script = code;
    await render("<p>x</p>");
  }
  script = "";
  const reached = (await trapPaths()).slice(before);
  await pool.closeIfIdle(0);
  return reached;
}

for (const layer of layers) {
  it(`blocks the attack vectors in markup when the layer "${layer}" is missing`, async () => {
    const reached = await leaks(without(layer), { markup });

    // Without the policy, prefetches and preconnects may get through, because the browser process sends them, not the page.
    expect(reached.filter((path) => layer !== "policy" || !["prefetch", ""].includes(path))).toEqual([]);
  });
}

// Layers that are not sufficient alone, each with a pattern for the paths that get through. Interception and the policy are not
// listed, because each of them is sufficient together with the page script. The page script removes `<meta>` refreshes, and
// parses the markup without running scripts.
const holes: [Layer, RegExp][] = [
  ["no scripts", /^img$/],
  ["offline", /^iframe|^img$/],
];

for (const [layer, hole] of holes) {
  it(`lets some attack vectors through when only the layer "${layer}" is left`, async () => {
    const reached = await leaks([layer], { markup });

    expect(
      reached.some((path) => hole.test(path)),
      reached.join(),
    ).toBe(true);
  });
}

it("the requests of scripts are blocked when the ban on scripts is missing", async () => {
  const reached = await leaks(without("no scripts"), { scripts });

  // The paths in `scriptOnly` are ignored, because only the ban on scripts blocks them.
  expect(reached.filter((path) => !scriptOnly.has(path))).toEqual([]);
});

it("no script of a document runs when either the policy or the ban on scripts is missing", async () => {
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

  expect([...byPolicy, ...byBrowser]).toEqual([]);
});
