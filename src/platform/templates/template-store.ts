// Reads and changes templates for the operator's commands: rows in D1, and each version's content in R2.
import { and, desc, eq, lt } from "drizzle-orm";
import type { Template } from "colophon-template-model/template";
import type { TemplateStore } from "../../ports/templates.ts";
import type { D1Client, Database } from "../d1/d1-client.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { putContent, readContent, removeContents } from "./template-contents.ts";
import { fromRow, fromVersionRow, newestFirst, toRow } from "./template-rows.ts";

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
      const rows = await d1.run((db) => {
        const listed = db.select().from(templates).where(mine);
        return listed.orderBy(...newestFirst).all();
      });
      return rows.map((row) => ({ ...fromRow(row), folder: row.folder }));
    },
    async listVersions(id) {
      const rows = await d1.run((db) => {
        const versions = db.select().from(templateVersions).where(eq(templateVersions.templateId, id));
        return versions.orderBy(desc(templateVersions.version)).all();
      });
      return rows.map(fromVersionRow);
    },
    content: (template) => readContent(bucket, template),
    putContent: (template, content) => putContent(bucket, template, content),
    insert: (template, folder) => d1.run((db) => insertTemplate(db, template, folder)),
    update: (template) => d1.run((db) => updateTemplate(db, template)),
    async remove(id) {
      const row = await d1.run((db) => db.select().from(templates).where(eq(templates.id, id)).get());
      if (!row) return false;
      await d1.run((db) =>
        db.batch([
          db.delete(templates).where(eq(templates.id, id)),
          db.delete(templateVersions).where(eq(templateVersions.templateId, id)),
        ]),
      );
      await removeContents(bucket, row);
      return true;
    },
  };
}

/**
 * Inserts the template. Returns false when the account already has a different template for this folder. A retry that
 * finds the row of its first try returns true.
 */
async function insertTemplate(db: Database, template: Template, folder: string): Promise<boolean> {
  const row = { ...toRow(template), folder };
  const [, , stored] = await db.batch([
    db.insert(templates).values(row).onConflictDoNothing(),
    insertVersion(db, template.id),
    db.select({ hash: templates.contentHash }).from(templates).where(eq(templates.id, template.id)),
  ]);
  return stored.length > 0;
}

/**
 * Updates the template. Returns false when another push has stored different content first. A retry that finds its own
 * content returns true.
 */
async function updateTemplate(db: Database, template: Template): Promise<boolean> {
  const older = and(eq(templates.id, template.id), lt(templates.version, template.version));
  const [, , stored] = await db.batch([
    db.update(templates).set(toRow(template)).where(older),
    insertVersion(db, template.id),
    db.select({ hash: templates.contentHash }).from(templates).where(eq(templates.id, template.id)),
  ]);
  return stored[0]?.hash === template.contentHash;
}

/** Returns the statement that inserts a row for the template's current version, unless there is one. */
function insertVersion(db: Database, templateId: string) {
  const { id, version, accountId, contentHash, manifest, pagesCount, updatedAt } = templates;
  const newest = db
    .select({ templateId: id, version, accountId, contentHash, createdAt: updatedAt, manifest, pagesCount })
    .from(templates)
    .where(eq(id, templateId));
  return db.insert(templateVersions).select(newest).onConflictDoNothing();
}
