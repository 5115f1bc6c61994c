// A document store in memory. Like the real store, it inserts a document and its event together. Its lists can be filtered by template.
import type { StoredDocument } from "../../src/core/documents/document.ts";
import type { DocumentStore } from "../../src/ports/documents.ts";
import { pageOf, type FakeState } from "./state.ts";

export function documentStore({ documents, deletedDocuments, events }: FakeState): DocumentStore {
  return {
    insert: async (document, event) => {
      if (deletedDocuments.has(document.id)) return { status: "deleted" };
      const stored = documents.get(document.id);
      const hasEnded = stored && stored.status !== "processing";
      if (hasEnded && !isSameOutcome(stored, document))
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
      deletedDocuments.add(id);
      return documents.delete(id);
    },
  };
}

/** Returns whether `document` only repeats the outcome of `stored`. */
function isSameOutcome(stored: StoredDocument, document: StoredDocument): boolean {
  if (stored.status === "processing" || document.status === "processing") return stored.status === document.status;
  if (stored.status === "failed")
    return document.status === "failed" && JSON.stringify(stored.error) === JSON.stringify(document.error);
  if (document.status === "failed") return false;
  return stored.completedAt === document.completedAt && stored.sha256 === document.sha256;
}
