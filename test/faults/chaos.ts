// Faults on demand: every call to a binding may fail before its work, fail after it, hang, be slow, or be the last thing
// its maker ever does. All drawn from one seed, so that a run can be repeated.

export type Fault = "none" | "before" | "after" | "hang" | "hang-after" | "slow" | "crash" | "crash-after";

export type Chaos = {
  random(): number;
  pick<T>(options: readonly T[]): T;
  /** The chance of a fault for each call, 0 to 1; 0 makes everything work. */
  rate: number;
};

/** mulberry32: small, and the same everywhere. */
export function chaosOf(seed: number, rate: number): Chaos {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    random,
    rate,
    pick: (options) => options[Math.floor(random() * options.length)] as (typeof options)[number],
  };
}

/** One request, from the moment it is made until it is answered or killed. */
export type Life = { isOver: boolean; over: Promise<void>; end(): void };

export function newLife(): Life {
  const { promise, resolve } = Promise.withResolvers<void>();
  const life: Life = {
    isOver: false,
    over: promise,
    end: () => {
      life.isOver = true;
      resolve();
    },
  };
  return life;
}

const never = () => new Promise<never>(() => {});
const slowMs = 15;

/** Runs `work` under a fault. A killed maker's calls neither do anything nor come back. */
export async function underFaults<T>(
  chaos: Chaos,
  life: Life | null,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (life?.isOver) return never();
  const hasFault = chaos.random() < chaos.rate;
  const faults: Fault[] = [
    "before",
    "after",
    "hang",
    "hang-after",
    "slow",
    ...(life ? (["crash", "crash-after"] as const) : []),
  ];
  const fault: Fault = hasFault ? chaos.pick(faults) : "none";
  // Half of the failures are of the kind that D1 documents as passing.
  const error = new Error(chaos.random() < 0.5 ? "Network connection lost." : `injected at ${name}`);
  if (fault === "before") throw error;
  if (fault === "hang") return never();
  if (fault === "crash") life?.end();
  if (fault === "crash") return never();
  if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs * chaos.random()));
  const result = await work();
  if (fault === "after") throw error;
  if (fault === "crash-after") life?.end();
  if (fault === "hang-after" || fault === "crash-after" || life?.isOver) return never();
  return result;
}

type Methods = Record<string, (...args: never[]) => unknown>;

/** `target` with faults in the named methods; everything else is passed through. */
export function faulty<T extends object>(
  chaos: Chaos,
  life: Life | null,
  target: T,
  name: string,
  methods: string[],
): T {
  return new Proxy(target, {
    get(_, property) {
      const value = (target as unknown as Record<string | symbol, unknown>)[property];
      if (typeof value !== "function") return value;
      const bound = (...args: never[]) => (target as unknown as Methods)[property as string]?.(...args);
      if (!methods.includes(String(property))) return bound;
      return (...args: never[]) => underFaults(chaos, life, `${name}.${String(property)}`, async () => bound(...args));
    },
  });
}

/** D1's statements are built before they are run, alone or in a batch: faults belong to the running. */
export function faultyD1(chaos: Chaos, life: Life | null, database: D1Database): D1Database {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const runs = faulty(chaos, life, statement, "D1", ["all", "run", "raw", "first"]);
    const wrapped = new Proxy(runs, {
      get: (_, property) =>
        property === "bind"
          ? (...values: unknown[]) => wrap(statement.bind(...values))
          : (runs as unknown as Record<string | symbol, unknown>)[property],
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  return new Proxy(database, {
    get(_, property) {
      if (property === "prepare") return (sql: string) => wrap(database.prepare(sql));
      if (property === "batch") {
        return (statements: D1PreparedStatement[]) =>
          underFaults(chaos, life, "D1.batch", () =>
            database.batch(statements.map((each) => originals.get(each) ?? each)),
          );
      }
      return (database as unknown as Record<string | symbol, unknown>)[property];
    },
  });
}
