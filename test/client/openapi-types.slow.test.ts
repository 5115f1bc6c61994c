// The types that openapi-typescript generates from the API's description, with the command and the example in docs/api.md.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openApiDocument } from "../../src/http/openapi/openapi-document.ts";
import { compilerNames, compilers, type Compiler } from "../e2e/client-project.ts";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;
const generator = join(root, "packages/client/node_modules/openapi-typescript/bin/cli.js");
let folder: string;
let example: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-types-"));
  const docs = await readFile(join(root, "docs/api.md"), "utf8");
  const [, options = ""] = /^npx openapi-typescript "\$BASE_URL\/openapi.json" (.*)$/m.exec(docs) ?? [];
  const examples = [...docs.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code);
  example = examples.find((code) => code.includes("openapi-fetch")) ?? "";
  await writeFile(join(folder, "openapi.json"), JSON.stringify(openApiDocument("https://colophon.test/api/v1")));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await run(process.execPath, [generator, "openapi.json", ...options.split(" ")], { cwd: folder });
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Compiles the code with a template id, which the example leaves out. Returns the errors. */
async function errorsIn(code: string, compiler: Compiler): Promise<string> {
  await writeFile(join(folder, "main.ts"), `declare const templateId: string;\n${code}`);
  const options = ["--strict", "--noEmit", "--target", "ES2022", "--module", "NodeNext", "--types", "node"];
  options.push("--allowImportingTsExtensions");
  return run(compilers[compiler], [...options, "main.ts"], { cwd: folder }).then(
    () => "",
    (error: { stdout: string }) => error.stdout || String(error),
  );
}

it.each(compilerNames)("the example compiles with %s", async (compiler) => {
  expect(example).toContain("api.POST");

  expect(await errorsIn(example, compiler)).toBe("");
});
