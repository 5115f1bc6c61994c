import { describe, expect, it } from "vitest";
import { documentRecord, type FailedDocument } from "../../../src/core/documents/document.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { customGeometry } from "../../../src/core/rendering/page-geometry.ts";
import { createDocument, type CreateDocumentInput } from "../../../src/operations/documents/create-document.ts";
import { settleHold } from "../../../src/operations/documents/settle-hold.ts";
import type { Account } from "../../../src/core/accounts/account.ts";
import { putFile } from "../../fakes/renderer.ts";
import { failing, fakeAccount, fakeServices, fakeTemplate, hanging } from "../../fakes/services.ts";
import type { FakeServices, Overrides } from "../../fakes/services.ts";
import { field, templateContent, type TenantOptions } from "../../fixtures/tenant.ts";

type World = {
  services: FakeServices;
  account: Account;
  /** Creates a document as a request that arrives now would. */
  create(input?: Partial<CreateDocumentInput>): ReturnType<typeof createDocument>;
};

async function world(
  overrides: Overrides = {},
  options: TenantOptions & { monthlyRenders?: number } = {},
): Promise<World> {
  const services = fakeServices(overrides);
  const { account } = await fakeAccount(services, { monthlyRenders: options.monthlyRenders ?? 500 });
  const template = fakeTemplate(services, account, templateContent(options));
  const create = (input: Partial<CreateDocumentInput> = {}) =>
    createDocument(services, account, {
      templateId: template.id,
      data: {},
      format: "pdf",
      deviceScaleFactor: 2,
      idempotency: null,
      arrivedAt: services.now(),
      ...input,
    });
  return { services, account, create };
}

async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => new Error("it was not refused"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

const crashed = { status: "crashed", reason: "Target closed" } as const;
const timedOut = { status: "timed_out" } as const;
const busy = { status: "no_capacity", retryAfterSeconds: 3 } as const;
const states = ({ services }: World) => [...services.state.holds.values()].map(({ state }) => state);
const documentsOf = ({ services }: World) => [...services.state.documents.values()];

/** The one document there is, which has failed. */
function failedDocument(all: World): FailedDocument {
  const [document, ...others] = documentsOf(all);
  if (others.length > 0 || document?.status !== "failed")
    throw new Error(`not one failed document: ${documentsOf(all).length}`);
  return document;
}

function expectNothingLeft(all: World): void {
  expect(documentsOf(all)).toEqual([]);
  expect(all.services.state.files.size).toBe(0);
  expect(states(all)).not.toContain("held");
  expect(states(all)).not.toContain("committed");
}

describe("a create that succeeds", () => {
  it("returns the completed document with its file's metadata", async () => {
    const { services, account, create } = await world();

    const { document } = await create({ data: { name: "Ada" } });

    const metadata = services.state.files.get(document.fileKey);
    expect(document).toMatchObject({
      ...metadata,
      status: "completed",
      accountId: account.id,
      templateVersion: 1,
      format: "pdf",
      width: 794,
      height: 1123,
      deviceScaleFactor: 2,
      month: "2026-11",
      createdAt: services.now(),
      completedAt: services.now(),
    });
  });

  it("stores what it returns", async () => {
    const { services, create } = await world();

    const { document } = await create();

    expect(services.state.documents.get(document.id)).toEqual(document);
  });

  it("counts the render", async () => {
    const { services, account, create } = await world();

    await create();
    await services.idle();

    expect(await services.quota.usage(account.id, "2026-11")).toEqual({ used: 1, reserved: 0 });
  });

  it("renders the template with the data, escaped", async () => {
    const { services, create } = await world();

    await create({ data: { name: "<Ada>" } });

    expect(services.state.jobs[0]?.html).toContain("<p>Hello &lt;Ada&gt;</p>");
  });

  it("renders with the template's default where the data has none", async () => {
    const { services, create } = await world({}, { fields: [field("name", "string", { default: "you" })] });

    await create();

    expect(services.state.jobs[0]?.html).toContain("Hello you");
  });

  it("gives the renderer the page, the margin and the rest of the time", async () => {
    const { services, account, create } = await world();

    await create({ width: 400, deviceScaleFactor: 3, arrivedAt: services.now() - 1_000 });

    expect(services.state.jobs[0]).toMatchObject({
      accountId: account.id,
      format: "pdf",
      page: { width: 400, cssWidth: "400px", height: 1123, cssHeight: "297mm" },
      margin: { top: 48, right: 48, bottom: 48, left: 48 },
      deviceScaleFactor: 3,
      timeoutMs: 24_000,
    });
  });

  it("clips an image to the height that the request gives", async () => {
    const { services, create } = await world();

    await create({ format: "png", height: 300 });

    expect(services.state.jobs[0]?.html).toContain("height:300px;overflow:clip");
  });

  it("lets an image grow when the request gives no height", async () => {
    const { services, create } = await world();

    await create({ format: "png", width: 300 });

    expect(services.state.jobs[0]?.html).toContain("min-height:1123px");
  });

  it("warns of unknown keys, of images by URL and of what the renderer saw", async () => {
    const fields = [field("photo", "image")];
    const { services, create } = await world({}, { fields });
    services.state.outcomes.push({
      status: "rendered",
      ...{ fileSize: 1, sha256: "ab", pageCount: 1, warnings: ["The text was clipped."] },
    });

    const { document } = await create({ data: { photo: "https://example.com/a.png", other: 1 } });

    expect(document.warnings).toEqual([
      expect.stringContaining("`other`"),
      expect.stringContaining("`photo`"),
      "The text was clipped.",
    ]);
  });

  it("answers although the commit fails, and says so in the log", async () => {
    const { services, create } = await world({ quota: { commit: failing("the object is away") } });

    const { document } = await create();
    await services.idle();

    expect(document.status).toBe("completed");
    expect(services.state.log).toContainEqual(expect.objectContaining({ level: "error", what: "commit the hold" }));
  });

  it("does not wait for the commit", async () => {
    const { create } = await world({ quota: { commit: hanging() } });

    const { document } = await create();

    expect(document.status).toBe("completed");
  });

  it("holds the place while it renders, with all that settling needs", async () => {
    const all = await world();
    let held: unknown;
    all.services.renderer.render = async (job) => {
      held = structuredClone([...all.services.state.holds.values()]);
      return { status: "rendered", ...(await putFile(all.services.state, job)) };
    };

    const { document } = await all.create();

    const { status: _, completedAt, fileSize, sha256, pageCount, warnings, ...draft } = document;
    expect([completedAt, fileSize, sha256, pageCount, warnings]).not.toContain(undefined);
    expect(held).toEqual([{ state: "held", hold: { draft, webhookUrl: null, leaseMs: 90_000 } }]);
  });
});

describe("a create that is refused", () => {
  it("says TEMPLATE_NOT_FOUND for an unknown id", async () => {
    const { create } = await world();

    const { status, code } = await refusalOf(create({ templateId: "nope" }));

    expect([status, code]).toEqual([404, "TEMPLATE_NOT_FOUND"]);
  });

  it("says the same for another account's template", async () => {
    const { services, create } = await world();
    const { account: other } = await fakeAccount(services);
    const theirs = fakeTemplate(services, other, templateContent({}));

    const [foreign, unknown] = [
      await refusalOf(create({ templateId: theirs.id })),
      await refusalOf(create({ templateId: "nope" })),
    ];

    expect([foreign.status, foreign.code, foreign.message]).toEqual([unknown.status, unknown.code, unknown.message]);
  });

  const invoice = [
    field("number", "string", { required: true }),
    field("total", "number"),
    field("paid", "boolean"),
    field("items", "list", { fields: [field("price", "number", { required: true })] }),
  ];

  it("names every missing field at once", async () => {
    const { create } = await world({}, { fields: invoice });

    const error = await refusalOf(create({ data: { items: [{ price: 1 }, {}] } }));

    expect([error.status, error.code]).toEqual([400, "MISSING_FIELD"]);
    expect(error.message).toContain("`data.number`, `data.items.1.price`");
    expect(error.details?.map(({ path }) => path)).toEqual(["data.number", "data.items.1.price"]);
  });

  it("names every value of the wrong type at once, and what is missing beside", async () => {
    const { create } = await world({}, { fields: invoice });

    const error = await refusalOf(create({ data: { total: "1", paid: "yes" } }));

    expect([error.status, error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(error.details?.map(({ path }) => path)).toEqual(["data.total", "data.paid", "data.number"]);
  });

  it("counts the problems that it does not name", async () => {
    const { create } = await world({}, { fields: invoice });

    const { message, details } = await refusalOf(
      create({ data: { number: "1", items: Array.from({ length: 130 }, () => ({})) } }),
    );

    expect(details).toHaveLength(100);
    expect(message).toMatch(/ And 30 more\.$/);
  });

  it("names the margins that do not fit into the page", async () => {
    const { create } = await world();

    const error = await refusalOf(create({ width: 96 }));

    expect([error.status, error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(error.details).toEqual([{ path: "width", message: expect.stringContaining("96 x 1123 px") }]);
  });

  it("names the caps of an image that would be too large", async () => {
    const { create } = await world();

    const error = await refusalOf(create({ format: "png", width: 5000, height: 5000, deviceScaleFactor: 2 }));

    expect([error.status, error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(error.message).toContain("10000 x 10000 pixels");
  });

  it("blames the density when the request names no length", async () => {
    const manifest = { ...templateContent({}).manifest, page: customGeometry(5000, 5000) };
    const { create } = await world({}, { content: { manifest } });

    const error = await refusalOf(create({ format: "png", deviceScaleFactor: 2 }));

    expect(error.details?.map(({ path }) => path)).toEqual(["deviceScaleFactor"]);
  });

  it("does not cap paper", async () => {
    const { create } = await world();

    const { document } = await create({ format: "pdf", width: 5000, height: 5000, deviceScaleFactor: 3 });

    expect(document.status).toBe("completed");
  });

  it("says RENDER_LIMIT_EXCEEDED with the places taken and the seconds to the reset", async () => {
    const { create } = await world({ now: Date.parse("2026-11-30T23:59:00.000Z") }, { monthlyRenders: 2 });
    await create();
    await create();

    const error = await refusalOf(create());

    expect([error.status, error.code]).toEqual([429, "RENDER_LIMIT_EXCEEDED"]);
    expect(error.message).toBe("Monthly render limit exceeded. Current: 2/2");
    expect(error.retryAfterSeconds).toBe(60);
  });

  it("sends the figures of the allowance with RENDER_LIMIT_EXCEEDED", async () => {
    const { create } = await world({ now: Date.parse("2026-11-30T23:59:00.000Z") }, { monthlyRenders: 0 });

    const { usage } = await refusalOf(create());

    expect(usage).toEqual({ used: 0, limit: 0, month: "2026-11", nowMs: Date.parse("2026-11-30T23:59:00.000Z") });
  });

  it("asks for the shortest wait when the month turns over while the place is refused", async () => {
    const all = await world({ now: Date.parse("2026-11-30T23:59:59.990Z") }, { monthlyRenders: 0 });
    const { reserve } = all.services.quota;
    all.services.quota.reserve = (request) => {
      all.services.state.nowMs += 20;
      return reserve(request);
    };

    const { retryAfterSeconds } = await refusalOf(all.create());

    expect(retryAfterSeconds).toBe(1);
  });

  it("does not send a caller away for a month when the month turns over meanwhile", async () => {
    const all = await world({ now: Date.parse("2026-11-30T23:59:59.990Z") }, { monthlyRenders: 1 });
    await all.create();
    const { find } = all.services.templates;
    all.services.templates.find = (...args) => {
      all.services.state.nowMs += 20;
      return find(...args);
    };

    const waitSeconds = await all.create().then(
      () => 0,
      ({ retryAfterSeconds }: ServiceError) => Number(retryAfterSeconds),
    );

    expect(waitSeconds).toBeLessThanOrEqual(1);
  });

  it("counts places in flight against the limit", async () => {
    const all = await world({ renderer: { render: hanging() } }, { monthlyRenders: 1 });
    void all.create();
    await expect.poll(() => states(all)).toEqual(["held"]);

    const error = await refusalOf(all.create());

    expect(error.message).toBe("Monthly render limit exceeded. Current: 1/1");
  });

  it("can read more places than the limit after the plan was lowered", async () => {
    const { services, account, create } = await world();
    await create();
    await create();
    account.plan.monthlyRenders = 1;
    await services.idle();

    const error = await refusalOf(create());

    expect(error.message).toBe("Monthly render limit exceeded. Current: 2/1");
  });

  it.each<[string, Partial<CreateDocumentInput>]>([
    ["an unknown template", { templateId: "nope" }],
    ["a missing field", { data: {} }],
    ["a mistyped value", { data: { number: 1 } }],
    ["margins that do not fit", { data: { number: "1" }, width: 20 }],
    ["an image too large", { data: { number: "1" }, format: "png", width: 5000, height: 5000, deviceScaleFactor: 3 }],
  ])("leaves nothing and takes no place: %s", async (_what, input) => {
    const all = await world({}, { fields: invoice });

    await refusalOf(all.create(input));

    expect(all.services.state.holds.size).toBe(0);
    expectNothingLeft(all);
  });

  it("leaves nothing when the allowance is used up", async () => {
    const all = await world({}, { monthlyRenders: 0 });

    await refusalOf(all.create());

    expect(all.services.state.jobs).toEqual([]);
    expectNothingLeft(all);
  });

  it("completes exactly as many parallel creates as there are places", async () => {
    const all = await world({}, { monthlyRenders: 3 });

    const results = await Promise.allSettled(Array.from({ length: 10 }, () => all.create()));

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(documentsOf(all)).toHaveLength(3);
  });
});

describe("too many renders under way", () => {
  /** Two renders are under way, as many as the account may have at once. */
  async function crowded(options: { monthlyRenders?: number } = {}) {
    const rendersInFlight = { free: 2, starter: 2, pro: 2, enterprise: 2 };
    const all = await world({ settings: { rendersInFlight } }, options);
    const { render } = all.services.renderer;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    all.services.renderer.render = async (job) => {
      await promise;
      return render(job);
    };
    const underWay = [all.create(), all.create()];
    await expect.poll(() => states(all)).toEqual(["held", "held"]);
    const settled = async () => {
      end();
      await Promise.all(underWay);
      await all.services.idle();
    };
    return { all, settled };
  }

  it("is RENDER_FAILED, 503, with the seconds to wait", async () => {
    const { all } = await crowded();

    const error = await refusalOf(all.create());

    expect([error.status, error.code]).toEqual([503, "RENDER_FAILED"]);
    expect(error.retryAfterSeconds).toBe(1);
  });

  it("names the number that the plan allows", async () => {
    const { all } = await crowded();

    const { message } = await refusalOf(all.create());

    expect(message).toContain("2 renders in progress");
  });

  it("leaves nothing of the refused create", async () => {
    const { all } = await crowded();

    await refusalOf(all.create());

    expect(states(all)).toEqual(["held", "held"]);
    expect([documentsOf(all).length, all.services.state.files.size]).toEqual([0, 0]);
  });

  it("lets the next one in when one has ended", async () => {
    const { all, settled } = await crowded();
    await refusalOf(all.create());
    await settled();

    const { document } = await all.create();

    expect(document.status).toBe("completed");
  });

  it("does not keep another account waiting", async () => {
    const { all, settled } = await crowded();
    const { account: other } = await fakeAccount(all.services);
    const theirs = fakeTemplate(all.services, other, templateContent({}));
    const input = { templateId: theirs.id, data: {}, format: "pdf", deviceScaleFactor: 2, idempotency: null } as const;

    const creation = createDocument(all.services, other, { ...input, arrivedAt: all.services.now() });
    await settled();

    expect((await creation).document.status).toBe("completed");
  });

  it("is refused as RENDER_LIMIT_EXCEEDED when the allowance is used up as well", async () => {
    const { all } = await crowded({ monthlyRenders: 2 });

    const { status } = await refusalOf(all.create());

    expect(status).toBe(429);
  });
});

describe("an allowance that runs out", () => {
  const thresholds = ({ services }: World) =>
    services.state.log
      .filter(({ event }) => event === "quota.threshold_reached")
      .map(({ percent, used }) => [percent, used]);
  const createTimes = async (all: World, times: number) => {
    for (let count = 0; count < times; count++) {
      await all.create();
      await all.services.idle();
    }
  };

  it.each([
    [5, 4],
    [7, 6],
    [10, 8],
  ])("of %i renders is in the log once at four fifths (%i) and once at the end", async (monthlyRenders, atEighty) => {
    const all = await world({}, { monthlyRenders });

    await createTimes(all, monthlyRenders);

    expect(thresholds(all)).toEqual([
      [80, atEighty],
      [100, monthlyRenders],
    ]);
  });

  it("is not in the log below 80 %", async () => {
    const all = await world({}, { monthlyRenders: 5 });

    await createTimes(all, 3);

    expect(thresholds(all)).toEqual([]);
  });

  it("is not in the log again when a create is refused for it", async () => {
    const all = await world({}, { monthlyRenders: 1 });
    await createTimes(all, 1);
    const before = thresholds(all);

    await refusalOf(all.create());

    expect(thresholds(all)).toEqual(before);
  });

  it("is in the log with the account and its limit", async () => {
    const all = await world({}, { monthlyRenders: 5 });

    await createTimes(all, 4);

    expect(all.services.state.log).toContainEqual({
      level: "info",
      event: "quota.threshold_reached",
      accountId: all.account.id,
      percent: 80,
      used: 4,
      limit: 5,
    });
  });
});

/** A render that fails after its place was taken: what the caller is told, and how it comes to be. */
const failures: {
  what: string;
  outcomes: FakeServices["state"]["outcomes"];
  options?: TenantOptions;
  status: number;
  says: RegExp;
}[] = [
  {
    what: "a Liquid problem",
    outcomes: [],
    options: { page: "<p>\n{{ 1 | currency: 'x' }}" },
    status: 422,
    says: /pages\/1\.liquid, line 2: currency needs/,
  },
  {
    what: "a document that cannot be made",
    outcomes: [{ status: "impossible", message: "501 pages." }],
    status: 422,
    says: /^501 pages\.$/,
  },
  { what: "a browser that fails twice", outcomes: [crashed, crashed], status: 502, says: /browser failed/ },
  { what: "a deadline", outcomes: [timedOut], status: 504, says: /too long/ },
  { what: "a crash and then a deadline", outcomes: [crashed, timedOut], status: 504, says: /too long/ },
];

describe.each(failures)("a render that fails by $what", ({ outcomes, options, status, says }) => {
  const failed = async (overrides: Overrides = {}) => {
    const all = await world(overrides, options);
    all.services.state.outcomes.push(...outcomes);
    const error = await refusalOf(all.create());
    await all.services.idle();
    return { all, error };
  };

  it("is RENDER_FAILED with its own status and reason", async () => {
    const { error } = await failed();

    expect([error.status, error.code]).toEqual([status, "RENDER_FAILED"]);
    expect(error.message).toMatch(says);
  });

  it("leaves a failed document that says the same", async () => {
    const { all, error } = await failed();

    expect(failedDocument(all).error).toEqual({ code: "RENDER_FAILED", message: error.message });
  });

  it("gives the place back", async () => {
    const { all } = await failed();

    expect(states(all)).toEqual(["released"]);
  });

  it("leaves no file", async () => {
    const { all } = await failed();

    expect([...all.services.state.files.keys()]).toEqual([]);
  });

  it("answers the same when giving the place back fails", async () => {
    const { all, error } = await failed({ quota: { release: failing("the object is away") } });

    expect([error.status, error.code]).toEqual([status, "RENDER_FAILED"]);
    expect(states(all)).toEqual(["held"]);
  });

  it("answers the same when the file cannot be removed", async () => {
    const { error } = await failed({ files: { remove: failing("R2 is down") } });

    expect([error.status, error.code]).toEqual([status, "RENDER_FAILED"]);
  });

  it("keeps the place held while the file cannot be removed, so that the alarm settles it", async () => {
    const { all } = await failed({ files: { remove: failing("R2 is down") } });

    expect(states(all)).toEqual(["held"]);
  });

  it("undoes nothing when the failure cannot be recorded: the hold's alarm will", async () => {
    const { all, error } = await failed({ documents: { insert: failing("D1 is down") } });

    expect([error.status, error.code]).toEqual([status, "RENDER_FAILED"]);
    expect(states(all)).toEqual(["held"]);
  });
});

describe("a browser that crashes", () => {
  it("is tried once more, with the same file", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(crashed);

    const { document } = await create();

    expect(document.status).toBe("completed");
    expect(services.state.jobs.map(({ fileKey }) => fileKey)).toEqual([document.fileKey, document.fileKey]);
  });

  it("is not tried a third time", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(crashed, crashed);

    await refusalOf(create());

    expect(services.state.jobs).toHaveLength(2);
  });

  it("is not tried again when too little time is left", async () => {
    const all = await world();
    all.services.renderer.render = async (job) => {
      all.services.state.jobs.push(job);
      all.services.state.nowMs += 21_500;
      return crashed;
    };

    const error = await refusalOf(all.create());

    expect(error.status).toBe(502);
    expect(all.services.state.jobs).toHaveLength(1);
  });

  it("leaves the second try only the time that is left", async () => {
    const all = await world();
    all.services.renderer.render = async (job) => {
      all.services.state.jobs.push(job);
      all.services.state.nowMs += 10_000;
      return crashed;
    };

    await refusalOf(all.create());

    expect(all.services.state.jobs.map(({ timeoutMs }) => timeoutMs)).toEqual([25_000, 15_000]);
  });

  it("is in the log with its reason, and the reason is not in the answer", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(crashed, crashed);

    const error = await refusalOf(create());

    expect(services.state.log).toContainEqual(
      expect.objectContaining({ event: "render.crashed", reason: "Target closed" }),
    );
    expect(error.message).not.toContain("Target closed");
  });
});

describe("no free browser", () => {
  it("is RENDER_FAILED, 503, with the seconds to wait", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(busy);

    const error = await refusalOf(create());

    expect([error.status, error.code]).toEqual([503, "RENDER_FAILED"]);
    expect(error.retryAfterSeconds).toBe(3);
  });

  it("leaves nothing, and gives the place back", async () => {
    const all = await world();
    all.services.state.outcomes.push(busy);

    await refusalOf(all.create());

    expect(states(all)).toEqual(["released"]);
    expectNothingLeft(all);
  });

  it("leaves no file of a first try that crashed after it had put one", async () => {
    const all = await world();
    all.services.state.outcomes.push(crashed, busy);

    await refusalOf(all.create());
    await all.services.idle();

    expect([...all.services.state.files.keys()]).toEqual([]);
  });

  it("answers the same when giving the place back fails", async () => {
    const all = await world({ quota: { release: failing("the object is away") } });
    all.services.state.outcomes.push(busy);

    const error = await refusalOf(all.create());

    expect([error.status, error.code]).toEqual([503, "RENDER_FAILED"]);
  });
});

describe.each([
  ["a failed render", [timedOut]],
  ["no free browser after a crash", [crashed, busy]],
])("giving up after %s", (_what, outcomes) => {
  const givenUp = async (overrides: Overrides = {}) => {
    const all = await world(overrides);
    all.services.state.outcomes.push(...outcomes);
    const steps: string[] = [];
    const { files, quota } = all.services;
    const { remove } = files;
    const { release } = quota;
    files.remove = (key) => remove(key).then(() => void steps.push("file removed"));
    quota.release = (...args) => release(...args).then(() => void steps.push("place given back"));
    await refusalOf(all.create());
    return { all, steps };
  };

  it("removes the file before it gives the place back", async () => {
    const { steps } = await givenUp();

    expect(steps).toEqual(["file removed", "place given back"]);
  });

  it("gives no place back while the file cannot be removed", async () => {
    const { all, steps } = await givenUp({ files: { remove: failing("R2 is down") } });

    expect(steps).toEqual([]);
    expect(states(all)).toEqual(["held"]);
  });

  it("is in the log when it is left to the alarm", async () => {
    const { all } = await givenUp({ files: { remove: failing("R2 is down") } });

    expect(all.services.state.log).toContainEqual(
      expect.objectContaining({ level: "warn", event: "hold.left_to_alarm", cause: new Error("R2 is down") }),
    );
  });

  it("leaves the alarm all that it needs to remove the file", async () => {
    const { all } = await givenUp({ files: { remove: failing("R2 is down") } });
    const [left] = [...all.services.state.holds.values()];
    const files = { ...all.services.files, remove: async (key: string) => void all.services.state.files.delete(key) };

    const verdict = left && (await settleHold({ ...all.services, files }, left.hold));

    expect(verdict).toBe("failed");
    expect(all.services.state.files.size).toBe(0);
  });
});

describe("a deadline that has passed before the render", () => {
  it("is 504 without troubling a browser", async () => {
    const { services, create } = await world();

    const error = await refusalOf(create({ arrivedAt: services.now() - 25_000 }));

    expect([error.status, error.code]).toEqual([504, "RENDER_FAILED"]);
    expect(services.state.jobs).toEqual([]);
  });

  it("leaves a failed document and gives the place back", async () => {
    const all = await world();

    await refusalOf(all.create({ arrivedAt: all.services.now() - 25_001 }));

    expect(failedDocument(all).status).toBe("failed");
    expect(states(all)).toEqual(["released"]);
  });
});

describe("a completed render that cannot be recorded", () => {
  it("is RENDER_FAILED, 502, with the cause for the log", async () => {
    const { create } = await world({ documents: { insert: failing("D1 is down") } });

    const error = await refusalOf(create());

    expect([error.status, error.code]).toEqual([502, "RENDER_FAILED"]);
    expect(error.cause).toEqual(new Error("D1 is down"));
    expect(error.message).not.toContain("D1");
  });

  it("is left to the hold's alarm: the file stays and the place stays held", async () => {
    const all = await world({ documents: { insert: failing("D1 is down") } });

    await refusalOf(all.create());
    await all.services.idle();

    expect(states(all)).toEqual(["held"]);
    expect(all.services.state.files.size).toBe(1);
  });
});

describe("a maker so slow that the alarm has settled its hold", () => {
  const overtaken = async () => {
    const all = await world();
    all.services.renderer.render = async (job) => {
      const metadata = await putFile(all.services.state, job);
      for (const [id, entry] of all.services.state.holds) {
        const error = { code: "RENDER_FAILED", message: "The render was interrupted." } as const;
        all.services.state.documents.set(id, { ...entry.hold.draft, status: "failed", error });
        entry.state = "released";
      }
      return { status: "rendered", ...metadata };
    };
    const error = await refusalOf(all.create());
    await all.services.idle();
    return { all, error };
  };

  it("tells the caller that it failed, as D1 says", async () => {
    const { error } = await overtaken();

    expect([error.status, error.code]).toEqual([504, "RENDER_FAILED"]);
  });

  it("leaves the document failed", async () => {
    const { all } = await overtaken();

    expect(failedDocument(all).error.message).toBe("The render was interrupted.");
  });

  it("removes the file", async () => {
    const { all } = await overtaken();

    expect(all.services.state.files.size).toBe(0);
  });

  it("counts nothing", async () => {
    const { all } = await overtaken();

    expect(states(all)).toEqual(["released"]);
  });
});

describe("an outside that fails", () => {
  it("before a place is taken leaves nothing", async () => {
    const all = await world({ templates: { find: failing("D1 is down") } });

    await expect(all.create()).rejects.toThrow("D1 is down");

    expectNothingLeft(all);
  });

  it("by not reserving renders nothing", async () => {
    const all = await world({ quota: { reserve: failing("the object is away") } });

    await expect(all.create()).rejects.toThrow();

    expect(all.services.state.jobs).toEqual([]);
    expectNothingLeft(all);
  });

  it("by breaking off the render is a crash: it is tried once more", async () => {
    const all = await world();
    const { render } = all.services.renderer;
    all.services.renderer.render = async () => {
      all.services.renderer.render = render;
      throw new Error("the pool is away");
    };

    const { document } = await all.create();

    expect(document.status).toBe("completed");
  });

  it("by breaking off the render twice is RENDER_FAILED, 502, with a failed document", async () => {
    const all = await world({ renderer: { render: failing("the pool is away") } });

    const error = await refusalOf(all.create());

    expect([error.status, error.code]).toEqual([502, "RENDER_FAILED"]);
    expect(failedDocument(all).error.message).toBe(error.message);
    expect(states(all)).toEqual(["released"]);
  });

  it("by losing the template's content is RENDER_FAILED with a failed document", async () => {
    const all = await world({ templates: { compiled: failing("R2 is down") } });

    const error = await refusalOf(all.create());

    expect([error.status, error.message]).toEqual([502, "The template could not be loaded."]);
    expect(failedDocument(all).error.code).toBe("RENDER_FAILED");
    expect(states(all)).toEqual(["released"]);
  });
});

describe("a create that asks for a webhook", () => {
  const webhookUrl = "https://Hooks.receiver.dev:443/hook#part";
  const url = "https://hooks.receiver.dev/hook";
  const eventsOf = ({ services }: World) => [...services.state.events.values()];

  it("leaves one event of its completion, to the URL in its normal form", async () => {
    const all = await world();

    const { document } = await all.create({ webhookUrl });

    const [event, ...others] = eventsOf(all);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ accountId: all.account.id, documentId: document.id, url });
    expect(JSON.parse(event?.payload ?? "")).toEqual({
      type: "document.completed",
      timestamp: new Date(all.services.now()).toISOString(),
      data: documentRecord(document, all.services.settings.cdnUrl),
    });
  });

  it("has its event queued once", async () => {
    const all = await world();

    await all.create({ webhookUrl });
    await all.services.idle();

    expect(all.services.state.queued).toEqual(eventsOf(all).map(({ accountId, id }) => ({ accountId, eventId: id })));
  });

  it("holds its place with the URL, for the alarm", async () => {
    const all = await world();

    await all.create({ webhookUrl });

    expect([...all.services.state.holds.values()].map(({ hold }) => hold.webhookUrl)).toEqual([url]);
  });

  it("leaves none of that when it asks for none", async () => {
    const all = await world();

    await all.create();
    await all.services.idle();

    expect([eventsOf(all), all.services.state.queued]).toEqual([[], []]);
  });

  it.each(failures)("leaves one event of its failure by $what", async ({ outcomes, options }) => {
    const all = await world({}, options);
    all.services.state.outcomes.push(...outcomes);

    await refusalOf(all.create({ webhookUrl }));
    await all.services.idle();

    const [event, ...others] = eventsOf(all);
    expect(others).toEqual([]);
    expect(JSON.parse(event?.payload ?? "")).toMatchObject({
      type: "document.failed",
      data: documentRecord(failedDocument(all), all.services.settings.cdnUrl),
    });
    expect(all.services.state.queued).toHaveLength(1);
  });

  it("leaves no event for 503, as it leaves no document", async () => {
    const all = await world();
    all.services.state.outcomes.push(busy);

    await refusalOf(all.create({ webhookUrl }));
    await all.services.idle();

    expect([eventsOf(all), all.services.state.queued]).toEqual([[], []]);
    expectNothingLeft(all);
  });

  it.each<[string, { options?: Parameters<typeof world>[1]; input?: Partial<CreateDocumentInput> }, number]>([
    ["an unknown template", { input: { templateId: crypto.randomUUID() } }, 404],
    ["a missing field", { options: { fields: [field("name", "string", { required: true })] } }, 400],
    ["a mistyped field", { input: { data: { name: 7 } } }, 400],
    ["a page that is too small", { input: { width: 16, height: 16 } }, 400],
    ["a used up allowance", { options: { monthlyRenders: 0 } }, 429],
  ])("leaves no event when it is refused for %s", async (_what, { options, input }, status) => {
    const all = await world({}, options);

    const error = await refusalOf(all.create({ webhookUrl, ...input }));
    await all.services.idle();

    expect(error.status).toBe(status);
    expect([eventsOf(all), all.services.state.queued]).toEqual([[], []]);
    expectNothingLeft(all);
  });

  it("completes when its event cannot be queued: the outbox has it", async () => {
    const all = await world({ webhookQueue: { send: failing("the queue is away") } });

    const { document } = await all.create({ webhookUrl });
    await all.services.idle();

    expect(document.status).toBe("completed");
    expect(eventsOf(all)).toHaveLength(1);
    expect(states(all)).toEqual(["committed"]);
  });

  it("completes when the announcement hangs", async () => {
    const { create } = await world({ webhookQueue: { send: hanging() } });

    const { document } = await create({ webhookUrl });

    expect(document.status).toBe("completed");
  });

  it("leaves no second event, nor announces one, when it is repeated", async () => {
    const all = await world();
    const idempotency = { key: "order-17", bodyHash: "body" };
    await all.create({ webhookUrl, idempotency });
    await all.services.idle();

    const { isReplay } = await all.create({ webhookUrl, idempotency });
    await all.services.idle();

    expect(isReplay).toBe(true);
    expect([eventsOf(all).length, all.services.state.queued.length]).toEqual([1, 1]);
  });

  it("leaves an event of each when the first failed and the same key tries again", async () => {
    const all = await world();
    const idempotency = { key: "order-17", bodyHash: "body" };
    all.services.state.outcomes.push(timedOut);
    await refusalOf(all.create({ webhookUrl, idempotency }));

    await all.create({ webhookUrl, idempotency });

    const types = eventsOf(all).map(({ payload }) => JSON.parse(payload).type);
    expect(types).toEqual(["document.failed", "document.completed"]);
  });

  it("that is too slow leaves the event of the alarm, and no other", async () => {
    const all = await world();
    all.services.renderer.render = async (job) => {
      const metadata = await putFile(all.services.state, job);
      for (const { hold } of all.services.state.holds.values()) await settleHold(all.services, hold);
      return { status: "rendered", ...metadata };
    };

    const error = await refusalOf(all.create({ webhookUrl }));
    await all.services.idle();

    expect(error.status).toBe(504);
    expect(eventsOf(all).map(({ payload }) => JSON.parse(payload).type)).toEqual(["document.failed"]);
    expect(all.services.state.queued).toHaveLength(1);
  });

  it("that cannot be recorded leaves its event to the alarm", async () => {
    const all = await world();
    const { insert } = all.services.documents;
    all.services.documents.insert = failing("D1 is down");
    await refusalOf(all.create({ webhookUrl }));
    const before = eventsOf(all);
    all.services.documents.insert = insert;

    for (const { hold } of all.services.state.holds.values()) await settleHold(all.services, hold);

    expect(before).toEqual([]);
    expect(eventsOf(all).map(({ url }) => url)).toEqual([url]);
  });

  it.each([
    ["http://hooks.receiver.dev/", "must be an absolute https URL"],
    ["https://127.1/", "must not name an IP address"],
    ["https://files.test/x", "must name a public host"],
    ["", "must be an absolute https URL"],
  ])("is refused for the URL %j, with the reason, and leaves nothing", async (refused, reason) => {
    const all = await world();

    const error = await refusalOf(all.create({ webhookUrl: refused }));

    expect([error.status, error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(error.details).toEqual([{ path: "webhookUrl", message: expect.stringContaining(reason) }]);
    expect([...all.services.state.holds.keys(), ...eventsOf(all)]).toEqual([]);
    expectNothingLeft(all);
  });

  it("is refused for its URL before its template is looked for", async () => {
    const { create } = await world();

    const error = await refusalOf(create({ webhookUrl: "https://localhost/", templateId: crypto.randomUUID() }));

    expect(error.code).toBe("VALIDATION_ERROR");
  });
});
