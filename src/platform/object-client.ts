// Calls to an account's Durable Object, each with a deadline. Every method of such an object is idempotent, so a call whose
// response was lost is simply repeated.
import { withDeadline } from "./deadline.ts";
import { retry } from "./retry.ts";

/** A Durable Object namespace, reduced to what calling an object by name needs. */
export type ObjectNamespace<T> = { idFromName(name: string): DurableObjectId; get(id: DurableObjectId): T };

export type ObjectCall<T> = <R>(accountId: string, method: (object: T) => Promise<R>) => Promise<R>;

/** The platform has already restarted a failed object by the time of the second try, so there is no pause. */
const policy = { maxTries: 2, isRetryable: () => true, firstPauseMs: 0, maxPauseMs: 0 };

/** `what` names the object in the error of a call that took longer than `tryTimeoutMs`. */
export function objectCall<T>(what: string, namespace: ObjectNamespace<T>, tryTimeoutMs: number): ObjectCall<T> {
  return (accountId, method) =>
    retry(policy, async () => {
      // The stub of a failed call may stay broken, so each try gets a new one.
      const object = namespace.get(namespace.idFromName(accountId));
      return withDeadline(what, tryTimeoutMs, method(object));
    });
}
