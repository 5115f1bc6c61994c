// Calls an account's Durable Object, with a deadline for each try. A failed call is repeated once, unless the object is
// overloaded. Repeating is safe even if the first call took effect and only its response was lost, because every method of
// these objects is idempotent.
import { withDeadline } from "colophon-base/deadline";
import type { Region } from "../core/region.ts";
import { isBroken, isOverloaded, overloadError } from "./overload.ts";

/**
 * The part of a Durable Object namespace that is needed to call an object by its name. `locationHint` says where the platform
 * creates the object. It affects only the first call of an object, because objects do not move.
 */
export type ObjectNamespace<T> = {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId, options?: { locationHint?: Region }): T;
};

/** The methods of a port without the argument for the account, because each account has its own object. */
export type WithoutAccount<Port> = {
  [Name in keyof Port]: Port[Name] extends (accountId: string, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Returns the region where an account's objects are created; null when the platform decides. Rejects only for a wrong configuration. */
export type HomeRegionOf = (accountId: string) => Promise<Region | null>;

/** `waitMs` is the time for which the object may let the call wait. It is added to the time limit of each try. */
export type ObjectCall<T> = <R>(accountId: string, method: (object: T) => Promise<R>, waitMs?: number) => Promise<R>;

/** How an account's objects are called. Each try may take at most `tryTimeoutMs`. */
export type Calls = { tryTimeoutMs: number; homeOf: HomeRegionOf };

/**
 * Returns a function that calls a method of an account's object. `what` names the object in the error's message. Calls
 * reject with SERVICE_UNAVAILABLE if the object is overloaded or cannot start, or its disk is full.
 */
export function objectCall<T>(
  what: string,
  namespace: ObjectNamespace<T>,
  { tryTimeoutMs, homeOf }: Calls,
): ObjectCall<T> {
  return async (accountId, method, waitMs = 0) => {
    const locationHint = await homeOf(accountId);
    const attempt = async () => {
      // The stub of a failed call may stay broken, so each try creates a new one.
      const object = namespace.get(namespace.idFromName(accountId), locationHint ? { locationHint } : {});
      return withDeadline(what, tryTimeoutMs + waitMs, method(object));
    };
    // There is no pause before the second try, because the platform has restarted a failed object by then.
    const calling = attempt().catch((error: unknown) => (isOverloaded(error) ? Promise.reject(error) : attempt()));
    return calling.catch((error: unknown) => {
      throw isOverloaded(error) || isBroken(error) ? overloadError(error) : error;
    });
  };
}
