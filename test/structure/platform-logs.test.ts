// The platform can write a line of its own for each request, with the URL and the headers, which contain the client's address.
import { describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";

describe("the platform's own lines about requests", () => {
  it("are switched off", () => {
    const config = unstable_readConfig({ config: new URL("../../wrangler.toml", import.meta.url).pathname });

    expect(config.observability).toMatchObject({ enabled: true, logs: { enabled: true, invocation_logs: false } });
  });
});
