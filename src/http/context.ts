// The values that the handlers of a request share.
import type { Context } from "hono";
import type { Log } from "colophon-base/log";
import type { Account, KeyRights } from "../core/accounts/account.ts";
import { clientOf } from "../core/accounts/client.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Attempt } from "../operations/accounts/authenticate.ts";
import type { RequestTrace } from "../operations/observation/observed-services.ts";
import type { MaintenanceServices, OperatorServices, Services } from "../ports/services.ts";

export type HttpEnv = {
  Bindings: Env;
  Variables: {
    services: Services;
    log: Log;
    /**
     * Set by authentication, so it is present only in requests below the base path of the API, and in requests of the management API for an
     * account.
     */
    account: Account;
    /** The rights of the request's key; null for the operator. Set by authentication. */
    key: KeyRights | null;
    /** The id of the key, or `operator`. Set by authentication. */
    actor: string;
    /** Set by `admit`, unless the path or the method is unknown. */
    operationId: string | undefined;
    /** The id of the account that the operator's request has created, filled or read, if it is not in the path. */
    createdAccountId: string | undefined;
    /** Present in requests of the management API. */
    manage: OperatorServices;
    maintenance: MaintenanceServices;
    requestId: string;
    /** Set by `allowOrigins`. */
    allowsOrigins: boolean | undefined;
    trace: RequestTrace;
    /** Set by the first error of the response. */
    errorCode: ErrorCode | undefined;
    /** In ms since the epoch. */
    arrivedAt: number;
    /** Stops reading a body that is streamed. */
    endReading: (() => Promise<unknown>) | undefined;
    /** Releases the memory of the body's values. Called when the request has ended. */
    releaseBody: (() => void) | undefined;
  };
};

export type HttpContext = Context<HttpEnv>;

/** Returns the request's attempt to authenticate. Cloudflare sets the address; a client cannot choose it. */
export function attemptOf({ req }: HttpContext): Attempt {
  return {
    authorization: req.header("Authorization"),
    client: clientOf(req.header("CF-Connecting-IP"), req.header("CF-Worker")),
  };
}
