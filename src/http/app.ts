// The HTTP application: request id, measurements, authentication, routes, and the errors for unknown paths and methods.
import { Hono } from "hono";
import { METHOD_NAME_ALL } from "hono/router";
import type { Log } from "colophon-base/log";
import { basePath, managePath } from "../core/api-paths.ts";
import { nothingHere, ServiceError } from "../core/errors.ts";
import { stageClock } from "../core/observation/stage-clock.ts";
import { parseUuid } from "../core/uuid.ts";
import { getPublicFile } from "../operations/documents/stored-documents.ts";
import { observedServices } from "../operations/observation/observed-services.ts";
import type { MaintenanceServices, OperatorServices, Services } from "../ports/services.ts";
import { requireAccess, routesOf } from "./access.ts";
import type { HttpContext, HttpEnv } from "./context.ts";
import { allowOrigins, isPreflight, preflightResponse } from "./cors.ts";
import { fileResponse } from "./documents/file-response.ts";
import { linkedFileResponse, linksPath } from "./documents/links.ts";
import { failure } from "./envelope.ts";
import { health } from "./health-routes.ts";
import { manageOperations } from "./manage/manage-routes.ts";
import { respondInTime, requireHttps, readUnreadBody } from "./middleware.ts";
import { observe } from "./observation.ts";
import { apiOperations, managementDocument, openApiDocument } from "./openapi/openapi-document.ts";
import { openApiRoutes } from "./openapi/openapi-routes.ts";

/** All methods that the `Allow` header may list, in the order of the header. */
const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

export type AppParts = {
  servicesOf(env: Env, waitUntil: (work: Promise<unknown>) => void, request: Request): Services;
  manageServicesOf(env: Env): OperatorServices;
  maintenanceServicesOf(env: Env): MaintenanceServices;
  /** Logs failed requests. It is separate from the services, because a request may fail before they are created. */
  log: Log;
};

export function createApp({ servicesOf, log, ...parts }: AppParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.use(async (context, next) => {
    context.set("log", log);
    context.set("requestId", crypto.randomUUID());
    context.header("X-Request-Id", context.var.requestId);
    await next();
  });
  app.use(readUnreadBody);
  app.use(`${basePath}/*`, allowOrigins);
  app.use(`${managePath}/*`, allowOrigins);
  app.use("/files/*", allowOrigins);
  app.use(`${linksPath}/*`, allowOrigins);
  app.use(observe);
  app.use(requireHttps);
  app.use(async (context, next) => {
    const waitUntil = (work: Promise<unknown>) => context.executionCtx.waitUntil(work);
    const services = servicesOf(context.env, waitUntil, context.req.raw);
    const trace = { requestId: context.var.requestId, clock: stageClock(services.now), documentId: null };
    context.set("trace", trace);
    context.set("services", observedServices(services, trace));
    context.set("arrivedAt", services.now());
    await next();
    context.var.releaseBody?.();
  });
  app.use(respondInTime);

  app.route(`${basePath}/openapi.json`, openApiRoutes(openApiDocument));
  app.route(`${managePath}/openapi.json`, openApiRoutes(managementDocument));

  app.use(`${basePath}/*`, requireAccess(basePath));
  app.use(`${managePath}/*`, async (context, next) => {
    context.set("manage", parts.manageServicesOf(context.env));
    context.set("maintenance", parts.maintenanceServicesOf(context.env));
    await next();
  });
  app.use(`${managePath}/*`, requireAccess(managePath, { isFresh: true }));

  app.route(basePath, routesOf(apiOperations));
  app.route(managePath, routesOf(manageOperations));
  app.route("/healthz", health);
  // In production, the bucket's own domain serves the files.
  app.get("/files/:key", async (context) => {
    const file = await getPublicFile(context.var.services, context.req.param("key"));
    return fileResponse(context, file, { "Cache-Control": "public, max-age=300" });
  });
  app.get(`${linksPath}/:token`, linkedFileResponse);
  rejectOtherMethods(app);
  app.notFound(notFound);
  app.onError((thrown, context) => failure(context, thrown));
  return app;
}

/** A preflight of an unknown path succeeds, so that the page can read the error of its request. */
function notFound(context: HttpContext): Response {
  if (isPreflight(context)) return preflightResponse(context, allMethods.join(", "));
  return failure(context, nothingHere());
}

/**
 * Makes every path added so far respond with METHOD_NOT_ALLOWED to methods that have no route on that path, except to
 * preflights, which ask for these methods. A path with a name in place of an id, such as `/documents/batch`, is unknown.
 */
function rejectOtherMethods(app: Hono<HttpEnv>): void {
  // Routes for all methods are middleware.
  const routes = app.routes.filter(({ method }) => method !== METHOD_NAME_ALL);
  // A path with a fixed name, such as `/webhooks/redeliver`, comes before a path with a parameter at that position.
  const byParameters = routes.toSorted((a, b) => a.path.split(":").length - b.path.split(":").length);
  for (const [path, sharing] of Map.groupBy(byParameters, (route) => route.path)) {
    const methods = new Set(sharing.map(({ method }) => method));
    // Hono handles HEAD with the GET route.
    const allowed = allMethods.filter((method) => methods.has(method === "HEAD" ? "GET" : method)).join(", ");
    const error = new ServiceError("METHOD_NOT_ALLOWED", `This path allows ${allowed}.`);
    app.all(path, (context) => {
      const id = context.req.param("id");
      if (id !== undefined && parseUuid(id) === null) return notFound(context);
      if (isPreflight(context)) return preflightResponse(context, allowed);
      return failure(context, error, { headers: { Allow: allowed } });
    });
  }
}
