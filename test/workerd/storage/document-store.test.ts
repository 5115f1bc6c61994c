import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { DocumentFilter } from "../../../src/core/documents/document.ts";
import type { Page } from "../../../src/core/pagination.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { everything } from "../../fixtures/audit.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { completedDocument, eventOf, failedDocument } from "../../fixtures/documents.ts";

const { documents } = requestServices(env, () => {});
const { webhooks } = operatorServices(env);

/** Returns the payloads of the account's events in the outbox. */
async function payloads(accountId: string): Promise<string[]> {
  const ids = (await webhooks.list(accountId, {}, everything)).items.map(({ id }) => id);
  return (await webhooks.pending(accountId, ids)).map(({ payload }) => payload);
}

const annotated = {
  filename: "Rechnung \u{1F4C4}.pdf",
  metadata: JSON.parse('{ "__proto__": "a", "order": "17" }') as Record<string, string>,
  expiresAt: 1,
};

it.for([
  completedDocument(),
  completedDocument({ ...annotated, warnings: ["漢字 🎉", "a\u0000b"] }),
  failedDocument(annotated),
  failedDocument({ height: null }),
])("the document store returns a $status document as it was inserted", async (document) => {
  expect(await documents.insert(document)).toEqual({ status: "inserted" });

  expect(await documents.find(document.accountId, document.id)).toEqual(document);
});

it.each([completedDocument(), failedDocument()])(
  "the document store does not insert a removed $status document again, and says how it had ended",
  async (document) => {
    await documents.insert(document);
    await documents.remove(document.accountId, document.id);

    const outcome = await documents.insert(document, eventOf(document));

    expect(outcome).toEqual({ status: "deleted", wasCompleted: document.status === "completed" });
    expect(await documents.find(document.accountId, document.id)).toBeNull();
    expect(await payloads(document.accountId)).toEqual([]);
  },
);

it("the document store does not say that a document was completed if its removal is no longer recorded", async () => {
  const results = [[], undefined, undefined];
  const store = documentStore(singleDatabase({ run: async () => results.shift() as never }));

  expect(await store.insert(completedDocument())).toEqual({ status: "deleted", wasCompleted: false });
});

it("the document store filters the list by creation time: the first time is included, the second is not", async () => {
  const accountId = crypto.randomUUID();
  for (const createdAt of [1, 2, 3, 4]) await documents.insert(completedDocument({ accountId, createdAt }));
  const times = async (filter: DocumentFilter) => {
    const { items: found, total, totalIsExact } = await documents.list(accountId, filter, everything);
    return [...found.map(({ createdAt }) => createdAt), { total, totalIsExact }];
  };

  expect(await times({ createdAfter: 2, createdBefore: 4 })).toEqual([3, 2, { total: 2, totalIsExact: true }]);
  expect(await times({ createdAfter: 3 })).toEqual([4, 3, { total: 2, totalIsExact: true }]);
  expect(await times({ createdBefore: 3 })).toEqual([2, 1, { total: 2, totalIsExact: true }]);
  expect(await times({ createdAfter: 2, createdBefore: 2 })).toEqual([{ total: 0, totalIsExact: true }]);
});

it("the document store filters the list by pairs of metadata, also in combination with other filters", async () => {
  const accountId = crypto.randomUUID();
  const templateId = crypto.randomUUID();
  const odd = { __proto__: "x", "ключ.1": "' OR 1=1", "": "" };
  const [both, one, png, failed, strange] = [
    completedDocument({ accountId, templateId, createdAt: 5, metadata: { a: "1", b: "2" } }),
    completedDocument({ accountId, createdAt: 4, metadata: { a: "1", b: "3" } }),
    completedDocument({ accountId, templateId, createdAt: 3, format: "png", metadata: { a: "1" } }),
    failedDocument({ accountId, createdAt: 2, metadata: { a: "1" } }),
    completedDocument({ accountId, createdAt: 1, metadata: odd }),
  ];
  const other = completedDocument({ metadata: { a: "1", b: "2" } });
  for (const document of [both, one, png, failed, strange, other]) await documents.insert(document);
  const idsOf = async (filter: DocumentFilter, page: Partial<Page> = {}) => {
    const { items: found, ...listed } = await documents.list(accountId, filter, { ...everything, ...page });
    return { ids: found.map(({ id }) => id), ...listed };
  };
  const exactly = (...found: { id: string }[]) => {
    return { ids: found.map(({ id }) => id), more: null, total: found.length, totalIsExact: true };
  };

  expect(await idsOf({ metadata: { a: "1" } })).toEqual(exactly(both, one, png, failed));
  expect(await idsOf({ metadata: { a: "1", b: "2" } })).toEqual(exactly(both));
  expect(await idsOf({ metadata: { a: "2" } })).toEqual(exactly());
  expect(await idsOf({ metadata: odd })).toEqual(exactly(strange));
  expect(await idsOf({ metadata: { a: "1" }, status: "failed" })).toEqual(exactly(failed));
  expect(await idsOf({ metadata: { a: "1" }, format: "png" })).toEqual(exactly(png));
  expect(await idsOf({ metadata: { a: "1" }, templateId })).toEqual(exactly(both, png));
  expect(await idsOf({ metadata: { a: "1" }, createdAfter: 3, createdBefore: 5 })).toEqual(exactly(one, png));
  const cursor = { createdAt: 5, id: both.id };
  expect(await idsOf({ metadata: { a: "1" }, templateId }, { cursor })).toMatchObject({ ids: [png.id], total: 2 });
});
