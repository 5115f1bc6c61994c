// Injects faults into calls to bindings. A call may fail before or after it takes effect, hang, be slow, or kill its
// request. All faults are derived from one seed, so that a run can be repeated.
import { intercepted, interceptedD1 } from "../fixtures/intercepted-bindings.ts";

export type Fault = "none" | "before" | "after" | "hang" | "hang-after" | "slow" | "crash" | "crash-after";

export type FaultSource = {
  random(): number;
  pick<T>(options: readonly T[]): T;
  /** The probability of a fault in each call, from 0 (never) to 1 (always). */
  rate: number;
};

/** Returns a source of faults. Its random numbers come from the generator mulberry32 and depend only on the seed. */
export function faultSource(seed: number, rate: number): FaultSource {
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

/** One request, from its start until it has a response or is killed. */
export type Invocation = { isOver: boolean; over: Promise<void>; end(): void };

export function newInvocation(): Invocation {
  const { promise, resolve } = Promise.withResolvers<void>();
  const invocation: Invocation = {
    isOver: false,
    over: promise,
    end: () => {
      invocation.isOver = true;
      resolve();
    },
  };
  return invocation;
}

const never = () => new Promise<never>(() => {});
const slowMs = 15;

/** Runs `work`, possibly with a fault. After the request has been killed, new calls do nothing, and no call settles. */
export async function underFaults<T>(
  faults: FaultSource,
  invocation: Invocation | null,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (invocation?.isOver) return never();
  const hasFault = faults.random() < faults.rate;
  const kinds: Fault[] = [
    "before",
    "after",
    "hang",
    "hang-after",
    "slow",
    ...(invocation ? (["crash", "crash-after"] as const) : []),
  ];
  const fault: Fault = hasFault ? faults.pick(kinds) : "none";
  // Half of the injected errors have the message of a transient error of D1.
  const error = new Error(faults.random() < 0.5 ? "Network connection lost." : `injected at ${name}`);
  if (fault === "before") throw error;
  if (fault === "hang") return never();
  if (fault === "crash") invocation?.end();
  if (fault === "crash") return never();
  if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs * faults.random()));
  const result = await work();
  if (fault === "after") throw error;
  if (fault === "crash-after") invocation?.end();
  if (fault === "hang-after" || fault === "crash-after" || invocation?.isOver) return never();
  return result;
}

/** Returns a proxy of `target`. Faults may occur in the methods listed in `methods`, and in no other method. */
export function faulty<T extends object>(
  faults: FaultSource,
  invocation: Invocation | null,
  target: T,
  name: string,
  methods: string[],
): T {
  return intercepted(target, name, (call, work) => underFaults(faults, invocation, call, work), methods);
}

/** Returns a proxy of `database`. Faults may occur when a statement or a batch runs, but not when it is built. */
export function faultyD1(faults: FaultSource, invocation: Invocation | null, database: D1Database): D1Database {
  return interceptedD1(database, (call, work) => underFaults(faults, invocation, call, work));
}
