import { expect, it } from "vitest";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { rollBackTemplate } from "../../../src/operations/templates/roll-back-template.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { templateContent } from "../../fixtures/tenant.ts";

/** Pushes a template with a version for each of the given pages. */
async function world(...pages: string[]) {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const services = { templates, now, newId };
  let id = "";
  for (const page of pages) {
    state.nowMs += 1_000;
    const result = await pushTemplate(services, {
      accountId: "a",
      folder: "invoice",
      content: templateContent({ page }),
    });
    if (result.status === "pushed") id = result.template.id;
  }
  return { state, templates, id, rollBack: (version: number) => rollBackTemplate(services, { id, version }) };
}

it("adds a version with the content of the earlier one", async () => {
  const { state, templates, id, rollBack } = await world("one", "two", "three");
  const [, , first] = await templates.listVersions(id);
  state.nowMs += 1_000;

  const result = await rollBack(1);

  expect(result).toMatchObject({
    status: "rolled_back",
    changed: true,
    template: { id, version: 4, contentHash: first?.contentHash, createdAt: first?.createdAt, updatedAt: state.nowMs },
  });
  expect(state.templates.get(id)?.content).toEqual(templateContent({ page: "one" }));
  expect((await templates.listVersions(id)).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
});

it("adds nothing if the newest version has the same content", async () => {
  const { templates, id, rollBack } = await world("one", "two", "one");

  expect(await rollBack(1)).toMatchObject({ status: "rolled_back", changed: false, template: { version: 3 } });

  expect(await templates.listVersions(id)).toHaveLength(3);
});

it("refuses an unknown template and an unknown version", async () => {
  const { templates, rollBack } = await world("one", "two");
  const services = { templates, now: () => 0 };

  expect(await rollBack(3)).toEqual({ status: "no_version", newest: 2 });
  expect(await rollBackTemplate(services, { id: "unknown", version: 1 })).toEqual({ status: "not_found" });
});

it("reports that a push has overtaken it", async () => {
  const { templates, rollBack } = await world("one", "two");
  templates.update = async () => false;

  expect(await rollBack(1)).toEqual({ status: "overtaken" });
});
