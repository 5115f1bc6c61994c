// Measures the Worker that a deployment would upload, and compares it with our limits. Both are well below those of the
// platform, so that a dependency that grows is noticed before it prevents a deployment.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** `gzipBytes` is the compressed size, and `startupMs` the processor time that the global scope takes on this machine. */
export type Bundle = { bytes: number; gzipBytes: number; startupMs: number };

const maxGzipBytes = 2_000_000;
/** The platform ends a Worker whose global scope takes longer than this. */
const maxStartupMs = 1_000;

/** Returns the size of the modules in a folder that `wrangler deploy --dry-run --outdir` has written. */
export function bundleSize(folder: string): Pick<Bundle, "bytes" | "gzipBytes"> {
  const modules = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".map") && entry.name !== "README.md")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  if (modules.length === 0) throw new Error(`${folder} contains no module`);
  const content = Buffer.concat(modules);
  return { bytes: content.length, gzipBytes: gzipSync(content).length };
}

/**
 * Returns one sentence if the bundle in the folder contains what is only for the machine of a developer or an operator: the
 * commands, and the page of `template dev`. The source maps tell what it was made of.
 */
export function foreignSources(folder: string): string[] {
  const maps = readdirSync(folder).filter((name) => name.endsWith(".js.map"));
  if (maps.length === 0) throw new Error(`${folder} contains no source map`);
  const sources = maps.flatMap((name) => sourcesOf(readFileSync(join(folder, name), "utf8")));
  const foreign = sources.filter((source) => /(^|\/)src\/(cli|dev-page)\/|\/pdfjs-dist\//.test(source));
  return foreign.length > 0 ? [`The bundle must not contain ${foreign.join(", ")}.`] : [];
}

function sourcesOf(map: string): string[] {
  return (JSON.parse(map) as { sources: string[] }).sources;
}

/** Returns the processor time in the output of `wrangler check startup`. */
export function startupMs(output: string): number {
  const active = /Active: ([\d.]+) ms/.exec(output)?.[1];
  if (active === undefined) throw new Error(`wrangler check startup printed no active time:\n${output}`);
  return Number(active);
}

export function describeBundle({ bytes, gzipBytes, startupMs: startup }: Bundle): string {
  return [
    `bundle    ${kilobytes(bytes)}, compressed ${kilobytes(gzipBytes)} (at most ${kilobytes(maxGzipBytes)})`,
    `start-up  ${startup.toFixed(0)} ms of processor time (at most ${maxStartupMs} ms)`,
  ].join("\n");
}

/** Returns one sentence for each limit that the bundle exceeds. */
export function exceededLimits({ gzipBytes, startupMs: startup }: Bundle): string[] {
  return [
    ...(gzipBytes > maxGzipBytes
      ? [`The compressed bundle has ${kilobytes(gzipBytes)}; the limit is ${kilobytes(maxGzipBytes)}.`]
      : []),
    ...(startup > maxStartupMs
      ? [`The global scope takes ${startup.toFixed(0)} ms; the limit is ${maxStartupMs} ms.`]
      : []),
  ];
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000).toLocaleString("en")} kB`;
}
