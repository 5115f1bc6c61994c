// Document store, file store, quota and catalog of templates in memory.
import { compileTemplate } from "colophon-template-model/compile-template";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { StoredDocument } from "../../src/core/documents/document.ts";
import { parseUuid } from "../../src/core/uuid.ts";
import type { Quota } from "../../src/ports/accounts.ts";
import type { DocumentStore, FileStore } from "../../src/ports/documents.ts";
import type { TemplateCatalog } from "../../src/ports/templates.ts";
import { pageOf, type FakeHold, type FakeState } from "./state.ts";

/** Like the real store, inserts a document and its event together. Lists can be filtered by template. */
export function documentStore({ documents, deletedDocuments, events }: FakeState): DocumentStore {
  return {
    insert: async (document, event) => {
      const wasCompleted = deletedDocuments.get(document.id);
      if (wasCompleted !== undefined) return { status: "deleted", wasCompleted };
      const stored = documents.get(document.id);
      const hasEnded = stored && stored.status !== "processing";
      if (hasEnded && outcomeOf(stored) !== outcomeOf(document))
        return { status: "existing", document: structuredClone(stored) };
      if (!hasEnded) documents.set(document.id, structuredClone(document));
      if (event && !events.has(event.id)) events.set(event.id, event);
      return { status: "inserted" };
    },
    find: async (accountId, id) => {
      const document = documents.get(id);
      return document?.accountId === accountId ? structuredClone(document) : null;
    },
    list: async (accountId, filter, page) => {
      const mine = [...documents.values()].filter((document) => document.accountId === accountId);
      return pageOf(
        mine.filter((document) => (filter.templateId ?? document.templateId) === document.templateId),
        page,
      );
    },
    remove: async (accountId, id, status) => {
      const document = documents.get(id);
      if (document?.accountId !== accountId || (status ?? document.status) !== document.status) return false;
      deletedDocuments.set(id, document.status === "completed");
      return documents.delete(id);
    },
    linked: async (accountId, ids) => {
      const wanted = ids.map((id) => documents.get(id)).filter((document) => document?.accountId === accountId);
      return new Map(wanted.flatMap((document) => (document ? [[document.id, document]] : [])));
    },
    endLinks: async (accountId, id) => {
      const document = documents.get(id);
      if (document?.accountId !== accountId) return false;
      documents.set(id, { ...document, linkEpoch: (document.linkEpoch ?? 0) + 1 });
      return true;
    },
  };
}

function outcomeOf(document: StoredDocument): string {
  if (document.status === "completed") return `${document.completedAt} ${document.sha256}`;
  return document.status === "failed" ? JSON.stringify(document.error) : "";
}

/** Keeps only the metadata of each file, and returns zeros as the content. */
export function fileStore({ files }: FakeState): FileStore {
  return {
    metadata: async (key) => files.get(key) ?? null,
    get: async (key, range) => {
      const metadata = files.get(key);
      if (!metadata) return null;
      const { offset, length } = range ?? { offset: 0, length: metadata.fileSize };
      const bytes = new Uint8Array(Math.min(metadata.fileSize - offset, length));
      return { body: new Blob([bytes]).stream() };
    },
    remove: async (key) => void files.delete(key),
  };
}

/** For creates without idempotency keys. It has no limit of renders in flight. */
export function quota({ holds }: FakeState): Quota {
  const count = (accountId: string, month: string, wanted: FakeHold["state"]) =>
    [...holds.values()].filter(
      ({ hold: { draft }, state }) => draft.accountId === accountId && draft.month === month && state === wanted,
    ).length;
  const settle = async (documentId: string, settled: "committed" | "released") => {
    const entry = holds.get(documentId);
    if (entry?.state === "held") entry.state = settled;
  };
  return {
    reserve: async ({ hold, limit }) => {
      const { id, accountId, month } = hold.draft;
      const used = count(accountId, month, "committed") + count(accountId, month, "held");
      if (used >= limit) return { status: "exhausted", used };
      holds.set(id, { hold: structuredClone(hold), state: "held" });
      return { status: "reserved", used: used + 1, inFlight: count(accountId, month, "held") };
    },
    lookUpKey: async () => ({ status: "unknown" }),
    commit: (_accountId, documentId) => settle(documentId, "committed"),
    release: (_accountId, documentId) => settle(documentId, "released"),
    usage: async (accountId, month) => ({
      used: count(accountId, month, "committed"),
      reserved: count(accountId, month, "held"),
    }),
    beginDelete: (_accountId, { documentId, status }) =>
      settle(documentId, status === "completed" ? "committed" : "released"),
  };
}

/** Each template has one version, and is found by its id or by its folder. */
export function templateCatalog({ templates }: FakeState): TemplateCatalog {
  const of = (accountId: string) => [...templates.values()].filter(({ template }) => template.accountId === accountId);
  const contentOf = ({ id }: Template): TemplateContent => {
    const known = templates.get(id);
    if (!known) throw new Error("the template was removed");
    return known.content;
  };
  return {
    find: async (accountId, id) => {
      const found = of(accountId).find(({ template, folder }) => (parseUuid(id) ? template.id : folder) === id);
      return found?.template ?? null;
    },
    findVersion: async () => null,
    list: async (accountId, page) =>
      pageOf(
        of(accountId).map(({ template }) => template),
        page,
      ),
    content: async (template) => contentOf(template),
    sizeBytes: async (template) => JSON.stringify(contentOf(template)).length,
    compiled: async (template) => {
      const result = compileTemplate(contentOf(template));
      if (result.status === "compiled") return result.template;
      throw new Error(result.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join("; "));
    },
  };
}
