// Calls to an account's object, each with a deadline. Every method of such an object is idempotent, so a call whose answer
// was lost is simply made again.
import { withDeadline } from "./deadline.ts";

/** A Durable Object namespace, as far as calling one of its objects by name goes. */
export type ObjectNamespace<T> = { idFromName(name: string): DurableObjectId; get(id: DurableObjectId): T };

export type ObjectCall<T> = <R>(accountId: string, method: (object: T) => Promise<R>) => Promise<R>;

const tries = 2;

/** `what` names the object in the error of a call that took longer than `tryTimeoutMs`. */
export function objectCall<T>(what: string, namespace: ObjectNamespace<T>, tryTimeoutMs: number): ObjectCall<T> {
  return async (accountId, method) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // A stub whose call failed may stay broken: each try takes a new one.
        const object = namespace.get(namespace.idFromName(accountId));
        return await withDeadline(what, tryTimeoutMs, method(object));
      } catch (error) {
        if (attempt >= tries) throw error;
      }
    }
  };
}
