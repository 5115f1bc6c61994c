// `npm start`: runs the whole service on this machine. It prepares the browser, the database and a demo account, starts
// the Worker, and prints a command that renders an invoice. The next start keeps the data and the demo key.
import { mkdir } from "node:fs/promises";
import { prepareLocalBrowser } from "colophon-templates/browser";
import { basePath } from "../core/api-paths.ts";
import { prepareDemo, type Demo } from "./local/demo-account.ts";
import { createLocalSecrets } from "./local/local-secrets.ts";
import { endLeftover } from "./local/running-file.ts";
import { buildWorker, runService, serviceEnv } from "./local/service-process.ts";
import { checkStateDirectory } from "./local/state-directory.ts";
import { stateDir } from "./paths.ts";
import { serviceApi } from "./service-api.ts";

const port = Number(process.env["PORT"] ?? 8787);
const origin = `http://localhost:${port}`;
const baseUrl = origin + basePath;

async function start(): Promise<void> {
  await mkdir(stateDir, { recursive: true });
  await checkStateDirectory(stateDir);
  await createLocalSecrets(stateDir);
  await endLeftover();
  console.log("Preparing the browser");
  const env = serviceEnv(await prepareLocalBrowser());
  console.log("Building the Worker, the fonts and the pages (the first time takes up to a minute)");
  const bundle = await buildWorker(env);
  console.log("Starting the Worker");
  await runService(env, bundle, port);
  console.log(banner(process.env["DEMO"] === "0" ? null : await demoWithSamples()));
}

async function demoWithSamples(): Promise<Demo> {
  console.log("Pushing the sample templates to the demo account");
  return prepareDemo(await serviceApi({ PORT: String(port) }, false));
}

function banner(demo: Demo | null): string {
  const lines = ["", `Base URL  ${baseUrl}`, `Reference ${origin}/docs`];
  lines.push(`Console   ${origin}/console${demo ? `#key=${demo.key}` : ""}`);
  if (demo) {
    const { templateId, sampleData } = demo.invoice;
    if (demo.kept.length > 0)
      lines.push(`Kept      ${demo.kept.join(", ")} (pushed by a user, so not replaced with the samples)`);
    const data = Object.fromEntries(Object.entries(sampleData).map(([key, value]) => [key, shortened(value)]));
    const body = JSON.stringify({ templateId, data }).replaceAll("'", "\\u0027");
    lines.push(`Demo key  ${demo.key}`, "", "Render an invoice:", "");
    lines.push(
      `curl -sS ${baseUrl}/documents -H 'Authorization: Bearer ${demo.key}' -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  return [...lines, ""].join("\n");
}

/** Shortens a list to its first three items, so that the printed command stays short. */
function shortened(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 3) : value;
}

await start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
