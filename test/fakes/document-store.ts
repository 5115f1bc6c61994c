// Documents in memory, with the outbox that is written in the same transaction.
import type { DocumentStore } from "../../src/ports.ts";
import { newestFirst, type FakeState } from "./state.ts";

export function documentStore({ documents, deletedDocuments, events }: FakeState): DocumentStore {
  return {
    insert: async (document, event) => {
      const existing = documents.get(document.id);
      if (existing) return { status: "existing", document: structuredClone(existing) };
      if (deletedDocuments.has(document.id)) return { status: "deleted" };
      documents.set(document.id, structuredClone(document));
      if (event) events.set(event.id, event);
      return { status: "inserted" };
    },
    find: async (accountId, id) => {
      const document = documents.get(id);
      return document?.accountId === accountId ? structuredClone(document) : null;
    },
    list: async (accountId, filter, { limit, offset }) => {
      const selected = [...documents.values()]
        .filter(
          (document) =>
            document.accountId === accountId &&
            (filter.status ?? document.status) === document.status &&
            (filter.format ?? document.format) === document.format &&
            (filter.templateId ?? document.templateId) === document.templateId,
        )
        .sort(newestFirst);
      return { documents: structuredClone(selected.slice(offset, offset + limit)), total: selected.length };
    },
    remove: async (accountId, id) => {
      if (documents.get(id)?.accountId !== accountId) return false;
      deletedDocuments.add(id);
      return documents.delete(id);
    },
  };
}
