// Completes the published package after the compiler has written the modules to `dist`: adds its manifest, with entries from this
// package's manifest, the README and the licence.
import { copyFile, writeFile } from "node:fs/promises";
import manifest from "./package.json" with { type: "json" };

const { private: _isPrivate, scripts: _scripts, devDependencies: _devDependencies, ...published } = manifest;
const entries = Object.entries(manifest.exports).map(([name, source]) => {
  const module = source.replace("/src/", "/").replace(/\.ts$/, "");
  return [name, { types: `${module}.d.ts`, default: `${module}.js` }];
});
const exports = { ...Object.fromEntries(entries), "./package.json": "./package.json" };
const dist = `${import.meta.dirname}/dist`;
await writeFile(`${dist}/package.json`, `${JSON.stringify({ ...published, exports }, null, 2)}\n`);
for (const file of ["README.md", "LICENSE"]) await copyFile(`${import.meta.dirname}/${file}`, `${dist}/${file}`);
