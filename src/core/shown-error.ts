// An error as responses, records and webhooks have it.
import type { ErrorCode, ErrorDetail, ServiceError } from "./errors.ts";

export type ShownError = { code: ErrorCode; message: string; details?: ErrorDetail[] };

export function shownError({ code, message, details }: ServiceError): ShownError {
  return { code, message, ...(details && { details }) };
}
