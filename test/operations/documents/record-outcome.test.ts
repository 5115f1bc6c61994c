import { describe, expect, it, vi } from "vitest";
import { serviceUnavailable } from "../../../src/core/errors.ts";
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

describe.each(failures)("a render that fails because of $what", ({ outcomes, options, reason, message }) => {
  const failed = async (overrides: Overrides = {}) => {
    const all = await world(overrides, options);
    all.services.state.outcomes.push(...outcomes);
    const error = await refusalOf(all.create());
    await all.services.idle();
    return { all, error };
  };

  it("results in RENDER_FAILED with the reason and the message for that failure", async () => {
    const { error } = await failed();

    expect([error.reason, error.code]).toEqual([reason, "RENDER_FAILED"]);
    expect(error.message).toMatch(message);
  });

  it("leaves a failed document with the same error", async () => {
    const { all, error } = await failed();

    expect(failedDocument(all).error).toEqual({ code: "RENDER_FAILED", message: error.message });
  });

  it("releases the hold", async () => {
    const { all } = await failed();

    expect(states(all)).toEqual(["released"]);
  });

  it("leaves no file", async () => {
    const { all } = await failed();

    expect([...all.services.state.files.keys()]).toEqual([]);
  });

  it("results in the same reason and code even if the hold cannot be released", async () => {
    const { all, error } = await failed({ quota: { release: failing("the object is away") } });

    expect([error.reason, error.code]).toEqual([reason, "RENDER_FAILED"]);
    expect(states(all)).toEqual(["held"]);
  });

  it("results in the same reason and code even if the file cannot be removed", async () => {
    const { error } = await failed({ files: { remove: failing("R2 is down") } });

    expect([error.reason, error.code]).toEqual([reason, "RENDER_FAILED"]);
  });

  it("leaves the hold to the alarm when the file cannot be removed", async () => {
    const { all } = await failed({ files: { remove: failing("R2 is down") } });

    expect(states(all)).toEqual(["held"]);
  });

  it("leaves the hold to the alarm when the failure cannot be recorded", async () => {
    const { all, error } = await failed({ documents: { insert: failing("D1 is down") } });

    expect([error.reason, error.code]).toEqual([reason, "RENDER_FAILED"]);
    expect(states(all)).toEqual(["held"]);
  });
});

describe("a render for which there is no capacity", () => {
  it("results in 503 RENDER_FAILED with the seconds to wait", async () => {
    const { services, create } = await world();
    services.state.outcomes.push(noCapacity);

    const error = await refusalOf(create());

    expect([error.reason, error.code]).toEqual(["no_capacity", "RENDER_FAILED"]);
    expect(error.retryAfterSeconds).toBe(3);
  });

  it("persists nothing and releases the hold", async () => {
    const all = await world();
    all.services.state.outcomes.push(noCapacity);

    await refusalOf(all.create());

    expect(states(all)).toEqual(["released"]);
    expectNothingLeft(all);
  });

  it("asks the bucket for nothing, because no attempt can have stored a file", async () => {
    const all = await world();
    all.services.state.outcomes.push(noCapacity);
    const remove = vi.spyOn(all.services.files, "remove");

    await refusalOf(all.create());

    expect(remove).not.toHaveBeenCalled();
  });

  it("leaves no file, even if the first attempt stored a file before it crashed", async () => {
    const all = await world();
    all.services.state.outcomes.push(crashed, noCapacity);

    await refusalOf(all.create());
    await all.services.idle();

    expect([...all.services.state.files.keys()]).toEqual([]);
  });

  it("results in the same reason and code even if the hold cannot be released", async () => {
    const all = await world({ quota: { release: failing("the object is away") } });
    all.services.state.outcomes.push(noCapacity);

    const error = await refusalOf(all.create());

    expect([error.reason, error.code]).toEqual(["no_capacity", "RENDER_FAILED"]);
  });
});

describe.each([
  ["a failed render", [timedOut]],
  ["no capacity after a crash", [crashed, noCapacity]],
])("the cleanup after %s", (_what, outcomes) => {
  const cleanedUp = async (overrides: Overrides = {}) => {
    const all = await world(overrides);
    all.services.state.outcomes.push(...outcomes);
    const steps: string[] = [];
    const { files, quota } = all.services;
    const { remove } = files;
    const { release } = quota;
    files.remove = (key) => remove(key).then(() => void steps.push("file removed"));
    quota.release = (...args) => release(...args).then(() => void steps.push("hold released"));
    await refusalOf(all.create());
    return { all, steps };
  };

  it("removes the file before it releases the hold", async () => {
    const { steps } = await cleanedUp();

    expect(steps).toEqual(["file removed", "hold released"]);
  });

  it("does not release the hold while the file cannot be removed", async () => {
    const { all, steps } = await cleanedUp({ files: { remove: failing("R2 is down") } });

    expect(steps).toEqual([]);
    expect(states(all)).toEqual(["held"]);
  });

  it("is logged when it is left to the alarm", async () => {
    const { all } = await cleanedUp({ files: { remove: failing("R2 is down") } });

    expect(all.services.state.log).toContainEqual(
      expect.objectContaining({ level: "warn", event: "hold.left_to_alarm", cause: new Error("R2 is down") }),
    );
  });

  it("leaves a hold with everything that the alarm needs to remove the file", async () => {
    const { all } = await cleanedUp({ files: { remove: failing("R2 is down") } });
    const [left] = [...all.services.state.holds.values()];
    const files = { ...all.services.files, remove: async (key: string) => void all.services.state.files.delete(key) };

    const status = left && (await settleHold({ ...all.services, files }, left.hold));

    expect(status).toBe("failed");
    expect(all.services.state.files.size).toBe(0);
  });
});

describe("a deadline that has passed before the render", () => {
  it("results in 504 without using a browser", async () => {
    const { services, create } = await world();

    const error = await refusalOf(create({ arrivedAt: services.now() - 25_000 }));

    expect([error.reason, error.code]).toEqual(["timed_out", "RENDER_FAILED"]);
    expect(services.state.jobs).toEqual([]);
  });

  it("leaves a failed document and releases the hold", async () => {
    const all = await world();

    await refusalOf(all.create({ arrivedAt: all.services.now() - 25_001 }));

    expect(failedDocument(all).status).toBe("failed");
    expect(states(all)).toEqual(["released"]);
  });
});

describe("a completed render that cannot be recorded", () => {
  it("results in 502 RENDER_FAILED with a message that does not reveal the cause", async () => {
    const { create } = await world({ documents: { insert: failing("D1 is down") } });

    const error = await refusalOf(create());

    expect([error.reason, error.code]).toEqual(["browser_failed", "RENDER_FAILED"]);
    expect(error.cause).toEqual(new Error("D1 is down"));
    expect(error.message).not.toContain("D1");
  });

  it("leaves its file and its hold to the alarm", async () => {
    const all = await world({ documents: { insert: failing("D1 is down") } });

    await refusalOf(all.create());
    await all.services.idle();

    expect(states(all)).toEqual(["held"]);
    expect(all.services.state.files.size).toBe(1);
  });
});

describe("a render while the database is full", () => {
  const full = { documents: { insert: async () => ({ status: "full" }) as const } };

  it("results in 503 RENDER_FAILED, and neither a file nor a hold remains", async () => {
    const all = await world(full);

    const error = await refusalOf(all.create());

    expect([error.code, error.reason, error.retryAfterSeconds]).toEqual(["RENDER_FAILED", "no_capacity", 300]);
    expect(error.message).toMatch(/does not count/);
    expectNothingLeft(all);
  });

  it("releases its hold when it has failed", async () => {
    const all = await world(full);
    all.services.state.outcomes.push(timedOut);

    const error = await refusalOf(all.create());

    expect(error.reason).toBe("timed_out");
    expectNothingLeft(all);
  });
});

it("a render that an overloaded database cannot record results in SERVICE_UNAVAILABLE", async () => {
  const cause = serviceUnavailable({ retryAfterSeconds: 7, cause: null });
  const { create } = await world({ documents: { insert: () => Promise.reject(cause) } });

  const error = await refusalOf(create());

  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 7, cause });
  expect(error.message).toMatch(/counts only if the document appears in the list/);
});

describe("a create so slow that the alarm has already settled its hold", () => {
  const settledMeanwhile = async () => {
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

  it("fails, because the alarm has already recorded the document as failed", async () => {
    const { error } = await settledMeanwhile();

    expect([error.reason, error.code]).toEqual(["timed_out", "RENDER_FAILED"]);
  });

  it("leaves the failed document unchanged", async () => {
    const { all } = await settledMeanwhile();

    expect(failedDocument(all).error.message).toBe("The render was interrupted.");
  });

  it("removes the file", async () => {
    const { all } = await settledMeanwhile();

    expect(all.services.state.files.size).toBe(0);
  });

  it("does not count as a render", async () => {
    const { all } = await settledMeanwhile();

    expect(states(all)).toEqual(["released"]);
  });
});
