import { expect, it } from "vitest";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { rollBackTemplate, type Rollback } from "../../../src/operations/templates/roll-back-template.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { everything } from "../../fixtures/audit.ts";
import { templateContent } from "../../fixtures/tenant.ts";

/** Pushes a template with a version for each of the given pages. */
async function world(...pages: string[]) {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const services = { templates, now, newId };
  let id = "";
  for (const page of pages) {
    state.nowMs += 1_000;
    const content = templateContent({ page });
    ({ id } = (await pushTemplate(services, { accountId: "a", folder: "invoice", content })).template);
  }
  const rollBack = (version: number, rest: Partial<Rollback> = {}) =>
    rollBackTemplate(services, { accountId: "a", id, version, ...rest });
  const versions = async () => (await templates.listVersions("a", id, everything)).items;
  return { state, templates, id, rollBack, versions };
}

it("adds a version with the content of the earlier one", async () => {
  const { state, id, rollBack, versions } = await world("one", "two", "three");
  const [, , first] = await versions();
  state.nowMs += 1_000;

  const result = await rollBack(1);

  expect(result).toMatchObject({
    changed: true,
    template: { id, version: 4, contentHash: first?.contentHash, createdAt: first?.createdAt, updatedAt: state.nowMs },
  });
  expect(state.templates.get(id)?.content).toEqual(templateContent({ page: "one" }));
  expect((await versions()).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
});

it("adds nothing if the newest version has the same content", async () => {
  const { rollBack, versions } = await world("one", "two", "one");

  expect(await rollBack(1)).toMatchObject({ changed: false, template: { version: 3 } });

  expect(await versions()).toHaveLength(3);
});

it("refuses an unknown template, that of another account and an unknown version", async () => {
  const { rollBack } = await world("one", "two");

  await expect(rollBack(3)).rejects.toMatchObject({
    code: "TEMPLATE_NOT_FOUND",
    message: expect.stringMatching(/The template has no version 3; its newest version is 2./),
  });
  for (const other of [{ id: "unknown" }, { accountId: "b" }])
    await expect(rollBack(1, other)).rejects.toMatchObject({ code: "TEMPLATE_NOT_FOUND" });
});

it("adds a version although nineteen pushes are stored first", async () => {
  const { templates, rollBack } = await world("one", "two");
  const { update } = templates;
  let overtaken = 0;
  templates.update = async (...rolledBack) => overtaken++ >= 19 && update(...rolledBack);

  expect(await rollBack(1)).toMatchObject({ template: { version: 3 }, changed: true });
});

it("gives up as overloaded if pushes are stored first each time", async () => {
  const { templates, rollBack } = await world("one", "two");
  templates.update = async () => false;

  await expect(rollBack(1)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});
