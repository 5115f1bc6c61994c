// What a request carries through its handlers.
import type { Context } from "hono";
import type { Account, Services } from "../ports.ts";

export type HttpEnv = {
  Bindings: Env;
  Variables: {
    services: Services;
    /** Set behind authentication. */
    account: Account;
    requestId: string;
    /** ms since the epoch. */
    arrivedAt: number;
  };
};

export type HttpContext = Context<HttpEnv>;
