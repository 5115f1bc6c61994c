// Builds the Worker once for all services that the tests start. `start.test.ts` lets its service build it, as `npm start` does.
import { fileURLToPath } from "node:url";
import { buildWorker } from "../../src/cli/local/service-process.ts";

export default async function setup(): Promise<void> {
  const folder = fileURLToPath(new URL("../../dist/worker", import.meta.url).href);
  process.env["WORKER_BUNDLE"] = await buildWorker(process.env, folder);
}
