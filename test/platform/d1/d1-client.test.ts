// Tests which errors of D1 are retried, and which errors callers get. The binding is a fake that fails with the messages that
// D1's documentation lists.
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/core/errors.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";

const transient = [
  "D1_ERROR: D1 DB reset because its code was updated.",
  "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
  "D1_ERROR: Can't read from request stream because client disconnected.",
  "D1_ERROR: Replica disconnected from primary.",
  "internal error; reference = 0123456789abcdef",
  "D1_ERROR: database is locked: SQLITE_BUSY",
];

const overloaded = [
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "D1_ERROR: Exceeded maximum DB size.",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
];

const permanent = [
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
  "D1_ERROR: UNIQUE constraint failed: accounts.id: SQLITE_CONSTRAINT",
];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Returns a binding whose first queries fail with these messages in order. Later queries succeed. */
function failingD1(...messages: string[]) {
  let queries = 0;
  const query = async () => {
    const message = messages[queries++];
    if (message !== undefined) throw new Error(message);
    return { results: [], success: true };
  };
  const statement = { bind: () => ({ run: query, all: query, raw: async () => (await query()).results }) };
  const binding = { prepare: () => statement, batch: query } as unknown as D1Database;
  return { binding, queries: () => queries };
}

/** Runs a query with the parameter `marked`, and returns its error, if it has one. */
async function errorOf(binding: D1Database): Promise<unknown> {
  const client = d1Client(binding, 5_000);
  const ended = client
    .run((db) => db.run(sql`SELECT ${"marked"}`))
    .then(
      () => null,
      (error: unknown) => error,
    );
  await vi.runAllTimersAsync();
  return ended;
}

it.each(transient)("a query is tried three times if it fails with %j", async (message) => {
  const [recovering, failing] = [failingD1(message, message), failingD1(message, message, message)];

  expect(await errorOf(recovering.binding)).toBeNull();
  expect(await errorOf(failing.binding)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect([recovering.queries(), failing.queries()]).toEqual([3, 3]);
});

it.each(overloaded)("a query is tried once if it fails with %j, which callers see as an overload", async (message) => {
  const { binding, queries } = failingD1(message);

  const error = await errorOf(binding);

  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    message: "The service is overloaded. Try again later.",
  });
  expect(chainOf(error)).not.toContain("marked");
  expect(queries()).toBe(1);
});

it.each(permanent)("a query is tried once if it fails with %j, which is a fault of the service", async (message) => {
  const { binding, queries } = failingD1(message);

  const error = await errorOf(binding);

  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ServiceError);
  expect(chainOf(error)).not.toContain("marked");
  expect(queries()).toBe(1);
});

it.each([
  { random: 0, pausesMs: [20, 40] },
  { random: 1, pausesMs: [60, 120] },
])("a query is retried after a random pause, and then after a longer pause (random number $random)", async (row) => {
  vi.spyOn(Math, "random").mockReturnValue(row.random);
  const tries: [attempt: number, at: number][] = [];

  const ended = d1Client({} as D1Database, 5_000).run(async (_, attempt) => {
    tries.push([attempt, Date.now()]);
    throw new Error(transient[0]);
  });
  await Promise.all([expect(ended).rejects.toThrow(), vi.runAllTimersAsync()]);

  expect(tries.map(([attempt]) => attempt)).toEqual([1, 2, 3]);
  expect([1, 2].map((index) => (tries[index]?.[1] ?? 0) - (tries[index - 1]?.[1] ?? 0))).toEqual(row.pausesMs);
});

it("a query is not retried when D1 is overloaded at the second attempt", async () => {
  const { binding, queries } = failingD1(transient[0] ?? "", overloaded[0] ?? "");

  expect(await errorOf(binding)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(queries()).toBe(2);
});

it.each([
  { random: 0, seconds: 5 },
  { random: 0.999, seconds: 10 },
])("the error of a query asks callers to wait for 5 to 10 seconds (random: $random)", async ({ random, seconds }) => {
  vi.spyOn(Math, "random").mockReturnValue(random);
  const { binding } = failingD1(overloaded[0] ?? "");

  expect(await errorOf(binding)).toMatchObject({ retryAfterSeconds: seconds });
});

it("the error of a query names the query and keeps the message of D1, for the log", async () => {
  const { binding } = failingD1(permanent[0] ?? "");

  const chain = chainOf(await errorOf(binding));

  expect(chain).toContain("SELECT ?");
  expect(chain).toContain(permanent[0]);
});

it("the error of a query does not depend on the parameters of the query", async () => {
  const { binding, queries } = failingD1("D1_ERROR: no such table: x: SQLITE_ERROR");
  const client = d1Client(binding, 5_000);

  const error = await client
    .run((db) => db.run(sql`SELECT ${"D1 DB is overloaded. Network connection lost."}`))
    .catch((thrown: unknown) => thrown);

  expect(error).not.toBeInstanceOf(ServiceError);
  expect(queries()).toBe(1);
});

/** Returns the messages and stacks of an error and all its causes. */
function chainOf(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${error.stack}\n${chainOf(error.cause)}` : "";
}
