// Tests that repeated creates with the same `Idempotency-Key` create only one document, whatever fails in between.
import { describe, expect, it, vi } from "vitest";
import type { StoredDocument } from "../../../src/core/documents/document.ts";
import { serviceUnavailable } from "../../../src/core/errors.ts";
import { deleteDocument } from "../../../src/operations/documents/delete-document.ts";
import { failing } from "../../fakes/services.ts";
import { field, templateContent } from "../../fixtures/tenant.ts";
import { refusalOf, states, world, type World } from "./world.ts";

const firstUse = { key: "order-17", bodyHash: "body" };
const otherBody = { key: "order-17", bodyHash: "other body" };

/** Like `world`, but each create has the key `firstUse` unless `input` has another key. */
async function keyedWorld(): Promise<World> {
  const all = await world();
  return { ...all, create: (input) => all.create({ idempotency: firstUse, ...input }) };
}

/** Creates a document with the key, and waits until its hold is settled. */
async function withDocument() {
  const all = await keyedWorld();
  const { document } = await all.create();
  await all.services.idle();
  return { ...all, document };
}

/** Starts a create with the key. The render ends only when the test calls the returned function `end`. */
async function withRenderInFlight() {
  const all = await keyedWorld();
  const { render } = all.services.renderer;
  const { promise, resolve: end } = Promise.withResolvers<void>();
  all.services.renderer.render = async (job) => {
    await promise;
    return render(job);
  };
  const first = all.create();
  await expect.poll(() => states(all)).toEqual(["held"]);
  return { ...all, first, end };
}

/** Creates a completed document with the key. The commit of its hold fails. */
async function withLostCommit() {
  const all = await keyedWorld();
  const { commit } = all.services.quota;
  all.services.quota.commit = failing("the object is away");
  const { document } = await all.create();
  await all.services.idle();
  all.services.quota.commit = commit;
  return { ...all, document };
}

/** Creates a failed document with the key. The release of its hold fails. */
async function withLostRelease() {
  const all = await keyedWorld();
  const { release } = all.services.quota;
  all.services.quota.release = failing("the object is away");
  all.services.state.outcomes.push({ status: "timed_out" });
  await refusalOf(all.create());
  all.services.quota.release = release;
  return all;
}

const removeTemplate = ({ services, template }: World) => services.state.templates.delete(template.id);

/** Makes the template require a field. The requests in these tests do not send that field. */
function requireAnotherField({ services, template }: World): void {
  const fields = [field("total", "number", { required: true })];
  const entry = services.state.templates.get(template.id);
  if (!entry) throw new Error("the template is gone");
  entry.template = { ...template, version: 2, manifest: { ...template.manifest, fields } };
}

describe("the first use of a key", () => {
  it("creates a document and is not a replay", async () => {
    const { create } = await keyedWorld();

    const { document, isReplay, used } = await create();

    expect(document.status).toBe("completed");
    expect([isReplay, used]).toEqual([false, 1]);
  });
});

describe("a create without a key", () => {
  it("creates a separate document for every call", async () => {
    const { services, create } = await keyedWorld();

    await create({ idempotency: null });
    await create({ idempotency: null });

    expect(services.state.documents.size).toBe(2);
  });
});

describe("a repeated request", () => {
  it("returns the stored document as a replay", async () => {
    const { document, create } = await withDocument();

    const replay = await create();

    expect(replay).toEqual({ document, isReplay: true, used: null });
  });

  it("returns the document in its current state", async () => {
    const { services, document, create } = await withDocument();
    const changed: StoredDocument = { ...document, warnings: ["Noted later."] };
    services.state.documents.set(document.id, changed);

    const replay = await create();

    expect(replay.document).toEqual(changed);
  });

  it("renders nothing", async () => {
    const { services, create } = await withDocument();

    await create();

    expect(services.state.jobs).toHaveLength(1);
  });

  it("does not count as a render", async () => {
    const { services, account, create } = await withDocument();

    await create();
    await services.idle();

    expect(await services.quota.usage(account.id, "2026-11")).toEqual({ used: 1, reserved: 0 });
  });

  it("returns the document even if the template has since been deleted", async () => {
    const all = await withDocument();
    removeTemplate(all);

    const replay = await all.create();

    expect(replay).toEqual({ document: all.document, isReplay: true, used: null });
  });

  it("returns the document even if the data no longer fits the template", async () => {
    const all = await withDocument();
    requireAnotherField(all);

    const replay = await all.create();

    expect(replay).toEqual({ document: all.document, isReplay: true, used: null });
  });
});

describe("a repeated request while the database is overloaded", () => {
  it("is refused without another query, although the first request created a document", async () => {
    const { services, create } = await withDocument();
    const overloaded = serviceUnavailable({ retryAfterSeconds: 5, cause: new Error("D1 DB is overloaded.") });
    services.templates.find = () => Promise.reject(overloaded);
    const find = vi.spyOn(services.documents, "find");

    const error = await refusalOf(create());

    expect(error).toBe(overloaded);
    expect(find).not.toHaveBeenCalled();
  });
});

describe("a repeated key with another body", () => {
  it("fails with 422 IDEMPOTENCY_CONFLICT", async () => {
    const { create } = await withDocument();

    const error = await refusalOf(create({ idempotency: otherBody }));

    expect([error.reason, error.code]).toEqual(["other_body", "IDEMPOTENCY_CONFLICT"]);
  });

  it("fails with 422 even while the first request is in progress", async () => {
    const { create } = await withRenderInFlight();

    const { reason } = await refusalOf(create({ idempotency: otherBody }));

    expect(reason).toBe("other_body");
  });

  it("fails with 422 even if its template does not exist", async () => {
    const { create } = await withDocument();

    const { reason } = await refusalOf(create({ idempotency: otherBody, templateId: "nope" }));

    expect(reason).toBe("other_body");
  });

  it("renders nothing", async () => {
    const { services, create } = await withDocument();

    await refusalOf(create({ idempotency: otherBody }));

    expect(services.state.jobs).toHaveLength(1);
  });
});

describe("a repeated request while the first request is in progress", () => {
  it("fails with 409 IDEMPOTENCY_CONFLICT and the seconds to wait", async () => {
    const { create } = await withRenderInFlight();

    const error = await refusalOf(create());

    expect([error.reason, error.code]).toEqual(["in_progress", "IDEMPOTENCY_CONFLICT"]);
    expect(error.retryAfterSeconds).toBe(60);
  });

  it("fails with 409 even if the template has since been deleted", async () => {
    const all = await withRenderInFlight();
    removeTemplate(all);

    const { reason } = await refusalOf(all.create());

    expect(reason).toBe("in_progress");
  });

  it("does not affect the first request", async () => {
    const { services, first, end, create } = await withRenderInFlight();
    await refusalOf(create());

    end();
    const { document, isReplay } = await first;

    expect([document.status, isReplay]).toEqual(["completed", false]);
    expect(services.state.documents.size).toBe(1);
  });

  it("causes no second render, even if many requests arrive simultaneously", async () => {
    const { services, create } = await keyedWorld();

    const results = await Promise.allSettled(Array.from({ length: 5 }, () => create()));

    const made = results.filter((result) => result.status === "fulfilled" && !result.value.isReplay);
    expect(made).toHaveLength(1);
    expect(services.state.jobs).toHaveLength(1);
  });
});

describe("a repeated request after a lost commit", () => {
  it("is a replay instead of a refusal with 409", async () => {
    const { document, create } = await withLostCommit();

    const replay = await create();

    expect(replay).toEqual({ document, isReplay: true, used: null });
  });

  it("commits the hold", async () => {
    const { services, create } = await withLostCommit();

    await create();
    await services.idle();

    expect(states({ services })).toEqual(["committed"]);
  });

  it("is a replay even if the template has been deleted", async () => {
    const all = await withLostCommit();
    removeTemplate(all);

    const { isReplay } = await all.create();

    expect(isReplay).toBe(true);
  });
});

describe("a repeated request after a failed render", () => {
  it("creates a new document", async () => {
    const { services, create } = await keyedWorld();
    services.state.outcomes.push({ status: "timed_out" });
    await refusalOf(create());

    const { document, isReplay } = await create();

    expect([document.status, isReplay]).toEqual(["completed", false]);
  });

  it("leaves the failed document unchanged", async () => {
    const { services, create } = await keyedWorld();
    services.state.outcomes.push({ status: "timed_out" });
    await refusalOf(create());
    const [failed] = [...services.state.documents.values()];

    await create();

    expect([...services.state.documents.values()]).toContainEqual(failed);
  });

  it("creates a new document even if the first hold was never released", async () => {
    const { create } = await withLostRelease();

    const { document, isReplay } = await create();

    expect([document.status, isReplay]).toEqual(["completed", false]);
  });

  it("releases the first hold if it is still held", async () => {
    const { services, create } = await withLostRelease();

    await create();
    await services.idle();

    expect(states({ services })).toEqual(["released", "committed"]);
  });

  it("fails with TEMPLATE_NOT_FOUND, not with 409, if the template has since been deleted", async () => {
    const all = await withLostRelease();
    removeTemplate(all);

    const { code } = await refusalOf(all.create());

    expect(code).toBe("TEMPLATE_NOT_FOUND");
  });
});

describe("a repeated request whose document was deleted", () => {
  it("fails with DOCUMENT_NOT_FOUND and a message that the document was deleted", async () => {
    const { services, account, document, create } = await withDocument();
    await deleteDocument(services, account, document.id);

    const error = await refusalOf(create());

    expect(error.code).toBe("DOCUMENT_NOT_FOUND");
    expect(error.message).toContain("deleted");
  });

  it("fails with DOCUMENT_NOT_FOUND even if the hold was never committed", async () => {
    const { services, account, document, create } = await withLostCommit();
    await deleteDocument(services, account, document.id);

    const { code, message } = await refusalOf(create());

    expect(code).toBe("DOCUMENT_NOT_FOUND");
    expect(message).toContain("deleted");
  });

  it("fails with DOCUMENT_NOT_FOUND even if the template has been deleted too", async () => {
    const all = await withDocument();
    await deleteDocument(all.services, all.account, all.document.id);
    removeTemplate(all);

    const { code, message } = await refusalOf(all.create());

    expect(code).toBe("DOCUMENT_NOT_FOUND");
    expect(message).toContain("deleted");
  });

  it("creates a new document if the deleted document had failed", async () => {
    const { services, account, create } = await withLostRelease();
    const [failed] = [...services.state.documents.values()];
    await deleteDocument(services, account, failed?.id ?? "");

    const { isReplay } = await create();

    expect(isReplay).toBe(false);
  });
});

/** Refusals that persist nothing. `refuse` creates the cause of the refusal, and `undo` removes that cause. */
const refusals: { what: string; kind: string; refuse(all: World): void; undo(all: World): void }[] = [
  {
    what: "a used-up allowance",
    kind: "RENDER_LIMIT_EXCEEDED",
    refuse: ({ account }) => void (account.plan.monthlyRenders = 0),
    undo: ({ account }) => void (account.plan.monthlyRenders = 1),
  },
  {
    what: "no capacity",
    kind: "no_capacity",
    refuse: ({ services }) => void services.state.outcomes.push({ status: "no_capacity", retryAfterSeconds: 3 }),
    undo: () => {},
  },
  {
    what: "too many renders in flight",
    kind: "no_capacity",
    refuse: ({ services }) => void (services.settings.rendersInFlight.pro = 0),
    undo: ({ services }) => void (services.settings.rendersInFlight.pro = 1),
  },
  {
    what: "an unknown template",
    kind: "TEMPLATE_NOT_FOUND",
    refuse: removeTemplate,
    undo: ({ services, template }) =>
      void services.state.templates.set(template.id, { template, content: templateContent({}), folder: "test" }),
  },
  {
    what: "data that does not fit",
    kind: "MISSING_FIELD",
    refuse: requireAnotherField,
    undo: ({ services, template }) =>
      void services.state.templates.set(template.id, { template, content: templateContent({}), folder: "test" }),
  },
];

describe.each(refusals)("a create that is refused with $kind for $what", ({ kind, refuse, undo }) => {
  it("does not use up the key", async () => {
    const all = await keyedWorld();
    refuse(all);
    const refused = await refusalOf(all.create());
    undo(all);

    const { document, isReplay } = await all.create();

    expect([refused.reason ?? refused.code, document.status, isReplay]).toEqual([kind, "completed", false]);
  });
});
