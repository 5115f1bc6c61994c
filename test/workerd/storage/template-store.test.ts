// Templates in D1 and R2, and the catalog that reads them. No test reads a template from the catalog both before and after a change,
// because the catalog may return data up to ten seconds old.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Template, TemplateContent } from "colophon-template-model/template";
import { templateContent } from "colophon-test-kit/template-content";
import type { Position } from "../../../src/core/pagination.ts";
import { createAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { audit, everything } from "../../fixtures/audit.ts";

const { templates: catalog } = requestServices(env, () => {});
const operator = operatorServices(env);
const { templates: store } = operator;
const newAccountId = async () => (await createAccount(operator, { name: "Test", plan: "pro" })).id;

function newTemplate(rest: Partial<Template> = {}): Template {
  return {
    id: crypto.randomUUID(),
    accountId: crypto.randomUUID(),
    version: 1,
    contentHash: "1".repeat(64),
    manifest: templateContent({}).manifest,
    pagesCount: 1,
    createdAt: 1,
    updatedAt: 1,
    ...rest,
  };
}

const insert = async ({ folder = "folder", content = templateContent({}), ...rest }: InsertOptions = {}) => {
  const template = newTemplate({ accountId: rest.accountId ?? (await newAccountId()), ...rest });
  await store.putContent(template, content, null);
  expect(await store.insert(template, folder, audit(template.accountId))).toBe(true);
  return template;
};

/** Stores the second version of a template. */
const update = async (template: Template, content = templateContent({ page: "new" }), rest: Partial<Template> = {}) => {
  const newer = { ...template, version: 2, contentHash: "2".repeat(64), ...rest };
  await store.putContent(newer, content, null);
  expect(await store.update(newer, audit(newer.accountId))).toBe(true);
  return newer;
};

it("the template store finds an inserted template by id, by folder and in the lists", async () => {
  const template = await insert();
  const { id, accountId } = template;
  const found = { ...template, folder: "folder" };

  for (const port of [store, catalog]) {
    for (const name of [id, "folder"]) expect(await port.find(accountId, name)).toEqual(found);
    expect(await port.list(accountId, everything)).toEqual({ items: [found], more: null, total: 1 });
  }
});

it("the template store lists templates in pages with the total, from newest to oldest and then by descending id", async () => {
  const accountId = await newAccountId();
  const made: Template[] = [];
  for (const [index, createdAt] of [1, 2, 2, 3].entries())
    made.push(await insert({ accountId, createdAt, folder: `${index}` }));
  const newestFirst = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));

  const some = { items: newestFirst.slice(1, 3), more: positionOf(newestFirst[2]), total: 4 };
  for (const port of [store, catalog]) {
    expect(await port.list(accountId, everything)).toMatchObject({ items: newestFirst, more: null, total: 4 });
    expect(await port.list(accountId, { limit: 2, offset: 1 })).toMatchObject(some);
  }
});

it("the template store continues the list after a position", async () => {
  const accountId = await newAccountId();
  const made: Template[] = [];
  for (const [index, createdAt] of [1, 2, 2, 2, 3].entries())
    made.push(await insert({ accountId, createdAt, folder: `${index}` }));
  const all = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const after = (limit: number) => catalog.list(accountId, { limit, offset: 0, cursor: positionOf(all[2]) });

  expect(await after(2)).toMatchObject({ items: all.slice(3), more: null, total: 5 });
  expect(await after(1)).toMatchObject({ items: [all[3]], more: positionOf(all[3]), total: 5 });
});

it("the template store refuses to overwrite a stored version and to update an unknown template", async () => {
  const template = await insert();
  const late = { ...template, contentHash: "2".repeat(64) };
  await store.putContent(late, templateContent({ page: "late" }), null);

  expect(await store.update(late, audit(late.accountId))).toBe(false);
  expect(await store.update(newTemplate(), audit(template.accountId))).toBe(false);

  expect(await store.find(template.accountId, template.id)).toEqual({ ...template, folder: "folder" });
});

it("the template store finds every version with its own manifest", async () => {
  const before = templateContent({ content: { manifest: { ...templateContent({}).manifest, title: "Before" } } });
  const template = await insert({ content: before, manifest: before.manifest });
  const after = templateContent({ page: ["one", "two"] });
  const { id, accountId } = template;
  const newer = await update(template, after, { manifest: after.manifest, pagesCount: 2 });

  const found = [await catalog.findVersion(accountId, id, 1), await catalog.findVersion(accountId, id, 2)];

  expect(found).toMatchObject([
    { id, accountId, version: 1, contentHash: template.contentHash, manifest: before.manifest, pagesCount: 1 },
    { id, accountId, version: 2, contentHash: newer.contentHash, manifest: after.manifest, pagesCount: 2 },
  ]);
  for (const version of [1, 2]) expect(await store.findVersion(accountId, id, version)).toEqual(found[version - 1]);
  for (const port of [catalog, store]) {
    expect(await port.findVersion(accountId, id, 3)).toBeNull();
    expect(await port.findVersion(crypto.randomUUID(), id, 1)).toBeNull();
    expect(await port.findVersion(accountId, crypto.randomUUID(), 1)).toBeNull();
  }
});

it("the template store returns the zip of a version that was pushed as a zip", async () => {
  const template = await insert();
  const newer = { ...template, version: 2, contentHash: "2".repeat(64) };
  const zip = Uint8Array.of(1, 2, 3);
  await store.putContent(newer, templateContent({ page: "new" }), { zip: [zip], digest: "d" });

  const files = await store.files(newer);

  expect(await new Response(files).bytes()).toEqual(zip);
  expect(await store.files(template)).toBeNull();
});

it("the template catalog throws for a version that does not compile", async () => {
  const broken = await insert({ content: templateContent({ page: "{% if %}" }) });

  await expect(catalog.compiled(broken)).rejects.toThrow();
});

it("the template catalog states the maximum memory of a version before the version is loaded", async () => {
  const template = await insert();

  const sizeBytes = await catalog.sizeBytes(template);

  expect(sizeBytes).toBeGreaterThanOrEqual((await catalog.compiled(template)).sizeBytes);
});

type InsertOptions = Partial<Template> & { folder?: string; content?: TemplateContent };

function positionOf(template: Template | undefined): Position {
  return { createdAt: template?.createdAt ?? 0, id: template?.id ?? "" };
}
