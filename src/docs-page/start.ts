// Starts the API reference on the page at /docs. The page shows the OpenAPI document of the service that serves it, and sends the
// reader's requests only to that service. Nothing that the reader enters is stored.
import type { ApiReferenceConfiguration } from "@scalar/fastify-api-reference";

/** The type also requires properties that only Scalar's own web page uses. */
type Configuration = Partial<ApiReferenceConfiguration>;

declare global {
  /** Set by the script of Scalar, which is loaded after this one. */
  var Scalar: { createApiReference(element: string, configuration: Configuration): unknown };
  /** Read by zod, which is part of Scalar. */
  var __zod_globalConfig: { jitless: boolean };
}

const documentUrl = "/api/v1/openapi.json";

const configuration: Configuration = {
  url: documentUrl,
  customFetch: fetchForReference,
  // The document contains the public URL of the service. The page may be open under a different host, for example
  // `localhost`, and may only send requests to its own origin.
  servers: [{ url: `${location.origin}/api/v1` }],
  persistAuth: false,
  // Disables everything that sends data to Scalar or leads to its other products.
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  // The theme follows the reader's system.
  hideDarkModeToggle: true,
  modelsSectionLabel: "Schemas",
  documentDownloadType: "direct",
};

// Otherwise, Zod tests whether it may compile code from strings, which the content security policy reports as a violation.
globalThis.__zod_globalConfig = { jitless: true };
document.addEventListener("DOMContentLoaded", () => Scalar.createApiReference("#reference", configuration));

type Parameter = { in: string; schema: { enum?: unknown[] }; example?: unknown };
type OpenApiDocument = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

/** Sends Scalar's requests. Changes the document that Scalar shows, so that it filters lists only if the reader asks for it. */
async function fetchForReference(request: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  const isDocument = new URL(response.url).pathname === documentUrl;
  return isDocument && response.ok ? Response.json(withEmptyFilters(await response.json())) : response;
}

/** Otherwise, Scalar fills in the first allowed value and sends it. It does not send empty values. */
function withEmptyFilters(document: OpenApiDocument): OpenApiDocument {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === "query" && parameter.schema.enum) parameter.example = "";
    }
  }
  return document;
}
