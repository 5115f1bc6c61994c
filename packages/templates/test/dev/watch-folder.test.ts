import { mkdir, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { copyOfInvoice } from "colophon-test-kit/template-copy";
import { watchFolders } from "../../src/dev/watch-folder.ts";

/** Watches a copy of a template and the folder `shared` beside it. */
async function watchedCopy() {
  const folder = await copyOfInvoice();
  const shared = join(dirname(folder), "shared");
  const onChange = vi.fn();
  const watch = await watchFolders([folder, shared], onChange);
  onTestFinished(() => watch.close());
  /** Makes a change, and resolves when it has been found. */
  const isFound = async (change: () => Promise<unknown>) => {
    onChange.mockClear();
    await change();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 10_000, interval: 20 });
  };
  return { folder, shared, isFound, onChange };
}

it("a watched folder reports a file that is written, renamed over another file, added in a new folder, or removed", async () => {
  const { folder, isFound } = await watchedCopy();
  const style = join(folder, "style.css");

  await isFound(() => writeFile(style, "p { color: red }"));
  await writeFile(`${style}.new`, "p { color: blue }");
  await isFound(() => rename(`${style}.new`, style));
  await isFound(() => mkdir(join(folder, "samples")));
  await isFound(() => writeFile(join(folder, "samples/other.json"), "{}"));
  await isFound(() => unlink(join(folder, "samples/other.json")));
});

it("a watched folder reports a file that is written in parts once the file is complete", async () => {
  const { folder, isFound, onChange } = await watchedCopy();
  const style = join(folder, "style.css");

  await isFound(async () => {
    for (const part of ["", "p", "p {", "p {}"]) {
      await writeFile(style, part);
      await sleep(10);
    }
  });

  expect(onChange).toHaveBeenCalledOnce();
});

it("a watched folder may be created after the watch has begun", async () => {
  const { shared, isFound } = await watchedCopy();

  await isFound(async () => {
    await mkdir(join(shared, "parts"), { recursive: true });
    await writeFile(join(shared, "parts/total.liquid"), "x");
  });
  await isFound(() => writeFile(join(shared, "parts/total.liquid"), "xy"));
});
