// Refuses requests over http, because everybody on the way can read their keys, and tells browsers to use https for this host from
// now on. Requests on this machine itself are accepted.
import type { MiddlewareHandler } from "hono";
import { isLoopbackHost } from "colophon-base/service-url";
import { ServiceError } from "../core/errors.ts";
import type { HttpEnv } from "./context.ts";
import { failure } from "./envelope.ts";

const httpsRequired = new ServiceError(
  "HTTPS_REQUIRED",
  "Use https. A key in this request was sent in the clear and counts as leaked: revoke it, and create another one.",
);

export const requireHttps: MiddlewareHandler<HttpEnv> = async (context, next) => {
  // Browsers ignore it in responses over http. Other hosts of the domain are not ours to decide about.
  context.header("Strict-Transport-Security", "max-age=31536000");
  const { protocol, hostname } = new URL(context.req.url);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) return failure(context, httpsRequired);
  await next();
};
