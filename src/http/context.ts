// The values that the handlers of a request share.
import type { Context } from "hono";
import type { Account } from "../core/accounts/account.ts";
import type { Log, Services } from "../ports/services.ts";

export type HttpEnv = {
  Bindings: Env;
  Variables: {
    services: Services;
    log: Log;
    /** Set by authentication, so it is present only in requests below the base path of the API. */
    account: Account;
    requestId: string;
    /** In ms since the epoch. */
    arrivedAt: number;
  };
};

export type HttpContext = Context<HttpEnv>;
