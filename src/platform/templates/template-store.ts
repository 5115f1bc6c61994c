// Templates: rows in D1, the content of each version as one JSON object in R2, which is private and never changes.
import { and, count, desc, eq, lt } from "drizzle-orm";
import { compileTemplate, type CompiledTemplate } from "../../core/templates/compile-template.ts";
import type { Template, TemplateContent, TemplateManifest } from "../../core/templates/template.ts";
import type { TemplateCatalog, TemplateStore } from "../../ports.ts";
import { agedCache } from "../aged-cache.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { withDeadline } from "../deadline.ts";
import { templates, templateVersions } from "../d1/schema.ts";

type Row = typeof templates.$inferSelect;

const contentTimeoutMs = 10_000;

// A push is in force within ten seconds; a warm isolate asks D1 once in five.
const newestVersions = agedCache<Template | null>({ maxEntries: 1_000, maxAgeMs: 5_000 });
// Versions never change; the bound is for memory, of which an isolate has 128 MB for everything.
const compiledVersions = agedCache<CompiledTemplate>({
  maxEntries: 200,
  maxAgeMs: 3_600_000,
  weight: { max: 40_000_000, of: ({ sizeBytes }) => sizeBytes },
});

export function templateCatalog(d1: D1Client, bucket: R2Bucket): TemplateCatalog {
  const content = (template: Template) => readContent(bucket, template);
  return {
    find: (accountId, id) =>
      newestVersions.get(`${accountId} ${id}`, async () => {
        const mine = and(eq(templates.accountId, accountId), eq(templates.id, id));
        const row = await d1.run((db) => db.select().from(templates).where(mine).get());
        return row ? fromRow(row) : null;
      }),
    async list(accountId, { limit, offset }) {
      const mine = eq(templates.accountId, accountId);
      const [rows, totals] = await d1.run((db) =>
        db.batch([
          db
            .select()
            .from(templates)
            .where(mine)
            .orderBy(...newestFirst)
            .limit(limit)
            .offset(offset),
          db.select({ total: count() }).from(templates).where(mine),
        ]),
      );
      return { templates: rows.map(fromRow), total: totals[0]?.total ?? 0 };
    },
    content,
    compiled: (template) =>
      compiledVersions.get(contentKey(template), async () => {
        const result = compileTemplate(await content(template));
        if (result.status === "compiled") return result.template;
        throw new Error(`template ${template.id} version ${template.version} does not compile`);
      }),
  };
}

export function templateStore(d1: D1Client, bucket: R2Bucket): TemplateStore {
  return {
    async findById(id) {
      const row = await d1.run((db) => db.select().from(templates).where(eq(templates.id, id)).get());
      return row ? fromRow(row) : null;
    },
    async findByFolder(accountId, folder) {
      const named = and(eq(templates.accountId, accountId), eq(templates.folder, folder));
      const row = await d1.run((db) => db.select().from(templates).where(named).get());
      return row ? fromRow(row) : null;
    },
    async listAll(accountId) {
      const mine = eq(templates.accountId, accountId);
      const rows = await d1.run((db) =>
        db
          .select()
          .from(templates)
          .where(mine)
          .orderBy(...newestFirst)
          .all(),
      );
      return rows.map(fromRow);
    },
    async putContent(template, content) {
      await withDeadline("R2 put", contentTimeoutMs, bucket.put(contentKey(template), JSON.stringify(content)));
    },
    async insert(template, folder) {
      const [, , stored] = await d1.run((db) =>
        db.batch([
          db
            .insert(templates)
            .values({ ...toRow(template), folder })
            .onConflictDoNothing(),
          insertVersion(db, template.id),
          db.select({ hash: templates.contentHash }).from(templates).where(eq(templates.id, template.id)),
        ]),
      );
      return stored.length > 0;
    },
    async update(template) {
      const { folder: _, ...row } = toRow(template);
      const older = and(eq(templates.id, template.id), lt(templates.version, template.version));
      const [, , stored] = await d1.run((db) =>
        db.batch([
          db.update(templates).set(row).where(older),
          insertVersion(db, template.id),
          db.select({ hash: templates.contentHash }).from(templates).where(eq(templates.id, template.id)),
        ]),
      );
      return stored[0]?.hash === template.contentHash;
    },
    async remove(id) {
      const row = await d1.run((db) => db.select().from(templates).where(eq(templates.id, id)).get());
      if (!row) return false;
      await d1.run((db) =>
        db.batch([
          db.delete(templates).where(eq(templates.id, id)),
          db.delete(templateVersions).where(eq(templateVersions.templateId, id)),
        ]),
      );
      await removeContents(bucket, `${row.accountId}/${id}/`);
      return true;
    },
  };
}

const newestFirst = [desc(templates.createdAt), desc(templates.id)];

async function readContent(bucket: R2Bucket, template: Template): Promise<TemplateContent> {
  const key = contentKey(template);
  const object = await withDeadline("R2 get", contentTimeoutMs, bucket.get(key));
  if (!object) throw new Error(`template content ${key} is missing`);
  return withDeadline("R2 get", contentTimeoutMs, object.json<TemplateContent>());
}

function contentKey({ accountId, id, contentHash }: Template): string {
  return `${accountId}/${id}/${contentHash}.json`;
}

function toRow(template: Template): Row {
  const { manifest, ...columns } = template;
  return { ...columns, folder: "", manifest: JSON.stringify(manifest) };
}

/** The version that the template's row names now; once. */
function insertVersion(db: Database, templateId: string) {
  const { id, version, accountId, contentHash, updatedAt } = templates;
  return db
    .insert(templateVersions)
    .select(
      db
        .select({ templateId: id, version, accountId, contentHash, createdAt: updatedAt })
        .from(templates)
        .where(eq(id, templateId)),
    )
    .onConflictDoNothing();
}

async function removeContents(bucket: R2Bucket, prefix: string): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const listed = await withDeadline(
      "R2 list",
      contentTimeoutMs,
      bucket.list({ prefix, ...(cursor ? { cursor } : {}) }),
    );
    const keys = listed.objects.map(({ key }) => key);
    if (keys.length > 0) await withDeadline("R2 delete", contentTimeoutMs, bucket.delete(keys));
    if (!listed.truncated) return;
    cursor = listed.cursor;
  }
}

function fromRow({ folder: _, manifest, ...columns }: Row): Template {
  return { ...columns, manifest: JSON.parse(manifest) as TemplateManifest };
}
