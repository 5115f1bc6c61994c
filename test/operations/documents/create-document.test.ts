import { describe, expect, it } from "vitest";
import { autoHeightPx, putFile } from "../../fakes/renderer.ts";
import { failing, hanging } from "../../fakes/services.ts";
import { field } from "../../fixtures/tenant.ts";
import { crashed, expectNothingLeft, failedDocument, refusalOf, states, world } from "./world.ts";

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

  it("stores the document that it returns", async () => {
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

  it("escapes the data that it inserts into the template", async () => {
    const { services, create } = await world();

    await create({ data: { name: "<Ada>" } });

    expect(services.state.jobs[0]?.html).toContain("<p>Hello &lt;Ada&gt;</p>");
  });

  it("renders the template's default for a field without data", async () => {
    const { services, create } = await world({}, { fields: [field("name", "string", { default: "you" })] });

    await create();

    expect(services.state.jobs[0]?.html).toContain("Hello you");
  });

  it("passes the page, the margin and the remaining time to the renderer", async () => {
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

  it("clips an image to the height in the request", async () => {
    const { services, create } = await world();

    await create({ format: "png", height: 300 });

    expect(services.state.jobs[0]?.html).toContain("height:300px;overflow:clip");
  });

  it("lets an image grow beyond the template's height when the request gives no height", async () => {
    const { services, create } = await world();

    await create({ format: "png", width: 300 });

    expect(services.state.jobs[0]?.html).toContain("min-height:1123px");
  });

  it("makes the boxes of an image as high as their content when the request gives the height auto", async () => {
    const { services, create } = await world();

    await create({ format: "png", height: "auto" });

    expect(services.state.jobs[0]?.html).toMatch(/\.page\{box-sizing:border-box;width:794px;display:flow-root;padding/);
  });

  it("records the height of the file when the height is auto", async () => {
    const { services, create } = await world();

    const { document } = await create({ height: "auto" });

    expect([...services.state.holds.values()]).toMatchObject([{ hold: { draft: { width: 794, height: null } } }]);
    expect([document.width, document.height]).toEqual([794, autoHeightPx]);
  });

  it("warns about unknown keys and missing images before the renderer's warnings", async () => {
    const fields = [field("photo", "image")];
    const { services, create } = await world({}, { fields });
    services.state.outcomes.push({
      status: "rendered",
      fileSize: 1,
      sha256: "ab",
      pageCount: 1,
      width: 794,
      height: 1123,
      imageSize: null,
      warnings: ["The text was clipped."],
    });

    const { document } = await create({ data: { photo: "https://example.com/a.png", other: 1 } });

    expect(document.warnings).toEqual([
      expect.stringContaining("`other`"),
      expect.stringContaining("`photo`"),
      "The text was clipped.",
    ]);
  });

  it("returns the completed document and logs the error when the commit fails", async () => {
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

  it("reserves a hold before the render, with everything that is needed to settle the hold", async () => {
    const all = await world();
    let held: unknown;
    all.services.renderer.render = async (job) => {
      held = structuredClone([...all.services.state.holds.values()]);
      return { status: "rendered", ...(await putFile(all.services.state, job)) };
    };

    const { document } = await all.create();

    const { status: _, completedAt, fileSize, sha256, imageSize: __, pageCount, warnings, ...draft } = document;
    expect([completedAt, fileSize, sha256, pageCount, warnings]).not.toContain(undefined);
    const { cdnUrl } = all.services.settings;
    expect(held).toEqual([{ state: "held", hold: { draft, webhookUrl: null, leaseMs: 90_000, cdnUrl } }]);
  });
});

describe("a render whose browser crashes", () => {
  it("is retried once, with the same file key", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(crashed);

    const { document } = await create();

    expect(document.status).toBe("completed");
    expect(services.state.jobs.map(({ fileKey }) => fileKey)).toEqual([document.fileKey, document.fileKey]);
  });

  it("is not retried a second time", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(crashed, crashed);

    await refusalOf(create());

    expect(services.state.jobs).toHaveLength(2);
  });

  it("is not retried when too little time is left", async () => {
    const all = await world();
    all.services.renderer.render = async (job) => {
      all.services.state.jobs.push(job);
      all.services.state.nowMs += 21_500;
      return crashed;
    };

    const error = await refusalOf(all.create());

    expect(error.reason).toBe("browser_failed");
    expect(all.services.state.jobs).toHaveLength(1);
  });

  it("gives the second attempt only the remaining time, and says that it is the last one", async () => {
    const all = await world();
    all.services.renderer.render = async (job) => {
      all.services.state.jobs.push(job);
      all.services.state.nowMs += 10_000;
      return crashed;
    };

    await refusalOf(all.create());

    const attempts = all.services.state.jobs.map(({ timeoutMs, mayRetry }) => ({ timeoutMs, mayRetry }));
    expect(attempts).toEqual([
      { timeoutMs: 25_000, mayRetry: true },
      { timeoutMs: 15_000, mayRetry: false },
    ]);
  });

  it("is logged with the reason for the crash, which is not in the response", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(crashed, crashed);

    const error = await refusalOf(create());

    expect(services.state.log).toContainEqual(
      expect.objectContaining({ event: "render.crashed", reason: "Target closed" }),
    );
    expect(error.message).not.toContain("Target closed");
  });
});

describe("a dependency that fails", () => {
  it("before a hold is reserved leaves no document, file or hold", async () => {
    const all = await world({ templates: { find: failing("D1 is down") } });

    await expect(all.create()).rejects.toThrow("D1 is down");

    expectNothingLeft(all);
  });

  it("while the hold is being reserved prevents the render", async () => {
    const all = await world({ quota: { reserve: failing("the object is away") } });

    await expect(all.create()).rejects.toThrow();

    expect(all.services.state.jobs).toEqual([]);
    expectNothingLeft(all);
  });

  it("during the render counts as a crash and is retried once", async () => {
    const all = await world();
    const { render } = all.services.renderer;
    all.services.renderer.render = async () => {
      all.services.renderer.render = render;
      throw new Error("the pool is away");
    };

    const { document } = await all.create();

    expect(document.status).toBe("completed");
  });

  it("during both render attempts results in 502 RENDER_FAILED and a failed document", async () => {
    const all = await world({ renderer: { render: failing("the pool is away") } });

    const error = await refusalOf(all.create());

    expect([error.reason, error.code]).toEqual(["browser_failed", "RENDER_FAILED"]);
    expect(failedDocument(all).error.message).toBe(error.message);
    expect(states(all)).toEqual(["released"]);
  });

  it("while the index of fonts is read is made good by a second attempt", async () => {
    const chosen = [null, []];
    const all = await world({ fonts: { facesFor: async () => chosen.shift() ?? null } });

    const { document } = await all.create();

    expect(document.status).toBe("completed");
  });

  it("in both attempts to read the index of fonts results in 502 RENDER_FAILED and a failed document", async () => {
    const all = await world({ fonts: { facesFor: async () => null } });

    const error = await refusalOf(all.create());

    expect([error.reason, error.message]).toEqual(["browser_failed", "The service's fonts could not be loaded."]);
    expect(failedDocument(all).error.code).toBe("RENDER_FAILED");
    expect(states(all)).toEqual(["released"]);
  });

  it("while the template's content is read results in 502 RENDER_FAILED and a failed document", async () => {
    const all = await world({ templates: { compiled: failing("R2 is down") } });

    const error = await refusalOf(all.create());

    expect([error.reason, error.message]).toEqual(["browser_failed", "The template could not be loaded."]);
    expect(failedDocument(all).error.code).toBe("RENDER_FAILED");
    expect(states(all)).toEqual(["released"]);
  });
});
