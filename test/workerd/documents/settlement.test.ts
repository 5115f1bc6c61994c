import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { DocumentDraft, StoredDocument } from "../../../src/core/documents/document.ts";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { settlementServices } from "../../../src/services/shared-services.ts";
import { completedDocument, failedDocument } from "../../fixtures/documents.ts";
import { get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import {
  databases,
  create,
  dataOf,
  quotaOf,
  testService,
  totalOf,
  usageOf,
  silenceObjects,
  payloadsOf,
} from "../app.ts";
import { spiedD1 } from "../storage/spied-d1.ts";
import { expireAndSettle, tenantWithHold, month } from "./holds.ts";

type Made = { tenant: Tenant; id: string; fileKey: string };

const documents = documentStore(databases);

beforeEach(silenceObjects);

const interrupted = { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." } as const;
const tooLong = { code: "RENDER_FAILED", message: "501 pages." } as const;

it.each<{ recorded: string; of: (draft: DocumentDraft) => StoredDocument | null; left: object; isCounted: boolean }>([
  { recorded: "nothing", of: () => null, left: { status: "failed", error: interrupted }, isCounted: false },
  {
    recorded: "a failure",
    of: (draft) => ({ ...draft, status: "failed", error: tooLong }),
    left: { status: "failed", error: tooLong },
    isCounted: false,
  },
  { recorded: "success", of: completedDocument, left: { status: "completed", error: null }, isCounted: true },
])("the alarm settles a hold once if D1 has recorded $recorded", async ({ of, left, isCounted }) => {
  const { tenant, hold } = await tenantWithHold({ webhookUrl: "https://hooks.receiver.dev/" });
  const { draft } = hold;
  await env.FILES.put(draft.fileKey, "made");
  const recorded = of(draft);
  if (recorded) await documents.insert(recorded);

  for (let round = 0; round < 2; round++) await expireAndSettle(tenant);

  expect(await dataOf(await get(testService(), tenant, `/documents/${draft.id}`))).toMatchObject(left);
  expect(await usageOfMonth(tenant)).toEqual({ used: isCounted ? 1 : 0, reserved: 0 });
  expect((await env.FILES.head(draft.fileKey)) !== null).toBe(isCounted);
  expect(await payloadsOf(tenant)).toMatchObject(
    recorded ? [] : [{ type: "document.failed", data: { id: draft.id, error: interrupted } }],
  );
});

it.each([
  { status: "completed", of: completedDocument, used: 1 },
  { status: "failed", of: failedDocument, used: 0 },
])(
  "the alarm settles the hold of a $status document that has expired, and the document stays removed",
  async ({ of, used }) => {
    const { tenant, hold } = await tenantWithHold();
    await documents.insert(of(hold.draft));
    await documents.remove(tenant.accountId, hold.draft.id);

    for (let round = 0; round < 2; round++) await expireAndSettle(tenant);

    expect(await usageOfMonth(tenant)).toEqual({ used, reserved: 0 });
    expect((await get(testService(), tenant, `/documents/${hold.draft.id}`)).status).toBe(404);
  },
);

it("the alarm removes the file of a failed document with its hold, and again later", async () => {
  const { tenant, hold } = await tenantWithHold();
  await env.FILES.put(hold.draft.fileKey, "made");

  expect(await settleHold(settlementServices(env), hold)).toBe("failed");

  expect(await env.FILES.head(hold.draft.fileKey)).toBeNull();
  await env.FILES.put(hold.draft.fileKey, "late");
  await expireAndSettle(tenant);
  expect(await env.FILES.head(hold.draft.fileKey)).toBeNull();
});

it("the alarm finishes a second delete that starts while the alarm is finishing the first", async () => {
  const made = await createdDocument();
  await remove(made, withFailingRemoval("documents"));
  let isDeletedAgain = false;
  const deleteAgain = async () => {
    if (isDeletedAgain) return;
    isDeletedAgain = true;
    await remove(made, withFailingRemoval("files"));
  };
  await settleWith(made.tenant, deleteAgain);

  await expireAndSettle(made.tenant);

  expect({ isDeletedAgain, file: await env.FILES.head(made.fileKey) }).toEqual({ isDeletedAgain: true, file: null });
});

const moments: { name: string; isCommitted?: boolean; deleteThen: (made: Made) => Promise<unknown> }[] = [
  { name: "after the commit", isCommitted: true, deleteThen: remove },
  {
    name: "before a late commit",
    deleteThen: (made) => remove(made).then(() => quotaOf(made.tenant).commit(made.id)),
  },
  { name: "before a commit that is lost", deleteThen: remove },
  {
    name: "before the alarm's insert",
    deleteThen: (made) => settleWith(made.tenant, undefined, () => remove(made)),
  },
  {
    name: "between the alarm's insert and the settlement of the hold",
    deleteThen: (made) => settleWith(made.tenant, () => remove(made)),
  },
  { name: "after the alarm", deleteThen: (made) => expireAndSettle(made.tenant).then(() => remove(made)) },
  { name: "sent twice at once", deleteThen: (made) => Promise.all([remove(made), remove(made)]) },
  {
    name: "that removes the row but fails to remove the file",
    deleteThen: (made) => remove(made, withFailingRemoval("files")),
  },
];

it.for(moments)("a DELETE $name removes row and file, but no usage", async ({ deleteThen, isCommitted = false }) => {
  const made = await createdDocument({ isCommitLost: !isCommitted });
  await deleteThen(made);

  for (let round = 0; round < 2; round++) await expireAndSettle(made.tenant);

  const left = { rows: await totalOf(made.tenant), file: await env.FILES.head(made.fileKey) };
  expect({ ...left, ...(await usageOf(made.tenant)) }).toEqual({ rows: 0, file: null, used: 1, reserved: 0 });
});

it("a DELETE whose hold cannot be settled removes nothing", async () => {
  const made = await createdDocument();
  const beginDelete = () => Promise.reject(new Error("the object is away"));

  await remove(
    made,
    testService(({ quota }) => ({ quota: { ...quota, beginDelete } })),
  );
  await expireAndSettle(made.tenant);

  expect([await totalOf(made.tenant), (await env.FILES.head(made.fileKey)) === null]).toEqual([1, false]);
});

it("a DELETE that cannot remove the row keeps the file, and can be repeated", async () => {
  const made = await createdDocument();
  await remove(made, withFailingRemoval("documents"));
  await expireAndSettle(made.tenant);
  const kept = [await totalOf(made.tenant), (await env.FILES.head(made.fileKey)) === null];

  await remove(made);

  expect(kept).toEqual([1, false]);
  expect([await totalOf(made.tenant), await env.FILES.head(made.fileKey)]).toEqual([0, null]);
});

it("a DELETE of a failed document releases a hold that is still held", async () => {
  const { tenant, hold } = await tenantWithHold();
  const error = { code: "RENDER_FAILED", message: "no" } as const;
  await documents.insert({ ...hold.draft, status: "failed", error });

  await remove({ tenant, id: hold.draft.id });

  expect(await usageOfMonth(tenant)).toEqual({ used: 0, reserved: 0 });
});

it("a DELETE of another account's document does not settle that document's hold", async () => {
  const { tenant, hold } = await tenantWithHold();
  await documents.insert(completedDocument(hold.draft));

  await remove({ tenant: await newTenant(env), id: hold.draft.id });

  expect(await usageOfMonth(tenant)).toEqual({ used: 0, reserved: 1 });
});

function usageOfMonth(tenant: Pick<Tenant, "accountId">) {
  return quotaOf(tenant).usage(month);
}

/** Creates a completed document with a file. If `isCommitLost` is true, the create does not commit its hold. */
async function createdDocument({ isCommitLost = false } = {}): Promise<Made> {
  // `settleWith` watches the queries of this shard.
  const tenant = await newTenant(env, { shard: 0 });
  const service = testService(({ quota }) => (isCommitLost ? { quota: { ...quota, commit: async () => {} } } : {}));
  const { id } = await dataOf(await create(service, tenant));
  return { tenant, id, fileKey: service.jobs[0]?.fileKey ?? "" };
}

async function remove({ tenant, id }: Pick<Made, "tenant" | "id">, service = testService()): Promise<void> {
  await get(service, tenant, `/documents/${id}`, { method: "DELETE" });
}

/** Returns a service that cannot remove anything from this store. */
function withFailingRemoval(store: "documents" | "files") {
  const remove = () => Promise.reject(new Error("down"));
  return testService((real) => ({ [store]: { ...real[store], remove } }));
}

/** Ends every lease, makes every delete due, and runs the alarm of an object that uses a spied D1. */
function settleWith(tenant: Tenant, ...spies: Partial<Parameters<typeof spiedD1>>): Promise<void> {
  const [after = () => {}, before] = spies;
  const database = spiedD1(after, before);
  return runInDurableObject(quotaOf(tenant), async (_, state) => {
    state.storage.sql.exec("UPDATE holds SET lease_end = ?", Date.now() - 1);
    state.storage.sql.exec("UPDATE deletions SET due = ?", Date.now() - 1);
    await new AccountQuota(state, { ...env, DB: database }).alarm();
  });
}
