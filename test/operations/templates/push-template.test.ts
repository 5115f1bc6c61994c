import { expect, it } from "vitest";
import { pushTemplate, type PushInput } from "../../../src/operations/templates/push-template.ts";
import { failing, fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { templateContent } from "../../fixtures/tenant.ts";

function world() {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const services = { templates, now, newId };
  const push = (input: Partial<PushInput> = {}) =>
    pushTemplate(services, { accountId: "a", folder: "invoice", content: templateContent({}), ...input });
  return { state, templates, push };
}

const conflict = { code: "VERSION_CONFLICT" };
const changedPage = templateContent({ page: "<p>Changed</p>" });

it("creates version 1 for a new folder", async () => {
  const { state, push } = world();

  const { template, changed } = await push();

  expect(changed).toBe(true);
  expect(template).toMatchObject({
    accountId: "a",
    version: 1,
    pagesCount: 1,
    createdAt: state.nowMs,
    updatedAt: state.nowMs,
  });
  expect(state.templates.get(template.id)?.template).toEqual(template);
});

it("creates no version when nothing changed", async () => {
  const { state, push } = world();
  const first = await push();
  state.nowMs += 1_000;

  const second = await push();

  const template = { ...first.template, folder: "invoice" };
  expect(second).toEqual({ template, previous: template, changed: false });
});

it("creates the next version of the same template when something changed", async () => {
  const { state, push } = world();
  const first = await push();
  state.nowMs += 1_000;

  const { template, changed } = await push({ content: changedPage });

  expect(changed).toBe(true);
  expect(template).toMatchObject({
    id: first.template.id,
    version: 2,
    createdAt: first.template.createdAt,
    updatedAt: state.nowMs,
  });
});

it.each([
  ["the styles", { css: "a{}" }],
  ["the header", { header: "H" }],
  ["an asset", { assets: { "a.png": { contentType: "image/png", base64: "QUJD" } } }],
  ["the sample data", { sampleData: { name: "Ada" } }],
  ["the title", { manifest: { ...templateContent({}).manifest, title: "Other" } }],
])("creates a new version after a change to %s", async (_what, content) => {
  const { push } = world();
  await push();

  const { changed } = await push({ content: templateContent({ content }) });

  expect(changed).toBe(true);
});

it("creates a separate template for another folder", async () => {
  const { push } = world();
  const first = await push();

  const second = await push({ folder: "report" });

  expect(second.template.id).not.toBe(first.template.id);
});

it("creates a separate template for the same folder of another account", async () => {
  const { push } = world();
  const mine = await push();

  const theirs = await push({ accountId: "b", content: changedPage });

  expect(theirs.template).toMatchObject({ accountId: "b", version: 1 });
  expect(theirs.template.id).not.toBe(mine.template.id);
});

it("neither finds nor changes another account's template, even if its id is the name of the folder", async () => {
  const { state, push } = world();
  const { template } = await push();

  const result = await push({ accountId: "b", folder: template.id, content: changedPage });

  expect(result).toMatchObject({ template: { accountId: "b", version: 1 }, previous: null });
  expect(state.templates.get(template.id)?.template).toEqual(template);
});

it.each([0, 2])("changes nothing if the newest version is not version %i, as the push expects", async (ifVersion) => {
  const { state, push } = world();
  const { template } = await push();

  await expect(push({ content: changedPage, ifVersion })).rejects.toMatchObject(conflict);

  expect(state.templates.get(template.id)?.template).toEqual(template);
});

it.each([0, 1])("is stored if the newest version is %i, as the push expects", async (ifVersion) => {
  const { push } = world();
  if (ifVersion > 0) await push();

  const { template } = await push({ content: changedPage, ifVersion });

  expect(template.version).toBe(ifVersion + 1);
});

it("gets a version although nineteen others are stored first, and stores its content once", async () => {
  const { templates, push } = world();
  await push();
  const { update, putContent } = templates;
  let [overtaken, stored] = [0, 0];
  templates.update = async (...pushed) => overtaken++ >= 19 && update(...pushed);
  templates.putContent = (...pushed) => putContent(...pushed).then(() => void stored++);

  const { template } = await push({ content: changedPage });

  expect([template.version, stored]).toEqual([2, 1]);
});

it("gives up as overloaded if others are stored first each time", async () => {
  const { templates, push } = world();
  await push();
  templates.update = async () => false;

  await expect(push({ content: changedPage })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

it("creates only one template when a new folder is pushed twice at the same time", async () => {
  const { state, push } = world();

  const results = await Promise.all([push(), push({ content: changedPage })]);

  expect(results.map(({ template }) => template.version).toSorted()).toEqual([1, 2]);
  expect(state.templates.size).toBe(1);
});

it("creates only one of two templates that must be new", async () => {
  const { state, push } = world();

  const results = await Promise.allSettled([push({ ifVersion: 0 }), push({ content: changedPage, ifVersion: 0 })]);

  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results).toContainEqual({ status: "rejected", reason: expect.objectContaining(conflict) });
  expect(state.templates.size).toBe(1);
});

it("creates no row when the content cannot be stored", async () => {
  const { state, templates, push } = world();
  templates.putContent = failing("R2 is down");

  await expect(push()).rejects.toThrow("R2 is down");

  expect(state.templates.size).toBe(0);
});
