// Requests to the management API.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { templateZip } from "colophon-template-model/template-zip";
import { managePath } from "../../../src/core/api-paths.ts";
import type { Tenant } from "../../fixtures/tenant.ts";
import { testService, type Failure, type TestService } from "../app.ts";

export const manageUrl = `https://colophon.test${managePath}`;
export const operatorKey = (env as { OPERATOR_KEY?: string }).OPERATOR_KEY ?? "";

export type Caller = {
  service: TestService;
  /** Returns the `data` of a response with this status. */
  ok<T>(method: string, path: string, body?: object, status?: number): Promise<T>;
  /** Returns the status and the error of a failure. */
  refused(method: string, path: string, body?: object): Promise<{ status: number } & Failure["error"]>;
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
};

export function callerWith(key: string, service = testService()): Caller {
  const send: Caller["send"] = (method, path, body, others = {}) => {
    const isZip = body instanceof Uint8Array;
    const type = isZip ? "application/zip" : "application/json";
    const headers = { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": type }), ...others };
    const url = path.startsWith("https:") ? path : manageUrl + path;
    const sent = body && { body: isZip ? new Uint8Array(body) : JSON.stringify(body) };
    return service.fetch(url, { method, headers, ...sent });
  };
  return {
    service,
    send,
    async ok<T>(method: string, path: string, body?: object, status = 200) {
      const response = await send(method, path, body);
      const text = await response.text();
      expect(response.status, text).toBe(status);
      return (JSON.parse(text) as { data: T }).data;
    },
    async refused(method, path, body) {
      const response = await send(method, path, body);
      const { error } = await response.json<Failure>();
      return { status: response.status, ...error };
    },
  };
}

export function callerOf(tenant: Tenant): Caller {
  return callerWith(tenant.key);
}

/** Returns a zip of a template with this single page. */
export function zipOf(page: string, title = "Letter"): Uint8Array {
  const fields = [{ key: "name", label: "Name", type: "string" }];
  const files = {
    "template.json": JSON.stringify({ title, pageSize: "A4", fields }),
    "sample.json": '{ "name": "Ada" }',
    "pages/1.liquid": page,
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  return templateZip(Object.entries(files).map(([path, text]) => ({ path, bytes: bytes(text) })));
}
