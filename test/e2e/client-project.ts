// An empty TypeScript project of a customer, into which the packed client is installed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;
const clientFolder = join(root, "packages/client");

/** The TypeScript version of this project, and the previous one, which many customers use. */
export const compilers = {
  "TypeScript 7": join(root, "node_modules/.bin/tsc"),
  "TypeScript 5": join(clientFolder, "node_modules/.bin/tsc"),
};
export type Compiler = keyof typeof compilers;
export const compilerNames = Object.keys(compilers) as Compiler[];

export type ClientProject = {
  folder: string;
  /** The folder of the installed client. */
  client: string;
  /** The paths of the files in the package. */
  files: string[];
  write(name: string, text: string): Promise<void>;
  /** Compiles files with strict rules, including the client's declarations. Returns the errors. */
  compile(names: string[], compiler: Compiler): Promise<string>;
  /** Runs a compiled file in Node, and returns what it prints. */
  run(name: string, variables: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
};

export async function clientProject(): Promise<ClientProject> {
  const folder = await mkdtemp(join(tmpdir(), "colophon-client-"));
  const client = join(folder, "node_modules/colophon-client");
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  await mkdir(client);
  const files = await installClient(folder, client);
  const nodeTypes = dirname(createRequire(import.meta.url).resolve("@types/node/package.json"));
  await symlink(nodeTypes, join(folder, "node_modules/@types/node"));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write("package.json", '{ "type": "module", "private": true }');
  return {
    folder,
    client,
    files,
    write,
    async compile(files, compiler) {
      const options = { strict: true, target: "ES2022", module: "NodeNext", types: ["node"], outDir: "." };
      const config = { compilerOptions: { ...options, rewriteRelativeImportExtensions: true }, files };
      await write("tsconfig.json", JSON.stringify(config));
      return run(compilers[compiler], ["-p", folder]).then(
        () => "",
        (error: { stdout: string }) => error.stdout || String(error),
      );
    },
    async run(name, variables) {
      const { stdout } = await run(process.execPath, [name], { cwd: folder, env: { ...process.env, ...variables } });
      return stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Packs the client as for npm, unpacks it, and returns the paths of its files. */
async function installClient(folder: string, client: string): Promise<string[]> {
  await run("npm", ["run", "build"], { cwd: clientFolder });
  const { stdout } = await run("npm", ["pack", "./dist", "--json", "--offline", "--pack-destination", folder], {
    cwd: clientFolder,
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string; files: { path: string }[] }[];
  if (!packed) throw new Error(`npm pack printed ${stdout}`);
  await run("tar", ["-xzf", join(folder, packed.filename), "-C", client, "--strip-components=1"]);
  return packed.files.map(({ path }) => path);
}

/** Returns the TypeScript examples in the client's README, in order. */
export async function readmeExamples(): Promise<string[]> {
  const readme = await readFile(join(clientFolder, "README.md"), "utf8");
  return [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code);
}
