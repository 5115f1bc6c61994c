import { describe, expect, it } from "vitest";
import { templateCommands } from "../../../src/cli/commands/templates.ts";
import { fakeServiceApi } from "../../fakes/service-api.ts";

const owners = { "GET /owners?id=t": { owners: [{ kind: "template", accountId: "a" }] } };

function run(verb: string, options: Record<string, string>, responses: Record<string, unknown> = {}) {
  const { api, requests } = fakeServiceApi({ ...owners, ...responses });
  return { requests, printed: templateCommands[`template ${verb}`]?.run(api, options) };
}

describe("template versions", () => {
  it("lists the versions of a template, whose account it finds", async () => {
    const versions = [{ version: 2 }, { version: 1 }];

    const { printed } = run("versions", { id: "t" }, { "GET /accounts/a/templates/t/versions": versions });

    expect(await printed).toEqual({ versions });
  });

  it("refuses an unknown template", async () => {
    const { printed } = run("versions", { id: "unknown" }, { "GET /owners?id=unknown": { owners: [] } });

    await expect(printed).rejects.toThrow("there is no template unknown");
  });
});

describe("template rollback", () => {
  it("makes an earlier content the newest version", async () => {
    const rolledBack = { template: { id: "t", version: 3, title: "Letter" }, changed: true };

    const { requests, printed } = run(
      "rollback",
      { id: "t", to: "1" },
      {
        "POST /accounts/a/templates/t/rollback": rolledBack,
      },
    );

    expect(await printed).toEqual({ id: "t", version: 3, content: "version 1", changed: true });
    expect(requests.at(-1)?.body).toEqual({ version: 1 });
  });

  it.each(["0", "1.5"])("refuses version %s before any request", async (to) => {
    const { requests, printed } = run("rollback", { id: "t", to });

    await expect(printed).rejects.toThrow(`--to must be the number of a version, got "${to}"`);
    expect(requests).toEqual([]);
  });
});
