// Reads and changes templates: rows in D1, and each version's content in R2.
import { and, count, desc, eq, lt, sql } from "drizzle-orm";
import type { Template, TemplateManifest } from "colophon-template-model/template";
import { parseUuid } from "../../core/uuid.ts";
import type { AuditEvent } from "../../ports/accounts.ts";
import type { NamedTemplate, TemplateStore } from "../../ports/templates.ts";
import { recordAudit } from "../d1/audit-log.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { readPage } from "../d1/read-page.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { putContent, putFiles, readContent, readFiles, removeContents } from "./template-contents.ts";

export function templateStore(d1: D1Client, bucket: R2Bucket): TemplateStore {
  return {
    async find(accountId, id) {
      const row = await d1.run((db) => db.select().from(templates).where(isTemplate(accountId, id)).get());
      return row ? fromRow(row) : null;
    },
    async list(accountId, page) {
      const { items, ...listed } = await readPage(d1, templates, eq(templates.accountId, accountId), page);
      return { ...listed, items: items.map(fromRow) };
    },
    async listVersions(accountId, id, page) {
      const ofTemplate = isVersion(accountId, id);
      const [rows, totals] = await d1.run((db) => {
        const after = page.cursor && lt(templateVersions.version, page.cursor.createdAt);
        const listed = db.select().from(templateVersions).where(and(ofTemplate, after));
        const counted = db.select({ total: count() }).from(templateVersions).where(ofTemplate);
        const sorted = listed.orderBy(desc(templateVersions.version));
        return db.batch([sorted.limit(page.limit + 1).offset(page.offset), counted]);
      });
      const items = rows.slice(0, page.limit).map(fromVersionRow);
      const last = items.at(-1);
      const more = last && rows.length > page.limit ? { createdAt: last.version, id: "version" } : null;
      return { items, more, total: totals[0]?.total ?? 0 };
    },
    async findVersion(accountId, id, version) {
      const isWanted = and(isVersion(accountId, id), eq(templateVersions.version, version));
      const row = await d1.run((db) => db.select().from(templateVersions).where(isWanted).get());
      return row ? fromVersionRow(row) : null;
    },
    content: (template) => readContent(bucket, template),
    files: (template) => readFiles(bucket, template),
    async putContent(template, content, upload) {
      if (upload) await putFiles(bucket, template, upload.zip);
      await putContent(bucket, template, content);
    },
    insert: (template, folder, audit) => d1.run((db) => insertTemplate(db, template, folder, audit)),
    update: (template, audit) => d1.run((db) => updateTemplate(db, template, audit)),
    async remove(template, audit) {
      await d1.run((db) =>
        db.batch([
          db.delete(templates).where(eq(templates.id, template.id)),
          db.delete(templateVersions).where(eq(templateVersions.templateId, template.id)),
          ...recordAudit(db, audit),
        ]),
      );
      await removeContents(bucket, template);
    },
  };
}

/** Returns the condition for the account's template with this id, or with a folder of this name. */
function isTemplate(accountId: string, id: string) {
  const uuid = parseUuid(id);
  const named = uuid === null ? eq(templates.folder, id) : eq(templates.id, uuid);
  return and(eq(templates.accountId, accountId), named);
}

function isVersion(accountId: string, id: string) {
  return and(eq(templateVersions.accountId, accountId), eq(templateVersions.templateId, id));
}

/**
 * Inserts the template. Returns false when the account already has a different template for this folder. A retry that
 * finds the row of its first try returns true.
 */
async function insertTemplate(db: Database, template: Template, folder: string, audit: AuditEvent): Promise<boolean> {
  const row = { ...toRow(template), folder };
  const [, , stored] = await db.batch([
    db.insert(templates).values(row).onConflictDoNothing(),
    insertVersion(db, template.id),
    db.select({ hash: templates.contentHash }).from(templates).where(eq(templates.id, template.id)),
    ...recordAudit(db, audit, isStored(template)),
  ]);
  return stored.length > 0;
}

/**
 * Updates the template. Returns false when a concurrent push has stored different content first. A retry that finds its
 * own content returns true.
 */
async function updateTemplate(db: Database, template: Template, audit: AuditEvent): Promise<boolean> {
  const older = and(eq(templates.id, template.id), lt(templates.version, template.version));
  const [, , stored] = await db.batch([
    db.update(templates).set(toRow(template)).where(older),
    insertVersion(db, template.id),
    db.select({ hash: templates.contentHash }).from(templates).where(eq(templates.id, template.id)),
    ...recordAudit(db, audit, isStored(template)),
  ]);
  return stored[0]?.hash === template.contentHash;
}

/** Returns the condition that this version is the newest. */
function isStored({ id, version, contentHash }: Template) {
  return sql`EXISTS (SELECT 1 FROM ${templates} WHERE id = ${id} AND version = ${version} AND content_hash = ${contentHash})`;
}

/** Returns the statement that inserts a row for the template's current version, unless it exists. */
function insertVersion(db: Database, templateId: string) {
  const { id, version, accountId, contentHash, manifest, pagesCount, updatedAt } = templates;
  const newest = db
    .select({ templateId: id, version, accountId, contentHash, createdAt: updatedAt, manifest, pagesCount })
    .from(templates)
    .where(eq(id, templateId));
  return db.insert(templateVersions).select(newest).onConflictDoNothing();
}

type Row = typeof templates.$inferSelect;

/** Returns all columns except the folder name, which only the first push sets. */
function toRow({ manifest, ...columns }: Template): Omit<Row, "folder"> {
  return { ...columns, manifest: JSON.stringify(manifest) };
}

function fromRow({ manifest, ...columns }: Row): NamedTemplate {
  return { ...columns, manifest: JSON.parse(manifest) as TemplateManifest };
}

/** Returns the template as it was in this version. */
function fromVersionRow({ templateId, manifest, ...columns }: typeof templateVersions.$inferSelect): Template {
  return {
    ...columns,
    id: templateId,
    manifest: JSON.parse(manifest) as TemplateManifest,
    updatedAt: columns.createdAt,
  };
}
