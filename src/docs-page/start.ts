// Starts the API reference on the page at /docs. The page shows the OpenAPI document of the service that it comes from, and sends
// the reader's requests to that service only. Nothing that the reader enters is stored.
import type { ApiReferenceConfiguration } from "@scalar/fastify-api-reference";

/** The type also requires properties that only Scalar's own web page uses. */
type Configuration = Partial<ApiReferenceConfiguration>;

declare global {
  /** Set by the script of Scalar, which is loaded after this one. */
  var Scalar: { createApiReference(element: string, configuration: Configuration): unknown };
  /** Read by zod, which is part of Scalar. */
  var __zod_globalConfig: { jitless: boolean };
}

const configuration: Configuration = {
  url: "/api/v1/openapi.json",
  // The document names the public URL of the service. The page may be open under another name of it, for example
  // `localhost`, and may only send requests to its own origin.
  servers: [{ url: `${location.origin}/api/v1` }],
  persistAuth: false,
  // Everything that would send data to Scalar, or that leads to its other products.
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  // The reader's system decides between light and dark.
  hideDarkModeToggle: true,
  modelsSectionLabel: "Schemas",
  documentDownloadType: "direct",
};

// Zod would otherwise test whether it may compile code from strings, which the content security policy reports as a violation.
globalThis.__zod_globalConfig = { jitless: true };
document.addEventListener("DOMContentLoaded", () => Scalar.createApiReference("#reference", configuration));
