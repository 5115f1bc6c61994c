// The locations of the project and of a local service's data.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url).href);
export const stateDir = resolve(process.env["STATE_DIR"] ?? join(projectRoot, ".wrangler/state"));
