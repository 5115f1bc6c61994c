// Reads templates for API requests. Each isolate caches existing templates by id, and their compiled versions.
import { agedCache } from "colophon-base/aged-cache";
import { CodedError } from "colophon-base/loggable-error";
import { compileTemplate, type CompiledTemplate } from "colophon-template-model/compile-template";
import type { Template } from "colophon-template-model/template";
import { liveAccountId } from "../../core/accounts/account.ts";
import type { TemplateCatalog } from "../../ports/templates.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { contentKey, contentSize, readContent } from "./template-contents.ts";
import { templateStore } from "./template-store.ts";

// docs/operations.md promises that a push takes effect within ten seconds.
const newestVersions = agedCache<Template | null>({ maxEntries: 1_000, maxAgeMs: 5_000 });
// A version never changes, so these bounds only limit memory: an isolate has 128 MB in total.
const pinnedVersions = agedCache<Template | null>({ maxEntries: 200, maxAgeMs: 3_600_000 });

/** Also the memory for templates that are loading: `isolateMemory` shrinks this cache by what they use. */
export const maxCompiledBytes = 30_000_000;

/** The compiled template versions in this isolate. */
export const compiledVersions = agedCache<CompiledTemplate>({
  maxEntries: 200,
  maxAgeMs: 3_600_000,
  weight: { max: maxCompiledBytes, of: ({ sizeBytes }) => sizeBytes },
});

/** While a template loads, both its text and the values parsed from it are in memory. */
const copiesWhileLoading = 2;

export function templateCatalog(d1: D1Client, bucket: R2Bucket): TemplateCatalog {
  const store = templateStore(d1, bucket);
  return {
    find: (account, id) => {
      const accountId = liveAccountId(account);
      return newestVersions.get(`${accountId} ${id}`, () => store.find(accountId, id));
    },
    findVersion: (account, id, version) => {
      const accountId = liveAccountId(account);
      return pinnedVersions.get(`${accountId} ${id} ${version}`, () => store.findVersion(accountId, id, version));
    },
    list: (account, page) => store.list(liveAccountId(account), page),
    content: store.content,
    compiled: (template) => compiledVersions.get(contentKey(template), () => readCompiled(bucket, template)),
    async sizeBytes(template) {
      const cachedBytes = compiledVersions.peek(contentKey(template))?.sizeBytes;
      return cachedBytes ?? copiesWhileLoading * (await contentSize(bucket, template));
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
