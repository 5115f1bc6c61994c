import { afterEach, expect, it, vi } from "vitest";
import { authorCommands } from "colophon-templates/author-commands";
import { templateCommands } from "../../../src/cli/commands/templates.ts";
import { fakeServiceApi, listOf } from "../../fakes/service-api.ts";

afterEach(() => void vi.unstubAllGlobals());

const owners = { "GET /owners?id=t": { owners: [{ kind: "template", accountId: "a" }] } };

function run(verb: string, options: Record<string, string>, responses: Record<string, unknown> = {}) {
  const { api, requests } = fakeServiceApi({ ...owners, ...responses });
  return { requests, printed: templateCommands[`template ${verb}`]?.run(api, options) };
}

it("`template versions` finds the account of a template and lists its versions", async () => {
  const versions = [{ version: 2 }, { version: 1 }];

  const listed = listOf("versions", versions);
  const { printed } = run("versions", { id: "t" }, { "GET /accounts/a/templates/t/versions": listed });

  expect(await printed).toEqual({ versions });
});

it("`template versions` refuses an unknown template", async () => {
  const { printed } = run("versions", { id: "unknown" }, { "GET /owners?id=unknown": { owners: [] } });

  await expect(printed).rejects.toThrow("there is no template unknown");
});

it("`template rollback` makes earlier content the newest version", async () => {
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

it.each(["0", "1.5"])("template rollback refuses version %s before any request", async (to) => {
  const { requests, printed } = run("rollback", { id: "t", to });

  await expect(printed).rejects.toThrow(`--to must be a version number, got "${to}"`);
  expect(requests).toEqual([]);
});

const local = ["init", "check", "render", "dev", "test"];

it.each(Object.keys(authorCommands).filter((name) => !local.includes(name)))(
  "a command of both programs calls the operator's service in this program (%s)",
  (name) => {
    expect(templateCommands).toHaveProperty(`template ${name}`);
  },
);

it.each<[verb: string, options: Record<string, string>]>([
  ["pull", { NAME: "letter", DIR: "unused", account: "a" }],
  ["diff", { DIR: "templates/invoice", account: "a", name: "letter" }],
  ["push", { DIR: "templates/invoice", account: "a", name: "letter", "if-version": "3" }],
])("a command that both programs have acts on the account with the operator's key (%s)", async (verb, options) => {
  vi.stubEnv("COLOPHON_URL", "https://other.test");
  vi.stubEnv("COLOPHON_KEY", "other");
  const { api } = fakeServiceApi({});
  const requests: { url: string; headers: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    requests.push({ url, headers });
    return Response.json({ error: { code: "CODE", message: "refused" } }, { status: 400 });
  });

  await expect(templateCommands[`template ${verb}`]?.run(api, options)).rejects.toThrow("refused");
  expect(requests[0]?.url).toMatch(/^https:\/\/service\.test\/api\/manage\/v1\/admin\/accounts\/a\/templates\/letter/);
  expect(requests[0]?.headers).toMatchObject({
    Authorization: "Bearer key",
    ...(verb === "push" && { "If-Match": '"3"' }),
  });
  vi.unstubAllEnvs();
});
