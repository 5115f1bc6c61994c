// The response headers that belong to an error. They contain only constants and numbers, never text from a caller.
import type { ServiceError } from "../core/errors.ts";
import { rateLimitHeaders } from "./accounts/rate-limit-headers.ts";

export function errorHeaders({ code, retryAfterSeconds, usage }: ServiceError): Record<string, string> {
  const headers: Record<string, string> = usage ? rateLimitHeaders(usage) : {};
  if (code === "INVALID_API_KEY" || code === "INVALID_HEALTH_SECRET") headers["WWW-Authenticate"] = "Bearer";
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  return headers;
}
