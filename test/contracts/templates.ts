// Tests of a TemplateStore and of the TemplateCatalog that reads the same templates. They run against the adapters for D1 and
// R2, and against the fakes. No test reads a template from the catalog both before and after a change, because a catalog may
// return data that is up to ten seconds old.
import { describe, expect, it } from "vitest";
import type { Position } from "../../src/core/pagination.ts";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { TemplateCatalog, TemplateStore } from "../../src/ports/templates.ts";
import { templateContent } from "../fixtures/tenant.ts";

export type TemplatesUnderTest = {
  store: TemplateStore;
  catalog: TemplateCatalog;
  newAccountId(): Promise<string>;
};

const everything = { limit: 100, offset: 0 };

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

export function templatesContract(name: string, make: () => TemplatesUnderTest): void {
  describe(`${name} as a TemplateStore and a TemplateCatalog`, () => {
    const insert = async (
      { store, newAccountId }: TemplatesUnderTest,
      { folder = "folder", content = templateContent({}), ...rest }: InsertOptions = {},
    ) => {
      const template = newTemplate({ accountId: rest.accountId ?? (await newAccountId()), ...rest });
      await store.putContent(template, content);
      expect(await store.insert(template, folder)).toBe(true);
      return template;
    };

    it("finds an inserted template by id, by folder and in the lists", async () => {
      const templates = make();
      const template = await insert(templates);
      const { id, accountId } = template;

      expect(await templates.store.findById(id)).toEqual(template);
      expect(await templates.store.findByFolder(accountId, "folder")).toEqual(template);
      expect(await templates.store.listAll(accountId)).toEqual([{ ...template, folder: "folder" }]);
      expect(await templates.catalog.find(accountId, id)).toEqual(template);
      expect(await templates.catalog.list(accountId, everything)).toEqual({
        templates: [template],
        more: null,
        total: 1,
      });
    });

    it("finds nothing for another account, another folder or another id", async () => {
      const templates = make();
      const { id, accountId } = await insert(templates);
      const other = crypto.randomUUID();

      expect(await templates.store.findById(other)).toBeNull();
      expect(await templates.store.findByFolder(accountId, "other")).toBeNull();
      expect(await templates.store.findByFolder(other, "folder")).toBeNull();
      expect(await templates.store.listAll(other)).toEqual([]);
      expect(await templates.catalog.find(other, id)).toBeNull();
      expect(await templates.catalog.list(other, everything)).toEqual({ templates: [], more: null, total: 0 });
    });

    it("returns the content of the newest version and of an earlier one", async () => {
      const templates = make();
      const first = await insert(templates, { content: templateContent({ page: "first" }) });
      const second = { ...first, version: 2, contentHash: "2".repeat(64) };
      await templates.store.putContent(second, templateContent({ page: "second" }));
      await templates.store.update(second);

      expect(await templates.store.content(first)).toEqual(templateContent({ page: "first" }));
      expect(await templates.store.content(second)).toEqual(templateContent({ page: "second" }));
    });

    it("inserts only one template per folder", async () => {
      const templates = make();
      const first = await insert(templates);
      const second = newTemplate({ accountId: first.accountId });
      await templates.store.putContent(second, templateContent({}));

      expect(await templates.store.insert(second, "folder")).toBe(false);

      expect(await templates.store.findByFolder(first.accountId, "folder")).toEqual(first);
    });

    it("reports success when the same insert is repeated", async () => {
      const templates = make();
      const template = await insert(templates);

      expect(await templates.store.insert(template, "folder")).toBe(true);
    });

    it("lists templates newest first, then by descending id, in pages with the total", async () => {
      const templates = make();
      const accountId = await templates.newAccountId();
      const made: Template[] = [];
      for (const [index, createdAt] of [1, 2, 2, 3].entries())
        made.push(await insert(templates, { accountId, createdAt, folder: `${index}` }));
      const newestFirst = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));

      const ids = (await templates.store.listAll(accountId)).map(({ id }) => id);
      expect(ids).toEqual(newestFirst.map(({ id }) => id));
      expect(await templates.catalog.list(accountId, everything)).toEqual({
        templates: newestFirst,
        more: null,
        total: 4,
      });
      expect(await templates.catalog.list(accountId, { limit: 2, offset: 1 })).toEqual({
        templates: newestFirst.slice(1, 3),
        more: positionOf(newestFirst[2]),
        total: 4,
      });
    });

    it("continues the list after a position", async () => {
      const templates = make();
      const accountId = await templates.newAccountId();
      const made: Template[] = [];
      for (const [index, createdAt] of [1, 2, 2, 2, 3].entries())
        made.push(await insert(templates, { accountId, createdAt, folder: `${index}` }));
      const all = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      const after = (limit: number) =>
        templates.catalog.list(accountId, { limit, offset: 0, cursor: positionOf(all[2]) });

      expect(await after(2)).toEqual({ templates: all.slice(3), more: null, total: 5 });
      expect(await after(1)).toEqual({ templates: [all[3]], more: positionOf(all[3]), total: 5 });
    });

    it("reports success when the same update to a newer version is repeated", async () => {
      const templates = make();
      const template = await insert(templates);
      const newer = { ...template, version: 2, contentHash: "2".repeat(64) };
      await templates.store.putContent(newer, templateContent({ page: "new" }));

      expect(await templates.store.update(newer)).toBe(true);
      expect(await templates.store.update(newer)).toBe(true);

      expect(await templates.store.findById(template.id)).toEqual(newer);
      expect(await templates.store.findByFolder(template.accountId, "folder")).toEqual(newer);
    });

    it("refuses to overwrite a version that is already stored and to update an unknown template", async () => {
      const templates = make();
      const template = await insert(templates);
      const late = { ...template, contentHash: "2".repeat(64) };
      await templates.store.putContent(late, templateContent({ page: "late" }));

      expect(await templates.store.update(late)).toBe(false);
      expect(await templates.store.update(newTemplate())).toBe(false);

      expect(await templates.store.findById(template.id)).toEqual(template);
    });

    it("keeps the content of every version", async () => {
      const templates = make();
      const [before, after] = [templateContent({ page: "before" }), templateContent({ page: "after" })];
      const template = await insert(templates, { content: before });
      const newer = { ...template, version: 2, contentHash: "2".repeat(64) };
      await templates.store.putContent(newer, after);
      await templates.store.update(newer);

      expect(await templates.catalog.content(template)).toEqual(before);
      expect(await templates.catalog.content(newer)).toEqual(after);
    });

    it("finds every version with its own manifest", async () => {
      const templates = make();
      const before = templateContent({ content: { manifest: { ...templateContent({}).manifest, title: "Before" } } });
      const template = await insert(templates, { content: before, manifest: before.manifest });
      const after = templateContent({ page: ["one", "two"] });
      const { id, accountId } = template;
      const newer = { ...template, version: 2, contentHash: "2".repeat(64), manifest: after.manifest, pagesCount: 2 };
      await templates.store.putContent(newer, after);
      await templates.store.update(newer);

      const found = [
        await templates.catalog.findVersion(accountId, id, 1),
        await templates.catalog.findVersion(accountId, id, 2),
      ];

      expect(found).toMatchObject([
        { id, accountId, version: 1, contentHash: template.contentHash, manifest: before.manifest, pagesCount: 1 },
        { id, accountId, version: 2, contentHash: newer.contentHash, manifest: after.manifest, pagesCount: 2 },
      ]);
      expect(await templates.catalog.findVersion(accountId, id, 3)).toBeNull();
      expect(await templates.catalog.findVersion(crypto.randomUUID(), id, 1)).toBeNull();
      expect(await templates.catalog.findVersion(accountId, crypto.randomUUID(), 1)).toBeNull();
    });

    it("lists every version of a template, newest first", async () => {
      const templates = make();
      const template = await insert(templates);
      await insert(templates, { accountId: template.accountId, folder: "other" });
      const newer = { ...template, version: 2, contentHash: "2".repeat(64), updatedAt: 5 };
      await templates.store.putContent(newer, templateContent({ page: "new" }));
      await templates.store.update(newer);

      const versions = await templates.store.listVersions(template.id);

      expect(versions.map(({ version, contentHash }) => [version, contentHash])).toEqual([
        [2, newer.contentHash],
        [1, template.contentHash],
      ]);
      expect(await templates.store.listVersions(crypto.randomUUID())).toEqual([]);
    });

    it("compiles a version", async () => {
      const templates = make();

      expect(await templates.catalog.compiled(await insert(templates))).toHaveProperty("sizeBytes");
    });

    it("throws for a version that does not compile", async () => {
      const templates = make();
      const broken = await insert(templates, { content: templateContent({ page: "{% if %}" }) });

      await expect(templates.catalog.compiled(broken)).rejects.toThrow();
    });

    it("knows how much memory a version takes at most before it is loaded", async () => {
      const templates = make();
      const template = await insert(templates);

      const sizeBytes = await templates.catalog.sizeBytes(template);

      expect(sizeBytes).toBeGreaterThanOrEqual((await templates.catalog.compiled(template)).sizeBytes);
    });

    it("returns false for a second removal of a template with its content", async () => {
      const templates = make();
      const template = await insert(templates);

      expect(await templates.store.remove(template.id)).toBe(true);
      expect(await templates.store.remove(template.id)).toBe(false);

      expect(await templates.store.findById(template.id)).toBeNull();
      expect(await templates.catalog.find(template.accountId, template.id)).toBeNull();
      await expect(templates.catalog.content(template)).rejects.toThrow();
    });
  });
}

function positionOf(template: Template | undefined): Position {
  return { createdAt: template?.createdAt ?? 0, id: template?.id ?? "" };
}

type InsertOptions = Partial<Template> & { folder?: string; content?: TemplateContent };
