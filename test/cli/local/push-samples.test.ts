import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pushSamples, type PushedSamples } from "../../../src/cli/local/push-samples.ts";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { templateContent } from "../../fixtures/tenant.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-samples-"));
afterAll(() => rm(root, { recursive: true }));
let folders = 0;

/** A demo account, and a folder with two samples. `start` does what `npm start` does, and remembers what it has pushed. */
async function world() {
  const directory = join(root, `samples-${folders++}`);
  for (const name of ["invoice", "receipt"]) {
    await cp(join("templates", name), join(directory, name), { recursive: true });
  }
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const services = { templates, now, newId };
  let pushed: PushedSamples = {};
  const start = async () => {
    const result = await pushSamples(services, { accountId: "a", directory, pushed });
    ({ pushed } = result);
    return result;
  };
  const pushOwn = (page: string) =>
    pushTemplate(services, {
      accountId: "a",
      folder: "invoice",
      content: templateContent({ page, content: { sampleData: { name: "Ada" } } }),
    });
  const changeSample = async (css: string) => {
    const file = join(directory, "invoice/style.css");
    await writeFile(file, (await readFile(file, "utf8")) + css);
  };
  const version = async (folder: string) => (await templates.findByFolder("a", folder))?.version;
  return { start, pushOwn, changeSample, version, forget: () => void (pushed = {}) };
}

it("a start pushes the newer content of a sample that it pushed before", async () => {
  const { start, changeSample, version } = await world();
  await start();

  await changeSample("\nb { color: red; }\n");
  const { kept } = await start();

  expect(kept).toEqual([]);
  expect([await version("invoice"), await version("receipt")]).toEqual([2, 1]);
});

it("a start keeps the template that a user has pushed in place of a sample, whether or not the sample has changed", async () => {
  const { start, pushOwn, changeSample, version } = await world();
  await start();
  await pushOwn("<p>Mine</p>");

  const second = await start();
  await changeSample("\nb { color: red; }\n");
  const third = await start();

  expect([second.kept, third.kept]).toEqual([["invoice"], ["invoice"]]);
  expect(await version("invoice")).toBe(2);
  expect(third.invoice.sampleData).toEqual({ name: "Ada" });
});

it("a start keeps a user's template if nothing says what earlier starts have pushed, and updates the other samples later", async () => {
  const { start, pushOwn, changeSample, version, forget } = await world();
  await start();
  forget();

  await start();
  await changeSample("\nb { color: red; }\n");
  expect((await start()).kept).toEqual([]);
  await pushOwn("<p>Mine</p>");
  forget();
  expect((await start()).kept).toEqual(["invoice"]);

  expect(await version("invoice")).toBe(3);
});
