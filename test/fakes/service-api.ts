// A fake of the management API for the operator's commands. It records the requests.
import type { ServiceApi } from "../../src/cli/service-api.ts";

/** `responses` has the `data` of each request, such as `GET /plans`. A list has all of its items. */
export function fakeServiceApi(responses: Record<string, unknown>) {
  const requests: { request: string; body?: object | undefined }[] = [];
  const respond = async (request: string, body?: object) => {
    requests.push({ request, ...(body && { body }) });
    if (!(request in responses)) throw new Error(`the fake has no response to ${request}`);
    return responses[request] as never;
  };
  const api: ServiceApi = {
    base: "https://service.test/admin",
    key: "key",
    call: (method, path, body) => respond(`${method} ${path}`, body),
    fetch: () => Promise.reject(new Error("the fake has no responses with a status")),
    list: (path) => respond(`GET ${path}`),
  };
  return { api, requests };
}
