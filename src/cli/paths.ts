// Where the commands find the project and the data of a local service.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url).href);
export const stateDir = resolve(process.env["STATE_DIR"] ?? join(projectRoot, ".wrangler/state"));

/**
 * The folder in which local services register, so that the commands find them. Each STATE_DIR has its own, so that a command
 * never reaches the service of another STATE_DIR.
 */
export const registry = { WRANGLER_REGISTRY_PATH: join(stateDir, "registry") };
