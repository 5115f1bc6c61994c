// Configures `npm run lint`. The table of layers lists the allowed imports of each folder; docs/architecture.md explains the
// layers.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { defineConfig } from "oxlint";

type Pattern = { regex: string; message: string };
/** `layers` and the npm packages are what `files` may import; the patterns are forbidden imports. */
type Layer = { files: string; layers?: string[]; packages?: string[]; patterns?: Pattern[] };

const belowEntries = ["core", "ports", "operations", "platform", "objects", "http"];

const layers: Layer[] = [
  {
    files: "src/core/**",
    layers: ["core"],
    packages: ["ipaddr.js", "node:crypto", "saxes"],
  },
  { files: "src/ports/**", layers: ["core", "ports"] },
  { files: "src/operations/**", layers: ["core", "ports", "operations"], packages: ["node:crypto", "p-map", "zod"] },
  {
    files: "src/platform/**",
    layers: ["core", "ports", "platform"],
    packages: ["drizzle-orm"],
  },
  {
    files: "src/objects/*/**",
    layers: ["core", "ports", "platform", "objects"],
    packages: ["@cloudflare/puppeteer"],
    patterns: [
      {
        regex: `^[./]+/(${namesIn("src/objects").join("|")})\\.ts$`,
        message: "The parts of an object must not import object classes.",
      },
    ],
  },
  {
    files: "src/http/**",
    layers: ["core", "ports", "operations", "http"],
    packages: ["@hono/zod-validator", "content-disposition", "hono", "zod"],
  },
  { files: "src/settings.ts", layers: ["core", "ports"] },
  { files: "src/services/**", layers: ["core", "ports", "platform", "settings", "services"] },
  {
    files: "src/objects/*.ts",
    layers: [...belowEntries, "settings", "services"],
    packages: ["cloudflare:workers"],
  },
  { files: "src/index.ts", layers: [...belowEntries, "settings", "services"] },
  {
    files: "src/cli/**",
    layers: [...belowEntries, "settings", "services", "cli", "packages"],
    packages: [
      ...["colophon-client", "colophon-console", "colophon-templates", "colophon-ui"],
      ...["@scalar/fastify-api-reference", "esbuild", "markdown-it", "miniflare", "node:*", "unpdf", "wrangler", "zod"],
    ],
  },
  { files: "src/docs-page/**", layers: ["docs-page"], packages: ["@scalar/fastify-api-reference"] },
  {
    files: "packages/templates/dev-page/**",
    packages: ["colophon-base", "colophon-page", "pdfjs-dist", "preact", "colophon-ui"],
  },
];

/** The libraries that every layer of the service may import. */
const libraries = [
  "base",
  "fonts",
  "images",
  "liquid",
  "liquid-filters",
  "page",
  "pdf",
  "pdf-conformance",
  "render",
  "template-checks",
  "template-model",
].map((name) => `colophon-${name}`);

/**
 * The Node modules that packages may import. The Workers runtime has `node:zlib` (`nodejs_compat`), which is faster
 * there than CompressionStream.
 */
const nodeModules: Record<string, string[]> = {
  fonts: ["node:*"],
  templates: ["node:*"],
  pdf: ["node:crypto", "node:zlib"],
  "pdf-conformance": ["node:zlib"],
  "template-model": ["node:zlib"],
};

/**
 * The allowed imports of a package's sources: the packages in its own `package.json`, and nothing outside its folder.
 */
const packageLayers: Layer[] = readdirSync(new URL("packages", import.meta.url).pathname)
  .filter((name) => name !== "tsconfig.json")
  .map((name) => ({
    files: `packages/${name}/src/**`,
    packages: [...Object.keys(manifestOf(name).dependencies ?? {}), ...(nodeModules[name] ?? [])],
    patterns: [{ regex: "^\\.\\.?/.*(src|packages|test)/", message: "Packages must be imported by name." }],
  }));

function manifestOf(name: string): { dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(new URL(`packages/${name}/package.json`, import.meta.url).pathname, "utf8"));
}

const allLayers = [...namesIn("src"), "packages", "test", "bench"];

/** Returns the names of the files, without extension, and folders in a folder. */
function namesIn(folder: string): string[] {
  return readdirSync(new URL(folder, import.meta.url).pathname).map((name) => name.replace(/\.ts$/, ""));
}

/** Returns the sources of a layer as one string. Throws if there are none. */
function textOf({ files }: Layer): string {
  const path = new URL(files.replace(/\/\*.*$/, ""), import.meta.url).pathname;
  if (statSync(path).isFile()) return readFileSync(path, "utf8");
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  return names.map((name) => readFileSync(`${path}/${name}`, "utf8")).join("\n");
}

for (const layer of layers) {
  const text = textOf(layer);
  const isUsed = (name: string) => text.includes(` from "${name.replace("*", "")}`);
  const unused = [
    ...(layer.layers ?? []).filter((name) => !allLayers.includes(name)),
    ...(layer.packages ?? []).filter((name) => !isUsed(name)),
  ];
  if (unused.length > 0)
    throw new Error(`oxlint.config.ts lists imports for ${layer.files} that it does not use: ${unused}`);
}

function restrictedImports({ files, layers: allowed = [], packages = [], patterns = [] }: Layer) {
  const forbidden = allLayers.filter((layer) => !allowed.includes(layer)).join("|");
  const isOfService = files.startsWith("src/");
  const importable = [...packages, ...(isOfService ? libraries : [])].flatMap((name) => [`!${name}`, `!${name}/**`]);
  return [
    ...patterns,
    { regex: `^[./]+(src/)?(${forbidden})(/|\\.ts$)`, message: "The table of layers in oxlint.config.ts forbids it." },
    // This comes last, because oxlint tests no further patterns after a group with exceptions.
    {
      group: ["**", "!./**", "!../**", ...importable],
      message: "The table of layers in oxlint.config.ts lacks this package.",
    },
  ];
}

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise"],
  categories: { correctness: "error", suspicious: "error", perf: "off" },
  rules: {
    "no-console": "off",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
    "no-shadow": "off",
    "no-await-in-loop": "off",
    "no-underscore-dangle": "off",
    "import/no-cycle": "error",
    "import/no-unassigned-import": "off",
    "promise/always-return": "off",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "oxc/no-async-endpoint-handlers": "off",
    "unicorn/no-useless-spread": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-array-sort": "off",
  },
  ignorePatterns: ["node_modules", ".wrangler", ".types", "dist", "src/worker-configuration.d.ts"],
  overrides: [
    {
      files: ["src/**/*.ts", "packages/*/src/**/*.{ts,tsx}"],
      rules: {
        "unicorn/no-useless-spread": "error",
        "max-lines": ["error", { max: 250 }],
        "max-lines-per-function": ["error", { max: 60 }],
        "import/no-cycle": ["error", { ignoreTypes: false }],
        "import/extensions": ["error", "ignorePackages", { checkTypeImports: true }],
        // Types are imported by statements, because no-restricted-imports ignores `import("...")` in a type.
        "typescript/consistent-type-imports": "error",
        "no-restricted-imports": [
          "error",
          { patterns: [{ regex: ".", message: "This file is not in any layer of oxlint.config.ts." }] },
        ],
      },
    },
    {
      files: ["**/*.generated.ts"],
      rules: { "max-lines": "off", "max-lines-per-function": "off" },
    },
    {
      files: ["src/http/**"],
      rules: {
        // In the management API, a handler may call one method of a port in `manage`; see docs/architecture.md.
        "no-restricted-properties": [
          "error",
          {
            object: "services",
            allowProperties: ["settings", "now"],
            message: "Routes must call operations, never ports.",
          },
        ],
      },
    },
    {
      files: ["packages/*/test/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { regex: "^(\\.\\./){2,}test/", message: "Fixtures of several packages are in colophon-test-kit." },
            ],
          },
        ],
      },
    },
    ...[...layers, ...packageLayers].map((layer) => ({
      files: [layer.files],
      rules: { "no-restricted-imports": ["error", { patterns: restrictedImports(layer) }] as ["error", object] },
    })),
  ],
});
