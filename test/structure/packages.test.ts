// Checks that every installation gets the same packages: `package.json` names exact versions, and the lockfile has the digest of
// each package.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Versions = Record<string, string>;
type PackageFile = { dependencies: Versions; devDependencies: Versions; optionalDependencies: Versions };
type LockedPackage = {
  dependencies?: Versions;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};
type Lockfile = { packages: Record<string, LockedPackage> };

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url).pathname, "utf8")) as T;
const { dependencies, devDependencies, optionalDependencies } = read<PackageFile>("package.json");
const names = readdirSync(new URL("../../packages", import.meta.url).pathname).filter((name) => !name.includes("."));
const manifestOf = (name: string) => read<Partial<PackageFile>>(`packages/${name}/package.json`);
const manifests = names.map((name) => ({ folder: name, ...manifestOf(name) }));
const client = manifestOf("client");
const { "": own, ...others } = read<Lockfile>("package-lock.json").packages;

/** Packages of this repository are linked and not downloaded. */
const linkedPaths = [
  ...names.flatMap((name) => [`node_modules/colophon-${name}`, `packages/${name}`]),
  ...["node_modules/colophon-test-kit", "test/kit"],
];
const locked = Object.fromEntries(Object.entries(others).filter(([path]) => !linkedPaths.includes(path)));

it("package.json names exact versions only", () => {
  expect(inexact({ ...dependencies, ...devDependencies, ...optionalDependencies })).toEqual([]);
  expect(manifests.flatMap((each) => inexact({ ...each.devDependencies, ...each.dependencies }))).toEqual([]);
});

it("package.json agrees with the lockfile", () => {
  expect(own).toMatchObject({ dependencies, devDependencies, optionalDependencies });
  for (const { folder, dependencies = {} } of manifests)
    expect(others[`packages/${folder}`]?.dependencies ?? {}).toEqual(dependencies);
});

it("the client has no dependencies that its users would install", () => {
  expect(Object.keys(client).filter((name) => /^(?!dev).*dependencies$/i.test(name))).toEqual([]);
});

it("the client is linked, so that its version in this repository is used", () => {
  expect(others["node_modules/colophon-client"]).toEqual({ resolved: "packages/client", link: true });
  expect(others["packages/client"]).toMatchObject({ devDependencies: client.devDependencies });
});

it("the lockfile has the digest of every package that is installed on Linux on x64", () => {
  const installed = Object.entries(locked).filter(([, lockedPackage]) => isForLinux(lockedPackage));

  const without = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));

  expect(without.map(([path]) => path)).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});

it("the lockfile contains no download address of a package", () => {
  expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

/** Packages for other systems are optional, and the lockfile was created on a system that does not install them. */
function isForLinux({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: LockedPackage): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}

/** Returns the packages whose version is not exact. */
function inexact(versions: Versions): string[] {
  const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  return Object.entries(versions).flatMap(([name, version]) => (exact.test(version) ? [] : [`${name}: ${version}`]));
}
