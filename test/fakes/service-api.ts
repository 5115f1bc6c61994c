// A scripted service for the operator's commands. It records the requests.
import { vi } from "vitest";
import { serviceAt } from "../../src/cli/service-api.ts";

/**
 * `responses` contains the `data` for each request, such as `GET /plans`, without the limit of lists. It replaces the global `fetch`
 * until `vi.unstubAllGlobals()`.
 */
export function fakeServiceApi(responses: Record<string, unknown>) {
  const requests: { request: string; body?: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
    const path = url.replace("https://service.test/api/manage/v1/admin", "").replace(/[?&]limit=.*/, "");
    const request = `${method} ${path}`;
    requests.push({ request, ...(typeof body === "string" && { body: JSON.parse(body) }) });
    if (!(request in responses)) throw new Error(`the fake has no response to ${request}`);
    return Response.json({ success: true, data: responses[request] });
  });
  return { api: serviceAt("https://service.test", "key"), requests };
}

/** Returns the `data` of a list with these items. */
export function listOf(name: string, items: object[]): object {
  return { [name]: items, pagination: { nextCursor: null } };
}
