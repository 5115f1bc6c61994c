import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { callTimeoutMs, create, dataOf, quotaOf, renderNothing, testService, totalOf, usageOf } from "../app.ts";
import { alarmOf, expireAndSettle, tenantWithHold, holdOf, month, reserve, type QuotaStub } from "./holds.ts";

const documents = documentStore(d1Client(env.DB, callTimeoutMs));

beforeEach(() => {
  // The object logs each hold that it settles or fails to settle. These tests expect and silence those logs.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("the alarm", () => {
  it("records the file name and the metadata of the hold with the failed document", async () => {
    const tenant = await newTenant(env);
    const hold = holdOf(tenant, { filename: "Invoice 17.pdf", metadata: { order: "17" } });
    await reserve(quotaOf(tenant), hold, 5);

    await expireAndSettle(tenant);

    const record = await dataOf(await get(testService(), tenant, `/documents/${hold.draft.id}`));
    expect(record).toMatchObject({ status: "failed", filename: "Invoice 17.pdf", metadata: { order: "17" } });
  });

  it("is set to the end of the lease again if it runs too early", async () => {
    const { quota } = await tenantWithHold({ leaseMs: 60_000 });

    await runDurableObjectAlarm(quota);

    const inMs = Number(await alarmOf(quota)) - Date.now();
    expect(inMs).toBeGreaterThan(50_000);
    expect(inMs).toBeLessThanOrEqual(60_000);
  });

  it("removes a file that is stored only after the render has failed", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    service.render = renderNothing;
    await create(service, tenant);
    const fileKey = service.jobs[0]?.fileKey ?? "";
    await env.FILES.put(fileKey, "late");

    await expireAndSettle(tenant);

    expect(await env.FILES.head(fileKey)).toBeNull();
  });

  it("finishes a second delete that starts while the alarm is finishing the first", async () => {
    const { tenant, id, fileKey } = await createdDocument();
    const broken = (what: "documents" | "files") =>
      testService((real) => ({
        [what]: { ...real[what], remove: () => Promise.reject(new Error("down")) },
      }));
    await get(broken("documents"), tenant, `/documents/${id}`, { method: "DELETE" });
    let isDeletedAgain = false;
    const deleteAgain = async () => {
      if (isDeletedAgain) return;
      isDeletedAgain = true;
      await get(broken("files"), tenant, `/documents/${id}`, { method: "DELETE" });
    };
    await settleWith(quotaOf(tenant), hookedD1({ after: deleteAgain }));

    await expireAndSettle(tenant);

    expect({ isDeletedAgain, file: await env.FILES.head(fileKey) }).toEqual({ isDeletedAgain: true, file: null });
  });
});

describe("a DELETE", () => {
  type Made = { tenant: Tenant; id: string; fileKey: string };
  const moments: { name: string; deleteThen: () => Promise<Made> }[] = [
    {
      name: "after the commit",
      deleteThen: async () => {
        const made = await createdDocument();
        await remove(made);
        return made;
      },
    },
    {
      name: "before a late commit",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        await remove(made);
        await quotaOf(made.tenant).commit(made.id);
        return made;
      },
    },
    {
      name: "before a commit that is lost",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        await remove(made);
        return made;
      },
    },
    {
      name: "before the alarm's insert",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        await settleWith(quotaOf(made.tenant), hookedD1({ before: () => remove(made) }));
        return made;
      },
    },
    {
      name: "between the alarm's insert and the settlement of the hold",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        await settleWith(quotaOf(made.tenant), hookedD1({ after: () => remove(made) }));
        return made;
      },
    },
    {
      name: "after the alarm",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        await expireAndSettle(made.tenant);
        await remove(made);
        return made;
      },
    },
    {
      name: "sent twice at once",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        await Promise.all([remove(made), remove(made)]);
        return made;
      },
    },
    {
      name: "that removes the row but fails to remove the file",
      deleteThen: async () => {
        const made = await createdDocument({ isCommitLost: true });
        const broken = testService(({ files }) => ({
          files: { ...files, remove: () => Promise.reject(new Error("R2 is down")) },
        }));
        await get(broken, made.tenant, `/documents/${made.id}`, { method: "DELETE" });
        return made;
      },
    },
  ];

  it.for(moments)("$name does not lower the usage", async ({ deleteThen }) => {
    const { tenant } = await deleteThen();

    for (let round = 0; round < 2; round++) await expireAndSettle(tenant);

    expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
  });

  it.for(moments)("$name leaves no row", async ({ deleteThen }) => {
    const { tenant } = await deleteThen();

    for (let round = 0; round < 2; round++) await expireAndSettle(tenant);

    expect(await totalOf(tenant)).toBe(0);
  });

  it.for(moments)("$name leaves no file", async ({ deleteThen }) => {
    const { tenant, fileKey } = await deleteThen();

    for (let round = 0; round < 2; round++) await expireAndSettle(tenant);

    expect(await env.FILES.head(fileKey)).toBeNull();
  });

  it("of a failed document releases a hold that is still held", async () => {
    const { tenant, hold } = await tenantWithHold();
    const error = { code: "RENDER_FAILED", message: "no" } as const;
    await documents.insert({ ...hold.draft, status: "failed", error });

    await remove({ tenant, id: hold.draft.id });

    expect(await usageOfMonth(tenant)).toEqual({ used: 0, reserved: 0 });
  });

  it("of another account's document does not settle that document's hold", async () => {
    const { tenant, hold } = await tenantWithHold();
    await documents.insert(completedDocument(hold.draft));

    await remove({ tenant: await newTenant(env), id: hold.draft.id });

    expect(await usageOfMonth(tenant)).toEqual({ used: 0, reserved: 1 });
  });
});

function usageOfMonth(tenant: Pick<Tenant, "accountId">) {
  return quotaOf(tenant).usage(month);
}

/** Creates a completed document with a file. If `isCommitLost` is true, the create does not commit its hold. */
async function createdDocument({ isCommitLost = false } = {}) {
  const tenant = await newTenant(env);
  const service = testService(({ quota }) => (isCommitLost ? { quota: { ...quota, commit: async () => {} } } : {}));
  const { id } = await dataOf(await create(service, tenant));
  return { tenant, id, fileKey: service.jobs[0]?.fileKey ?? "" };
}

async function remove({ tenant, id }: { tenant: Tenant; id: string }): Promise<void> {
  await get(testService(), tenant, `/documents/${id}`, { method: "DELETE" });
}

/** Returns the real D1 with actions that run right before and right after each call. */
function hookedD1({ before, after }: { before?: () => Promise<void>; after?: () => Promise<void> }): D1Database {
  const hooked = async <T>(work: () => Promise<T>): Promise<T> => {
    await before?.();
    const result = await work();
    await after?.();
    return result;
  };
  const originals = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: () => hooked(() => statement.run()),
      all: () => hooked(() => statement.all()),
      raw: () => hooked(() => statement.raw()),
      first: () => hooked(() => statement.first()),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query: string) => wrap(env.DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      hooked(() => env.DB.batch(statements.map((each) => originals.get(each) ?? each))),
  } as unknown as D1Database;
}

/** Ends every lease, makes every delete due, and runs the alarm of an object that uses this D1. */
function settleWith(quota: QuotaStub, database: D1Database): Promise<void> {
  return runInDurableObject(quota, async (_, state) => {
    state.storage.sql.exec("UPDATE holds SET lease_end = ?", Date.now() - 1);
    state.storage.sql.exec("UPDATE deletions SET due = ?", Date.now() - 1);
    await new AccountQuota(state, { ...env, DB: database }).alarm();
  });
}
