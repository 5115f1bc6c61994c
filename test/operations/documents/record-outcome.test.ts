import { describe, expect, it } from "vitest";
import { settleHold } from "../../../src/operations/documents/settle-hold.ts";
import { putFile } from "../../fakes/renderer.ts";
import { failing, type Overrides } from "../../fakes/services.ts";
import {
  crashed,
  expectNothingLeft,
  failedDocument,
  failures,
  noCapacity,
  refusalOf,
  states,
  timedOut,
  world,
} from "./world.ts";

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

describe("no free browser", () => {
  it("is RENDER_FAILED, 503, with the seconds to wait", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(noCapacity);

    const error = await refusalOf(create());

    expect([error.status, error.code]).toEqual([503, "RENDER_FAILED"]);
    expect(error.retryAfterSeconds).toBe(3);
  });

  it("leaves nothing, and gives the place back", async () => {
    const all = await world();
    all.services.state.outcomes.push(noCapacity);

    await refusalOf(all.create());

    expect(states(all)).toEqual(["released"]);
    expectNothingLeft(all);
  });

  it("leaves no file of a first try that crashed after it had put one", async () => {
    const all = await world();
    all.services.state.outcomes.push(crashed, noCapacity);

    await refusalOf(all.create());
    await all.services.idle();

    expect([...all.services.state.files.keys()]).toEqual([]);
  });

  it("answers the same when giving the place back fails", async () => {
    const all = await world({ quota: { release: failing("the object is away") } });
    all.services.state.outcomes.push(noCapacity);

    const error = await refusalOf(all.create());

    expect([error.status, error.code]).toEqual([503, "RENDER_FAILED"]);
  });
});

describe.each([
  ["a failed render", [timedOut]],
  ["no free browser after a crash", [crashed, noCapacity]],
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
