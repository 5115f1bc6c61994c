import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { createManageClient } from "colophon-client/manage";
import { pushSamples, type PushedSamples } from "../../../src/cli/local/demo-account.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-samples-"));
afterAll(() => rm(root, { recursive: true }));
afterEach(() => void vi.unstubAllGlobals());
let folders = 0;

/** A demo account, and a folder with two samples. `start` does what `npm start` does, and remembers what it has pushed. */
async function world() {
  const directory = join(root, `samples-${folders++}`);
  for (const name of ["invoice", "receipt"]) {
    await cp(join("templates", name), join(directory, name), { recursive: true });
  }
  const stored = new Map<string, { id: string; folder: string; version: number; content: string }>();
  const put = (folder: string, content: string) => {
    const known = stored.get(folder);
    const version = (known?.version ?? 0) + (known?.content === content ? 0 : 1);
    const template = { id: `id of ${folder}`, folder, version, content };
    stored.set(folder, template);
    return { template };
  };
  vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
    const folder = url.replace(/.*\//, "");
    const listed = { templates: [...stored.values()], pagination: { nextCursor: null } };
    return Response.json({ success: true, data: method === "PUT" ? put(folder, await (body as Blob).text()) : listed });
  });
  const account = createManageClient({ baseUrl: "https://service.test", apiKey: "key" });
  let pushed: PushedSamples = {};
  const start = async () => {
    const result = await pushSamples(account, { directory, pushed });
    ({ pushed } = result);
    return result;
  };
  const changeSample = async (css: string) => {
    const file = join(directory, "invoice/style.css");
    await writeFile(file, (await readFile(file, "utf8")) + css);
  };
  return {
    start,
    pushOwn: async (page: string) => put("invoice", page),
    changeSample,
    version: async (folder: string) => stored.get(folder)?.version,
  };
}

it("a start pushes the newer content of a sample that an earlier start pushed", async () => {
  const { start, changeSample, version } = await world();
  await start();

  await changeSample("\nb { color: red; }\n");
  const { kept } = await start();

  expect(kept).toEqual([]);
  expect([await version("invoice"), await version("receipt")]).toEqual([2, 1]);
});

it("a start keeps a template that a user pushed in place of a sample, whether or not the sample has changed", async () => {
  const { start, pushOwn, changeSample, version } = await world();
  await start();
  await pushOwn("<p>Mine</p>");

  const second = await start();
  await changeSample("\nb { color: red; }\n");
  const third = await start();

  expect([second.kept, third.kept]).toEqual([["invoice"], ["invoice"]]);
  expect(await version("invoice")).toBe(2);
  expect(third.invoiceId).toBe("id of invoice");
});
