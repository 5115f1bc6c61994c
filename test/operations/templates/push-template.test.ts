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
  const pushed = async (input: Partial<PushInput> = {}) => {
    const result = await push(input);
    if (result.status !== "pushed") throw new Error(`the push was ${result.status}`);
    return result;
  };
  return { state, templates, push, pushed };
}

const changedPage = templateContent({ page: "<p>Changed</p>" });

it("creates version 1 for a new folder", async () => {
  const { state, pushed } = world();

  const { template, changed } = await pushed();

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
  const { state, pushed } = world();
  const first = await pushed();
  state.nowMs += 1_000;

  const second = await pushed();

  expect(second).toEqual({ ...first, previous: first.template, changed: false });
});

it("creates the next version of the same template when something changed", async () => {
  const { state, pushed } = world();
  const first = await pushed();
  state.nowMs += 1_000;

  const { template, changed } = await pushed({ content: changedPage });

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
  const { pushed } = world();
  await pushed();

  const { changed } = await pushed({ content: templateContent({ content }) });

  expect(changed).toBe(true);
});

it("creates a separate template for another folder", async () => {
  const { pushed } = world();
  const first = await pushed();

  const second = await pushed({ folder: "report" });

  expect(second.template.id).not.toBe(first.template.id);
});

it("creates a separate template for the same folder of another account", async () => {
  const { pushed } = world();
  const mine = await pushed();

  const theirs = await pushed({ accountId: "b", content: changedPage });

  expect(theirs.template).toMatchObject({ accountId: "b", version: 1 });
  expect(theirs.template.id).not.toBe(mine.template.id);
});

it("updates the template of the given id, whatever the folder is called", async () => {
  const { pushed } = world();
  const { template } = await pushed();

  const result = await pushed({ id: template.id, folder: "elsewhere", content: changedPage });

  expect(result.template).toMatchObject({ id: template.id, version: 2 });
});

it("finds no template for an unknown id", async () => {
  const { state, push } = world();

  const result = await push({ id: "nope" });

  expect(result).toEqual({ status: "not_found" });
  expect(state.templates.size).toBe(0);
});

it("neither finds nor changes another account's template", async () => {
  const { state, push, pushed } = world();
  const { template } = await pushed();

  const result = await push({ accountId: "b", id: template.id, content: changedPage });

  expect(result).toEqual({ status: "not_found" });
  expect(state.templates.get(template.id)?.template).toEqual(template);
});

it("reports that another push has overtaken this push", async () => {
  const { templates, push, pushed } = world();
  await pushed();
  templates.update = async () => false;

  const result = await push({ content: changedPage });

  expect(result).toEqual({ status: "overtaken" });
});

it("creates only one template when a new folder is pushed twice at the same time", async () => {
  const { state, push } = world();

  const results = await Promise.all([push(), push({ content: changedPage })]);

  expect(results.map(({ status }) => status).sort()).toEqual(["overtaken", "pushed"]);
  expect(state.templates.size).toBe(1);
});

it("creates no row when the content cannot be stored", async () => {
  const { state, templates, push } = world();
  templates.putContent = failing("R2 is down");

  await expect(push()).rejects.toThrow("R2 is down");

  expect(state.templates.size).toBe(0);
});
