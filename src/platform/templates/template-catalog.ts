// Reads templates for API requests: rows from D1 and contents from R2. Each isolate caches existing templates by id,
// and their compiled versions.
import { CodedError } from "colophon-base/loggable-error";
import { and, eq } from "drizzle-orm";
import { compileTemplate, type CompiledTemplate } from "colophon-template-model/compile-template";
import { liveAccountId } from "../../core/accounts/account.ts";
import type { Template } from "colophon-template-model/template";
import type { TemplateCatalog } from "../../ports/templates.ts";
import { agedCache } from "colophon-base/aged-cache";
import type { D1Client } from "../d1/d1-client.ts";
import { readPage } from "../d1/read-page.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { compiledVersions } from "../rendering/render-memory.ts";
import { contentKey, contentSize, readContent } from "./template-contents.ts";
import { fromRow, fromVersionRow, isTemplate } from "./template-store.ts";

// docs/operations.md promises that a push takes effect within ten seconds.
const newestVersions = agedCache<Template | null>({ maxEntries: 1_000, maxAgeMs: 5_000 });
// A version never changes, so these bounds only limit memory: an isolate has 128 MB in total.
const pinnedVersions = agedCache<Template | null>({ maxEntries: 200, maxAgeMs: 3_600_000 });

/** A template's text, and what is read from it. */
const copiesWhileLoading = 2;

export function templateCatalog(d1: D1Client, bucket: R2Bucket): TemplateCatalog {
  return {
    find: (account, id) => {
      const accountId = liveAccountId(account);
      return newestVersions.get(`${accountId} ${id}`, async () => {
        const row = await d1.run((db) => db.select().from(templates).where(isTemplate(accountId, id)).get());
        return row ? fromRow(row) : null;
      });
    },
    findVersion: (account, id, version) => {
      const accountId = liveAccountId(account);
      return pinnedVersions.get(`${accountId} ${id} ${version}`, async () => {
        const { templateId, version: number, accountId: owner } = templateVersions;
        const mine = and(eq(templateId, id), eq(number, version), eq(owner, accountId));
        const row = await d1.run((db) => db.select().from(templateVersions).where(mine).get());
        return row ? fromVersionRow(row) : null;
      });
    },
    async list(accountId, page) {
      const { items, ...listed } = await readPage(
        d1,
        templates,
        eq(templates.accountId, liveAccountId(accountId)),
        page,
      );
      return { ...listed, items: items.map(fromRow) };
    },
    content: (template) => readContent(bucket, template),
    compiled: (template) => compiledVersions.get(contentKey(template), () => readCompiled(bucket, template)),
    async sizeBytes(template) {
      const known = compiledVersions.peek(contentKey(template))?.sizeBytes;
      return known ?? copiesWhileLoading * (await contentSize(bucket, template));
    },
  };
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
