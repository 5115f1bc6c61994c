// Checks that the imports in `src` respect the layers. The checker, at the end of this file, is a pure function that maps
// sources to violations. It is tested with planted violations. It may raise a false alarm, but it must not miss an import.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;

/** Returns every source file of the service, except the types that `wrangler types` generates. */
function sourcesOfService(): Sources {
  const paths = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && path !== "worker-configuration.d.ts")
    .map((path) => `src/${path}`);
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** A small service in which every import is allowed. */
const validSources: Sources = {
  "src/index.ts":
    'import { app } from "./http/app.ts";\nimport { services } from "./services/request-services.ts";\nexport { Quota } from "./objects/quota.ts";',
  "src/services/request-services.ts":
    'import { store } from "../platform/store.ts";\nimport { read } from "../settings.ts";',
  "src/settings.ts": 'import type { Settings } from "./ports/services.ts";',
  "src/objects/quota.ts":
    'import { DurableObject } from "cloudflare:workers";\nimport { services } from "../services/request-services.ts";\nimport { read } from "../settings.ts";\nimport { store } from "../platform/store.ts";',
  "src/http/app.ts":
    'import { Hono } from "hono";\nimport { z } from "zod";\nimport { create } from "../operations/create.ts";',
  "src/jobs/sweep.ts": 'import { create } from "../operations/create.ts";',
  "src/operations/create.ts":
    'import type { Services } from "../ports/services.ts";\nimport { month } from "../core/month.ts";',
  "src/platform/store.ts":
    'import { eq } from "drizzle-orm/d1";\nimport type { Services } from "../ports/services.ts";',
  "src/objects/rendering/pool.ts":
    'import { connect } from "@cloudflare/puppeteer";\nimport { script } from "./page/page-script.generated.ts";\nimport { store } from "../../platform/store.ts";',
  "src/objects/rendering/page/page-script.generated.ts": "",
  "src/ports/services.ts": 'import type { Month } from "../core/month.ts";',
  "src/core/month.ts": 'import MarkdownIt from "markdown-it";',
  "src/page/page.ts": 'import { month, type Month } from "../core/month.ts";\nimport { dom } from "./dom.ts";',
  "src/page/dom.ts": "",
  "src/docs-page/start.ts": 'import type { Configuration } from "@scalar/fastify-api-reference";',
  "src/dev-page/start.ts":
    'import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";\nimport { month } from "../core/month.ts";\nimport type { State } from "./messages.ts";',
  "src/dev-page/messages.ts": "",
  "src/cli/main.ts":
    'import { parseArgs } from "node:util";\nimport { services } from "../services/request-services.ts";',
  "src/cli/dev/server.ts": 'import type { State } from "../../dev-page/messages.ts";',
};

const planted = (path: string, source: string) =>
  violations({ ...validSources, [path]: `${validSources[path] ?? ""}\n${source}` });

describe("the layers of src", () => {
  it("contain no forbidden import", () => {
    expect(violations(sourcesOfService())).toEqual([]);
  });

  it("are all read, and the checker finds imports that are known to exist", () => {
    const sources = sourcesOfService();

    const targets = Object.entries(sources).flatMap(([path, source]) =>
      importsOf(source).map(({ target }) => `${path} ${target}`),
    );

    expect(targets).toContain("src/index.ts ./http/app.ts");
    expect(targets).toContain("src/index.ts ./objects/account-quota.ts");
    expect(targets).toContain("src/objects/rendering/page/warm-page.ts ./page-script.generated.ts");
    expect(targets).toContain("src/page/prepare-page.ts ../core/rendering/prepared-page.ts");
    expect(targets).toContain("src/core/rendering/document/document-html.ts ../../liquid/liquid.ts");
    expect(Object.keys(sources).length).toBeGreaterThan(80);
  });
});

describe("the HTTP layer", () => {
  it("does not call ports directly, but only through operations", () => {
    expect(portCalls(sourcesOfService(), "src/http/")).toEqual([]);
  });

  it("is searched for calls to every port", () => {
    const source = "const { total } = await services.documents.list(account.id, {}, page);";

    expect(portCalls({ "src/http/list.ts": source }, "src/http/")).toEqual(["src/http/list.ts: services.documents."]);
    expect(portNames()).toEqual(expect.arrayContaining(["documents", "files", "quota", "templates"]));
  });
});

describe("the checker", () => {
  it("accepts sources in which every import is allowed", () => {
    expect(violations(validSources)).toEqual([]);
  });

  it.each([
    ["core importing ports", "src/core/month.ts", "../ports/services.ts"],
    ["core importing operations", "src/core/month.ts", "../operations/create.ts"],
    ["ports importing platform", "src/ports/services.ts", "../platform/store.ts"],
    ["operations importing http", "src/operations/create.ts", "../http/app.ts"],
    ["operations importing platform", "src/operations/create.ts", "../platform/store.ts"],
    ["operations importing services", "src/operations/create.ts", "../services/request-services.ts"],
    ["platform importing operations", "src/platform/store.ts", "../operations/create.ts"],
    ["platform importing settings", "src/platform/store.ts", "../settings.ts"],
    ["platform importing objects", "src/platform/store.ts", "../objects/quota.ts"],
    ["http importing platform", "src/http/app.ts", "../platform/store.ts"],
    ["http importing services", "src/http/app.ts", "../services/request-services.ts"],
    ["jobs importing platform", "src/jobs/sweep.ts", "../platform/store.ts"],
    ["objects importing the entry point", "src/objects/quota.ts", "../index.ts"],
    ["services importing cli", "src/services/request-services.ts", "../cli/main.ts"],
    ["core importing the page", "src/core/month.ts", "../page/page.ts"],
    ["platform importing the page", "src/platform/store.ts", "../page/page.ts"],
    ["operations importing the page", "src/operations/create.ts", "../page/page.ts"],
    ["objects importing the page", "src/objects/quota.ts", "../page/page.ts"],
    ["the parts of an object importing the page", "src/objects/rendering/pool.ts", "../../page/page.ts"],
    ["the page importing ports", "src/page/page.ts", "../ports/services.ts"],
    ["the page importing platform", "src/page/page.ts", "../platform/store.ts"],
    ["the page importing the parts of an object", "src/page/page.ts", "../objects/rendering/pool.ts"],
    ["cli importing the docs page", "src/cli/main.ts", "../docs-page/start.ts"],
    ["cli importing the code of the dev page", "src/cli/main.ts", "../dev-page/start.ts"],
    ["the entry point importing the dev page", "src/index.ts", "./dev-page/messages.ts"],
    ["core importing the dev page", "src/core/month.ts", "../dev-page/messages.ts"],
    ["the entry point importing cli", "src/index.ts", "./cli/dev/server.ts"],
    ["the dev page importing ports", "src/dev-page/start.ts", "../ports/services.ts"],
    ["the dev page importing cli", "src/dev-page/start.ts", "../cli/main.ts"],
    ["the docs page importing core", "src/docs-page/start.ts", "../core/month.ts"],
    ["the page importing its own bundle", "src/page/page.ts", "../objects/rendering/page/page-script.generated.ts"],
    [
      "operations importing the page's bundle",
      "src/operations/create.ts",
      "../objects/rendering/page/page-script.generated.ts",
    ],
    ["objects importing the page's bundle", "src/objects/quota.ts", "./rendering/page/page-script.generated.ts"],
    ["platform importing the parts of an object", "src/platform/store.ts", "../objects/rendering/pool.ts"],
    ["operations importing the parts of an object", "src/operations/create.ts", "../objects/rendering/pool.ts"],
    ["the parts of an object importing operations", "src/objects/rendering/pool.ts", "../../operations/create.ts"],
    [
      "the parts of an object importing services",
      "src/objects/rendering/pool.ts",
      "../../services/request-services.ts",
    ],
    ["the parts of an object importing its class", "src/objects/rendering/pool.ts", "../quota.ts"],
  ])("finds %s", (_what, path, target) => {
    const found = planted(path, `import type { X } from "${target}";`);

    expect(found).toContainEqual(expect.stringContaining(`${path} imports ${target}: `));
  });

  it.each([
    ["drizzle-orm", "src/operations/create.ts"],
    ["drizzle-orm/sqlite-core", "src/objects/quota.ts"],
    ["@cloudflare/puppeteer", "src/objects/quota.ts"],
    ["cloudflare:workers", "src/platform/store.ts"],
    ["cloudflare:email", "src/platform/store.ts"],
    ["hono", "src/operations/create.ts"],
    ["hono/factory", "src/index.ts"],
    ["@hono/zod-validator", "src/cli/main.ts"],
    ["zod", "src/platform/store.ts"],
    ["@cloudflare/puppeteer", "src/platform/store.ts"],
    ["zod", "src/operations/create.ts"],
    ["wrangler", "src/services/request-services.ts"],
    ["jsonc-parser", "src/cli/main.ts"],
    ["p-map", "src/core/month.ts"],
    ["node:fs", "src/platform/store.ts"],
    ["node:util", "src/http/app.ts"],
    ["node:util", "src/objects/rendering/pool.ts"],
    ["node:zlib", "src/core/month.ts"],
    ["node:zlib", "src/platform/store.ts"],
    ["markdown-it", "src/operations/create.ts"],
    ["bwip-js/generic", "src/platform/store.ts"],
    ["left-pad", "src/core/month.ts"],
    ["constructor", "src/core/month.ts"],
    ["markdown-it", "src/page/page.ts"],
    ["esbuild", "src/page/page.ts"],
    ["pdfjs-dist", "src/cli/main.ts"],
  ])("finds a forbidden import of %s in %s", (target, path) => {
    const found = planted(path, `import { x } from "${target}";`);

    expect(found).toEqual([expect.stringContaining(`${path} imports ${target}: `)]);
  });

  it.each([
    'import "../platform/store.ts";',
    "import { x } from '../platform/store.ts'",
    'import type { X } from "../platform/store.ts";',
    'import {\n  x,\n  type Y,\n} from "../platform/store.ts";',
    'import * as x from "../platform/store.ts";',
    'import x, { y } from "../platform/store.ts";',
    'export { x } from "../platform/store.ts";',
    'export * from "../platform/store.ts";',
    'export type { X } from "../platform/store.ts";',
    'const x = await import("../platform/store.ts");',
    'type X = import("../platform/store.ts").X;',
    'const url = "https://x";\nimport { x } from "../platform/store.ts";',
    '/* a */ import { x } /* b */ from "../platform/store.ts"; // c',
  ])("recognises the import in %j", (source) => {
    const found = planted("src/operations/create.ts", source);

    expect(found).toContainEqual(expect.stringContaining("operations may not import platform"));
  });

  it.each(['// import { x } from "../platform/store.ts";', '/* import { x } from "../platform/store.ts"; */'])(
    "ignores the import in the comment %s",
    (source) => {
      expect(planted("src/operations/create.ts", source)).toEqual([]);
    },
  );

  it("finds a file that belongs to no layer", () => {
    expect(planted("src/utils/text.ts", "")).toEqual(["src/utils/text.ts belongs to no layer"]);
  });

  it("finds an import of a file that does not exist", () => {
    const found = planted("src/http/app.ts", 'import { x } from "./gone.ts";');

    expect(found).toEqual(["src/http/app.ts imports ./gone.ts: there is no such file"]);
  });

  it("finds a cycle of two files", () => {
    const cycle = { "src/core/a.ts": 'import "./b.ts";', "src/core/b.ts": 'import type { A } from "./a.ts";' };

    expect(violations({ ...validSources, ...cycle })).toEqual(["cycle: src/core/a.ts, src/core/b.ts"]);
  });

  it("finds a longer cycle that is reached from a file outside the cycle", () => {
    const cycle = {
      "src/core/a.ts": 'import "./b.ts";',
      "src/core/b.ts": 'import "./month.ts";\nimport "./c.ts";',
      "src/core/c.ts": 'export * from "./d.ts";',
      "src/core/d.ts": 'import "./b.ts";',
    };

    expect(violations({ ...validSources, ...cycle })).toEqual(["cycle: src/core/b.ts, src/core/c.ts, src/core/d.ts"]);
  });

  it("finds a file that imports itself", () => {
    expect(planted("src/core/month.ts", 'import "./month.ts";')).toEqual(["cycle: src/core/month.ts"]);
  });
});

/** Returns the names of the ports, read from the type `Services` in `ports/services.ts`. */
function portNames(): string[] {
  const ports = readFileSync(join(root, "src/ports/services.ts"), "utf8");
  const members = /export type Services = \{([^]*?)\n\};/.exec(ports)?.[1] ?? "";
  const names = [...members.matchAll(/^ {2}(\w+): \w+(?: \| null)?;$/gm)].map((match) => match[1] ?? "");
  return names.filter((name) => name !== "settings" && name !== "log");
}

function portCalls(sources: Sources, folder: string): string[] {
  const call = new RegExp(`\\bservices\\.(${portNames().join("|")})\\.`, "g");
  return Object.entries(sources)
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([path, source]) => [...source.matchAll(call)].map(([text]) => `${path}: ${text}`));
}

/** Maps the path of each file, such as `src/core/liquid.ts`, to the source text of the file. */
type Sources = Record<string, string>;

/** The only file of the dev page that its server may import. */
const devPageMessages = "src/dev-page/messages.ts";

const pageBundle = "src/objects/rendering/page/page-script.generated.ts";

/** The layers from the top down. A path belongs to the first layer whose pattern matches the path. */
const layers: { name: string; matches: RegExp; height: number }[] = [
  { name: "index", matches: /^src\/index\.ts$/, height: 4 },
  { name: "cli", matches: /^src\/cli\//, height: 4 },
  { name: "services", matches: /^src\/services\//, height: 3 },
  { name: "settings", matches: /^src\/settings\.ts$/, height: 3 },
  { name: "objects", matches: /^src\/objects\/[^/]+\.ts$/, height: 3 },
  { name: "http", matches: /^src\/http\//, height: 2.5 },
  { name: "jobs", matches: /^src\/jobs\//, height: 2.5 },
  { name: "operations", matches: /^src\/operations\//, height: 2 },
  { name: "object parts", matches: /^src\/objects\//, height: 2 },
  { name: "platform", matches: /^src\/platform\//, height: 2 },
  { name: "ports", matches: /^src\/ports\//, height: 1 },
  { name: "core", matches: /^src\/core\//, height: 0 },
  { name: "page", matches: /^src\/page\//, height: 0.5 },
  { name: "docs page", matches: /^src\/docs-page\//, height: 0.5 },
  { name: "dev page", matches: /^src\/dev-page\//, height: 0.5 },
];

/**
 * Pairs of layers. The first layer may not import the second layer, although the order of the layers would allow the
 * import.
 */
const separate: [string, string][] = [
  ["operations", "platform"],
  ["platform", "operations"],
  ["platform", "object parts"],
  ["operations", "object parts"],
  ["object parts", "operations"],
  ["http", "platform"],
  ["http", "object parts"],
  ["jobs", "object parts"],
  ["jobs", "platform"],
  ["http", "jobs"],
  ["jobs", "http"],
];

/** The layers that may import each package. A package that is not listed may not be imported at all. */
const packageLayers: Record<string, string[]> = {
  "drizzle-orm": ["platform"],
  "@cloudflare/puppeteer": ["object parts"],
  "cloudflare:workers": ["objects"],
  hono: ["http"],
  "@hono/zod-validator": ["http"],
  "content-disposition": ["http"],
  zod: ["http", "jobs", "core", "cli"],
  wrangler: ["cli"],
  // The smoke test reads the text of a PDF with it.
  unpdf: ["cli"],
  diff: ["cli"],
  "css-tree": ["cli"],
  "@mdn/browser-compat-data": ["cli"],
  "jsonc-parser": ["core"],
  "@csstools/css-tokenizer": ["core", "cli"],
  "@formatjs/icu-messageformat-parser": ["core"],
  parse5: ["core"],
  saxes: ["core"],
  node: ["cli"],
  // The Workers runtime has it (`nodejs_compat`), and it is faster there than a CompressionStream.
  "node:zlib": ["cli", "object parts"],
  "markdown-it": ["core"],
  entities: ["core"],
  "colophon-client": ["cli"],
  "colophon-fonts": ["core", "ports", "operations", "platform", "object parts", "cli"],
  "bwip-js": ["core"],
  uqr: ["core"],
  "ipaddr.js": ["core"],
  "lru-cache": ["platform"],
  "p-map": ["operations"],
  esbuild: ["cli"],
  "@scalar/fastify-api-reference": ["cli", "docs page"],
  "pdfjs-dist": ["dev page"],
  "puppeteer-core": ["cli"],
};

function violations(sources: Sources): string[] {
  const found = Object.entries(sources).flatMap(([path, source]) => fileViolations(sources, path, source));
  return [...found, ...cycles(sources)];
}

/**
 * Returns the imports in a source file, including `import type` and `export ... from`, but not the imports in comments.
 */
function importsOf(source: string): { target: string }[] {
  const code = withoutComments(source);
  const statements = /\b(?:import|export)\s+(?:type\s+)?(?:[\w$*{][^;"'`]*?\bfrom\s*)?["']([^"']+)["']/g;
  const calls = /\bimport\s*\(\s*["'`]([^"'`]+)["'`]\s*\)/g;
  return [
    ...[...code.matchAll(statements)].map((match) => ({ target: match[1] ?? "" })),
    ...[...code.matchAll(calls)].map((match) => ({ target: match[1] ?? "" })),
  ];
}

function fileViolations(sources: Sources, path: string, source: string): string[] {
  const layer = layerOf(path);
  if (!layer) return [`${path} belongs to no layer`];
  return importsOf(source).flatMap(({ target }) => {
    const reason = target.startsWith(".")
      ? pathViolation(sources, path, layer, target)
      : packageViolation(layer.name, target);
    return reason === null ? [] : [`${path} imports ${target}: ${reason}`];
  });
}

function pathViolation(
  sources: Sources,
  path: string,
  layer: { name: string; height: number },
  target: string,
): string | null {
  const resolved = resolvePath(path, target);
  if (!target.endsWith(".ts")) return "the extension is missing";
  // The smoke test calls the service as its customers do.
  if (resolved === "packages/client/src/client.ts") return packageViolation(layer.name, "colophon-client");
  if (!(resolved in sources)) return "there is no such file";
  const other = layerOf(resolved);
  if (!other) return "it belongs to no layer";
  if (other.name === "page" && layer.name !== "page") return `the page may be imported only as ${pageBundle}`;
  if (resolved === pageBundle && layer.name !== "object parts")
    return "only the parts of an object may import the page's bundle";
  if (layer.name === "page" && !["page", "core"].includes(other.name))
    return "the page may import only itself and core";
  if ((layer.name === "docs page") !== (other.name === "docs page"))
    return "the docs page runs only in a reader's browser";
  if (other.name === "dev page" && layer.name !== "dev page" && (layer.name !== "cli" || resolved !== devPageMessages))
    return `of the dev page, only cli may import ${devPageMessages}`;
  if (layer.name === "dev page" && !["dev page", "core"].includes(other.name))
    return "the dev page may import only itself and core";
  if (layer.name === "index" && other.name === "cli") return "the deployed Worker contains nothing of cli";
  if (other.height > layer.height) return `${layer.name} is below ${other.name}`;
  if (separate.some(([from, to]) => from === layer.name && to === other.name))
    return `${layer.name} may not import ${other.name}`;
  return null;
}

function packageViolation(layer: string, target: string): string | null {
  const name = packageName(target);
  const allowed = Object.hasOwn(packageLayers, name) ? packageLayers[name] : undefined;
  if (!allowed) return `the package ${name} has no layer yet`;
  return allowed.includes(layer) ? null : `the package ${name} belongs to ${allowed.join(", ")}`;
}

function packageName(target: string): string {
  if (target.startsWith("node:")) return Object.hasOwn(packageLayers, target) ? target : "node";
  if (target.startsWith("cloudflare:")) return target;
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function layerOf(path: string) {
  return layers.find(({ matches }) => matches.test(path));
}

function resolvePath(from: string, target: string): string {
  return new URL(target, `file:///${from}`).pathname.slice(1);
}

/** Reports each import cycle once, with the files that form the cycle. */
function cycles(sources: Sources): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      found.add(`cycle: ${trail.slice(at).sort().join(", ")}`);
      return;
    }
    if (done.has(path) || sources[path] === undefined) return;
    for (const { target } of importsOf(sources[path])) {
      if (target.startsWith(".")) visit(resolvePath(path, target), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of Object.keys(sources)) visit(path, []);
  return [...found];
}

/** Removes comments. Strings are kept, because `//` in a string such as `"https://..."` does not start a comment. */
function withoutComments(source: string): string {
  return source.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\*[^]*?\*\/|\/\/[^\n]*/g,
    (_all, text) => text ?? " ",
  );
}
