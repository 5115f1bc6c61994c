// Where the commands find the project and the data of a local service.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url).href);
export const stateDir = resolve(process.env["STATE_DIR"] ?? join(projectRoot, ".wrangler/state"));
