import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  bundleSize,
  describeBundle,
  exceededLimits,
  foreignSources,
  startupMs,
} from "../../../src/cli/deploy/bundle-limits.ts";

const small = { bytes: 3_000_000, gzipBytes: 600_000, startupMs: 30 };

describe("the limits of the bundle", () => {
  it("allow two megabytes compressed and a second of start-up time", () => {
    expect(exceededLimits({ ...small, gzipBytes: 2_000_000, startupMs: 1_000 })).toEqual([]);
  });

  it("are each named when they are exceeded", () => {
    expect(exceededLimits({ ...small, gzipBytes: 2_000_001, startupMs: 1_001 })).toEqual([
      "The compressed bundle has 2,001 kB; the limit is 2,000 kB.",
      "The global scope takes 1001 ms; the limit is 1000 ms.",
    ]);
  });

  it("are printed beside what was measured", () => {
    expect(describeBundle(small)).toBe(
      "bundle    3,000 kB, compressed 600 kB (at most 2,000 kB)\nstart-up  30 ms of processor time (at most 1000 ms)",
    );
  });
});

describe("the size of the bundle", () => {
  it("counts every module, but neither source maps nor the README that wrangler adds", async () => {
    const folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
    await writeFile(join(folder, "index.js"), randomBytes(10_000));
    await writeFile(join(folder, "module.wasm"), randomBytes(5_000));
    await writeFile(join(folder, "index.js.map"), randomBytes(90_000));
    await writeFile(join(folder, "README.md"), "x");

    const { bytes, gzipBytes } = bundleSize(folder);
    await rm(folder, { recursive: true });

    expect(bytes).toBe(15_000);
    expect(gzipBytes).toBeGreaterThan(15_000);
    expect(gzipBytes).toBeLessThan(15_100);
  });
});

describe("the sources of the bundle", () => {
  it.each([
    [["../../../src/index.ts", "../../../src/core/liquid/liquid.ts", "../../../node_modules/hono/dist/hono.js"], []],
    [
      [
        "../../../src/cli/dev/dev-server.ts",
        "../../../src/dev-page/messages.ts",
        "../../../node_modules/pdfjs-dist/build/pdf.mjs",
      ],
      [
        "The bundle must not contain ../../../src/cli/dev/dev-server.ts, ../../../src/dev-page/messages.ts, ../../../node_modules/pdfjs-dist/build/pdf.mjs.",
      ],
    ],
  ])("may not be those of commands or of the page of template dev: %j", async (sources, problems) => {
    const folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "index.js.map"), JSON.stringify({ version: 3, sources }));

    expect(foreignSources(folder)).toEqual(problems);
  });

  it("cannot be read without a source map, which is an error", async () => {
    const folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
    onTestFinished(() => rm(folder, { recursive: true }));

    expect(() => foreignSources(folder)).toThrow("contains no source map");
  });
});

describe("the start-up time", () => {
  it("is the active time that wrangler prints", () => {
    const output =
      "Local startup profile:\n  Profile window: 80.1 ms\n  Active: 41.5 ms (including 2.0 ms garbage collection)";

    expect(startupMs(output)).toBe(41.5);
  });

  it("cannot be read from another output, which is an error and not zero", () => {
    expect(() => startupMs("Bundle: 1 KiB")).toThrow("printed no active time");
  });
});
