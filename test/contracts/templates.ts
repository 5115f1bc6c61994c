// Tests of a TemplateStore and of the TemplateCatalog that reads the same templates. They run against the adapters for D1 and
// R2, and against the fakes. No test reads a template from the catalog both before and after a change, because a catalog may
// return data that is up to ten seconds old.
import { describe, expect, it } from "vitest";
import type { Position } from "../../src/core/pagination.ts";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { TemplateCatalog, TemplateStore } from "../../src/ports/templates.ts";
import { audit, everything } from "../fixtures/audit.ts";
import { templateContent } from "../fixtures/tenant.ts";

export type TemplatesUnderTest = {
  store: TemplateStore;
  catalog: TemplateCatalog;
  newAccountId(): Promise<string>;
};

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
      await store.putContent(template, content, null);
      expect(await store.insert(template, folder, audit(template.accountId))).toBe(true);
      return template;
    };

    it("finds an inserted template by id, by folder and in the lists", async () => {
      const templates = make();
      const template = await insert(templates);
      const { id, accountId } = template;
      const named = { ...template, folder: "folder" };

      expect(await templates.store.find(accountId, id)).toEqual(named);
      expect(await templates.store.find(accountId, "folder")).toEqual(named);
      expect(await templates.store.list(accountId, everything)).toEqual({ items: [named], more: null, total: 1 });
      expect(await templates.catalog.find(accountId, id)).toEqual(template);
      expect(await templates.catalog.find(accountId, "folder")).toEqual(template);
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

      expect(await templates.store.find(accountId, other)).toBeNull();
      expect(await templates.store.find(other, id)).toBeNull();
      expect(await templates.store.find(accountId, "other")).toBeNull();
      expect(await templates.store.find(other, "folder")).toBeNull();
      expect(await templates.store.list(other, everything)).toEqual({ items: [], more: null, total: 0 });
      expect(await templates.catalog.find(other, id)).toBeNull();
      expect(await templates.catalog.find(other, "folder")).toBeNull();
      expect(await templates.catalog.list(other, everything)).toEqual({ templates: [], more: null, total: 0 });
    });

    it("returns the content of the newest version and of an earlier one", async () => {
      const templates = make();
      const first = await insert(templates, { content: templateContent({ page: "first" }) });
      const second = { ...first, version: 2, contentHash: "2".repeat(64) };
      await templates.store.putContent(second, templateContent({ page: "second" }), null);
      await templates.store.update(second, audit(second.accountId));

      expect(await templates.store.content(first)).toEqual(templateContent({ page: "first" }));
      expect(await templates.store.content(second)).toEqual(templateContent({ page: "second" }));
    });

    it("inserts only one template per folder", async () => {
      const templates = make();
      const first = await insert(templates);
      const second = newTemplate({ accountId: first.accountId });
      await templates.store.putContent(second, templateContent({}), null);

      expect(await templates.store.insert(second, "folder", audit(second.accountId))).toBe(false);

      expect(await templates.store.find(first.accountId, "folder")).toEqual({ ...first, folder: "folder" });
    });

    it("reports success when the same insert is repeated", async () => {
      const templates = make();
      const template = await insert(templates);

      expect(await templates.store.insert(template, "folder", audit(template.accountId))).toBe(true);
    });

    it("lists templates newest first, then by descending id, in pages with the total", async () => {
      const templates = make();
      const accountId = await templates.newAccountId();
      const made: Template[] = [];
      for (const [index, createdAt] of [1, 2, 2, 3].entries())
        made.push(await insert(templates, { accountId, createdAt, folder: `${index}` }));
      const newestFirst = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));

      const { items } = await templates.store.list(accountId, everything);
      expect(items.map(({ id }) => id)).toEqual(newestFirst.map(({ id }) => id));
      expect(await templates.store.list(accountId, { limit: 2, offset: 1 })).toMatchObject({
        items: newestFirst.slice(1, 3),
        more: positionOf(newestFirst[2]),
        total: 4,
      });
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
      await templates.store.putContent(newer, templateContent({ page: "new" }), null);

      expect(await templates.store.update(newer, audit(newer.accountId))).toBe(true);
      expect(await templates.store.update(newer, audit(newer.accountId))).toBe(true);

      const named = { ...newer, folder: "folder" };
      expect(await templates.store.find(template.accountId, template.id)).toEqual(named);
      expect(await templates.store.find(template.accountId, "folder")).toEqual(named);
    });

    it("refuses to overwrite a version that is already stored and to update an unknown template", async () => {
      const templates = make();
      const template = await insert(templates);
      const late = { ...template, contentHash: "2".repeat(64) };
      await templates.store.putContent(late, templateContent({ page: "late" }), null);

      expect(await templates.store.update(late, audit(late.accountId))).toBe(false);
      expect(await templates.store.update(newTemplate(), audit(template.accountId))).toBe(false);

      expect(await templates.store.find(template.accountId, template.id)).toEqual({ ...template, folder: "folder" });
    });

    it("keeps the content of every version", async () => {
      const templates = make();
      const [before, after] = [templateContent({ page: "before" }), templateContent({ page: "after" })];
      const template = await insert(templates, { content: before });
      const newer = { ...template, version: 2, contentHash: "2".repeat(64) };
      await templates.store.putContent(newer, after, null);
      await templates.store.update(newer, audit(newer.accountId));

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
      await templates.store.putContent(newer, after, null);
      await templates.store.update(newer, audit(newer.accountId));

      const found = [
        await templates.catalog.findVersion(accountId, id, 1),
        await templates.catalog.findVersion(accountId, id, 2),
      ];

      expect(found).toMatchObject([
        { id, accountId, version: 1, contentHash: template.contentHash, manifest: before.manifest, pagesCount: 1 },
        { id, accountId, version: 2, contentHash: newer.contentHash, manifest: after.manifest, pagesCount: 2 },
      ]);
      for (const version of [1, 2])
        expect(await templates.store.findVersion(accountId, id, version)).toEqual(found[version - 1]);
      for (const port of [templates.catalog, templates.store]) {
        expect(await port.findVersion(accountId, id, 3)).toBeNull();
        expect(await port.findVersion(crypto.randomUUID(), id, 1)).toBeNull();
        expect(await port.findVersion(accountId, crypto.randomUUID(), 1)).toBeNull();
      }
    });

    it("lists every version of a template, newest first", async () => {
      const templates = make();
      const template = await insert(templates);
      await insert(templates, { accountId: template.accountId, folder: "other" });
      const newer = { ...template, version: 2, contentHash: "2".repeat(64), updatedAt: 5 };
      await templates.store.putContent(newer, templateContent({ page: "new" }), null);
      await templates.store.update(newer, audit(newer.accountId));

      const { id, accountId } = template;
      const versions = await templates.store.listVersions(accountId, id, everything);

      expect(versions.items.map(({ version, contentHash }) => [version, contentHash])).toEqual([
        [2, newer.contentHash],
        [1, template.contentHash],
      ]);
      expect(versions).toMatchObject({ more: null, total: 2 });
      const none = { items: [], more: null, total: 0 };
      expect(await templates.store.listVersions(accountId, crypto.randomUUID(), everything)).toEqual(none);
      expect(await templates.store.listVersions(crypto.randomUUID(), id, everything)).toEqual(none);
    });

    it("continues the list of versions after a position", async () => {
      const templates = make();
      const template = await insert(templates);
      const newer = { ...template, version: 2, contentHash: "2".repeat(64) };
      await templates.store.putContent(newer, templateContent({ page: "new" }), null);
      await templates.store.update(newer, audit(newer.accountId));
      const { id, accountId } = template;

      const first = await templates.store.listVersions(accountId, id, { limit: 1, offset: 0 });
      const cursor = first.more ?? expect.unreachable();
      const rest = await templates.store.listVersions(accountId, id, { limit: 1, offset: 0, cursor });

      expect([first, rest]).toMatchObject([
        { items: [{ version: 2 }], total: 2 },
        { items: [{ version: 1 }], more: null, total: 2 },
      ]);
    });

    it("returns the zip of a version that was pushed as one", async () => {
      const templates = make();
      const template = await insert(templates);
      const newer = { ...template, version: 2, contentHash: "2".repeat(64) };
      const zip = Uint8Array.of(1, 2, 3);
      await templates.store.putContent(newer, templateContent({ page: "new" }), { zip: [zip], digest: "d" });

      const files = await templates.store.files(newer);

      expect(await new Response(files).bytes()).toEqual(zip);
      expect(await templates.store.files(template)).toBeNull();
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

    it("removes a template with its content, and changes nothing when that is repeated", async () => {
      const templates = make();
      const template = await insert(templates);

      for (let i = 0; i < 2; i++) await templates.store.remove(template, audit(template.accountId));

      expect(await templates.store.find(template.accountId, template.id)).toBeNull();
      expect(await templates.catalog.find(template.accountId, template.id)).toBeNull();
      await expect(templates.catalog.content(template)).rejects.toThrow();
    });
  });
}

function positionOf(template: Template | undefined): Position {
  return { createdAt: template?.createdAt ?? 0, id: template?.id ?? "" };
}

type InsertOptions = Partial<Template> & { folder?: string; content?: TemplateContent };
