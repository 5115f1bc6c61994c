// Decides in which order calls to other parts of the service take effect, and which of them fail. All decisions are derived
// from one seed: a call waits until it is released, and may then be lost before or after it takes effect, be duplicated, or
// arrive late.
import type { FaultSource } from "../../faults/fault-injection.ts";

/** A caller. Nothing reaches a dead caller any more. */
export type Caller = { isDead: boolean };

/** The called part. */
export type Callee = "d1" | "files" | "contents" | "queue" | "renderer" | "object";

const otherFaults: { [Name in Callee]?: string[] } = {
  d1: ["late"],
  files: ["late"],
  object: ["doubled", "late", "repeated"],
};

type Waiting = { caller: Caller; callee: Callee; work: () => Promise<unknown>; release(): void };

export type FaultyCalls = {
  call<T>(caller: Caller, callee: Callee, work: () => Promise<T>): Promise<T>;
  /** Returns the service with all of its methods as calls of this kind. */
  wrapped<T extends object>(caller: Caller, callee: Callee, service: T): T;
  /** Each method returns false if there is no call of its kind. */
  release(): boolean;
  /** Lets a call arrive late. */
  arrive(): boolean;
  /** Ends the caller. Its calls may still take effect. */
  end(caller: Caller): void;
  isDown: Set<Callee>;
};

const lost = () => new Error("Network connection lost.");
const ignored = (work: Promise<unknown>) => void work.catch(() => {});

export function faultyCalls(faults: FaultSource): FaultyCalls {
  const waiting: Waiting[] = [];
  const late: (() => Promise<unknown>)[] = [];
  const isDown = new Set<Callee>();
  const settle = async <T>(callee: Callee, work: () => Promise<T>): Promise<T> => {
    if (callee === "renderer") return work();
    if (isDown.has(callee)) throw lost();
    if (faults.random() >= faults.rate * (callee === "object" ? 2 : 1)) return work();
    const fault = faults.pick(["before", "after", ...(otherFaults[callee] ?? [])]);
    if (fault === "late" || fault === "repeated") late.push(work);
    if (fault === "before" || fault === "late") throw lost();
    if (fault === "doubled") ignored(work());
    const result = await work();
    if (fault === "after") throw lost();
    return result;
  };
  const taken = <T>(from: T[]): T | undefined => from.splice(Math.floor(faults.random() * from.length), 1)[0];
  const call: FaultyCalls["call"] = (caller, callee, work) =>
    new Promise((resolve, reject) => {
      if (caller.isDead) return;
      const arrive =
        <V>(then: (value: V) => void) =>
        (value: V) =>
          caller.isDead || then(value);
      const release = () => void settle(callee, work).then(arrive(resolve), arrive(reject));
      waiting.push({ caller, callee, work, release });
    });
  return {
    call,
    wrapped: (caller, callee, service) =>
      new Proxy(service, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== "function") return method;
          return (...args: unknown[]) =>
            call(caller, callee, async () => Reflect.apply(method, target, args) as Promise<unknown>);
        },
      }),
    release() {
      const next = taken(waiting);
      next?.release();
      return next !== undefined;
    },
    arrive() {
      const next = taken(late);
      if (next) ignored(next());
      return next !== undefined;
    },
    end(caller) {
      caller.isDead = true;
      for (const { callee, work } of waiting.filter((other) => other.caller === caller)) {
        const fate = faults.random();
        if (fate < 0.4 && !isDown.has(callee)) ignored(work());
        else if (fate < 0.7 && callee === "object") late.push(work);
      }
      waiting.splice(0, waiting.length, ...waiting.filter((other) => other.caller !== caller));
    },
    isDown,
  };
}
