// The HTTP side, wired: request id, envelope, authentication, routes, and the answers for unknown paths and methods.
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ServiceError, validationError } from "../core/errors.ts";
import { authenticate } from "../operations/accounts/authenticate.ts";
import type { Log, Services } from "../ports.ts";
import type { HttpEnv } from "./context.ts";
import { documents } from "./documents/document-routes.ts";
import { failure, success } from "./envelope.ts";
import { publicFiles } from "./documents/public-files.ts";
import { templates } from "./templates/template-routes.ts";
import { usage } from "./accounts/usage-routes.ts";

export const basePath = "/api/v1";

/** Every path of the interface with the methods it has; what is not here is NOT_FOUND. */
const methodsByPath = [
  { path: "/healthz", methods: "GET, HEAD" },
  { path: `${basePath}/documents`, methods: "GET, HEAD, POST" },
  { path: `${basePath}/documents/:id`, methods: "GET, HEAD, DELETE" },
  { path: `${basePath}/documents/:id/download`, methods: "GET, HEAD" },
  { path: `${basePath}/templates`, methods: "GET, HEAD" },
  { path: `${basePath}/templates/:id`, methods: "GET, HEAD" },
  { path: `${basePath}/usage`, methods: "GET, HEAD" },
];

export type AppParts = {
  servicesOf(env: Env, waitUntil: (work: Promise<unknown>) => void): Services;
  /** Where failures go that even services cannot be made for. */
  log: Log;
};

export function createApp({ servicesOf, log }: AppParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.use(async (context, next) => {
    context.set("log", log);
    context.set("requestId", crypto.randomUUID());
    context.header("X-Request-Id", context.var.requestId);
    const services = servicesOf(context.env, (work) => context.executionCtx.waitUntil(work));
    context.set("services", services);
    context.set("arrivedAt", services.now());
    await next();
  });

  app.use(`${basePath}/*`, async (context, next) => {
    context.set("account", await authenticate(context.var.services, context.req.header("Authorization")));
    await next();
  });

  app.route(`${basePath}/documents`, documents);
  app.route(`${basePath}/templates`, templates);
  app.route(`${basePath}/usage`, usage);
  app.route("/files", publicFiles);
  app.get("/healthz", async (context) => {
    await context.var.services.health.check();
    return success(context, { status: "ok" });
  });

  for (const { path, methods } of methodsByPath) {
    const error = new ServiceError(405, "METHOD_NOT_ALLOWED", `This path allows ${methods}.`);
    app.all(path, (context) => failure(context, error, { Allow: methods }));
  }
  app.notFound((context) => failure(context, new ServiceError(404, "NOT_FOUND", "There is nothing at this path.")));
  app.onError((thrown, context) => failure(context, isMalformedJson(thrown) ? malformedJson() : thrown));
  return app;
}

/** The validator reports a body that does not parse as Hono's own exception. */
function isMalformedJson(thrown: Error): boolean {
  return thrown instanceof HTTPException && thrown.status === 400;
}

function malformedJson(): ServiceError {
  return validationError([{ path: "", message: "The body is not valid JSON." }]);
}
