// Reads templates for API requests: rows from D1 and contents from R2. Each isolate caches existing templates by id,
// and their compiled versions.
import { CodedError } from "colophon-base/loggable-error";
import { and, count, eq, sql } from "drizzle-orm";
import { compileTemplate, type CompiledTemplate } from "colophon-template-model/compile-template";
import { cutPage, type Position } from "../../core/pagination.ts";
import type { Template } from "colophon-template-model/template";
import type { TemplateCatalog } from "../../ports/templates.ts";
import { agedCache } from "colophon-base/aged-cache";
import type { D1Client } from "../d1/d1-client.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { compiledVersions } from "./compiled-versions.ts";
import { contentKey, contentSize, readContent } from "./template-contents.ts";
import { fromRow, fromVersionRow, newestFirst } from "./template-rows.ts";

// docs/operations.md promises that a push takes effect within ten seconds.
const newestVersions = agedCache<Template | null>({ maxEntries: 1_000, maxAgeMs: 5_000 });
// A version never changes, so these bounds only limit memory: an isolate has 128 MB in total.
const pinnedVersions = agedCache<Template | null>({ maxEntries: 200, maxAgeMs: 3_600_000 });

/** A template's text, and what is read from it. */
const copiesWhileLoading = 2;

export function templateCatalog(d1: D1Client, bucket: R2Bucket): TemplateCatalog {
  return {
    find: (accountId, id) =>
      newestVersions.get(`${accountId} ${id}`, async () => {
        const mine = and(eq(templates.accountId, accountId), eq(templates.id, id));
        const row = await d1.run((db) => db.select().from(templates).where(mine).get());
        return row ? fromRow(row) : null;
      }),
    findVersion: (accountId, id, version) =>
      pinnedVersions.get(`${accountId} ${id} ${version}`, async () => {
        const { templateId, version: number, accountId: owner } = templateVersions;
        const mine = and(eq(templateId, id), eq(number, version), eq(owner, accountId));
        const row = await d1.run((db) => db.select().from(templateVersions).where(mine).get());
        return row ? fromVersionRow(row) : null;
      }),
    async list(accountId, page) {
      const mine = eq(templates.accountId, accountId);
      const [rows, totals] = await d1.run((db) => {
        const listed = db
          .select()
          .from(templates)
          .where(and(mine, isAfter(page.cursor)))
          .orderBy(...newestFirst);
        const counted = db.select({ total: count() }).from(templates).where(mine);
        return db.batch([listed.limit(page.limit + 1).offset(page.offset), counted]);
      });
      const { items, more } = cutPage(page, rows.map(fromRow));
      return { templates: items, more, total: totals[0]?.total ?? 0 };
    },
    content: (template) => readContent(bucket, template),
    compiled: (template) => compiledVersions.get(contentKey(template), () => readCompiled(bucket, template)),
    async sizeBytes(template) {
      const known = compiledVersions.peek(contentKey(template))?.sizeBytes;
      return known ?? copiesWhileLoading * (await contentSize(bucket, template));
    },
  };
}

/** Returns the condition that a template comes after the position in the order of the list. */
function isAfter(cursor: Position | undefined) {
  return cursor && sql`(${templates.createdAt}, ${templates.id}) < (${cursor.createdAt}, ${cursor.id})`;
}

async function readCompiled(bucket: R2Bucket, template: Template): Promise<CompiledTemplate> {
  const content = await readContent(bucket, template);
  const result = compileTemplate(content);
  if (result.status === "compiled") return result.template;
  throw new CodedError(
    "template.does_not_compile",
    `template ${template.id} version ${template.version} does not compile`,
  );
}
