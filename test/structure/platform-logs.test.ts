// The platform can write a line of its own for each request, with the URL and the headers, which contain the client's address.
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/cli/local/wrangler-config.ts";

describe("the platform's own lines about requests", () => {
  it("are switched off", () => {
    const config = readConfig();

    expect(config.observability).toMatchObject({ enabled: true, logs: { enabled: true, invocation_logs: false } });
  });
});
