import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readTemplateZip, templateZip } from "colophon-template-model/template-zip";
import { templateContent } from "colophon-test-kit/template-content";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { baseUrl, newTenant } from "../../fixtures/tenant.ts";
import { callerOf, zipOf } from "./manage.ts";

type Pushed = {
  template: { id: string; version: number; folder: string };
  changed: boolean;
  previousTitle: string | null;
  warnings: { path: string; line: number; message: string }[];
};

const incompressible = crypto.getRandomValues(new Uint8Array(60_000));
const createPath = `${baseUrl}/documents`;

it("a pushed zip creates, changes and keeps a template, which can be rendered by its folder name", async () => {
  const caller = callerOf(await newTenant(env));

  const created = await caller.ok<Pushed>("PUT", "/templates/letter", zipOf("<p>1 {{ name }}</p>"), 201);
  const changed = await caller.ok<Pushed>("PUT", "/templates/letter", zipOf("<p>2 {{ name }}</p>", "Note"));
  const same = await caller.ok<Pushed>("PUT", "/templates/letter", zipOf("<p>2 {{ name }}</p>", "Note"));
  const document = await caller.ok<{ templateId: string }>("POST", createPath, { templateId: "letter", data: {} }, 201);

  expect(created).toMatchObject({ template: { folder: "letter", version: 1 }, changed: true, previousTitle: null });
  expect(changed).toMatchObject({ template: { version: 2 }, changed: true, previousTitle: "Letter" });
  expect(same).toMatchObject({ template: { version: 2 }, changed: false });
  expect(document.templateId).toBe(created.template.id);
});

it("the ignored files of a pushed zip are not stored", async () => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  const { files } = readTemplateZip(zipOf("<p>1</p>"));
  const ignored = [".git/hooks/a", "letter.key", "shared/notes/a"].map((path) => ({ path, bytes: incompressible }));
  const inFolder = [...files, ...ignored].map(({ path, bytes }) => ({ path: `letter/${path}`, bytes }));

  const { template } = await caller.ok<Pushed>("PUT", "/templates/letter", templateZip(inFolder), 201);
  const same = await caller.ok<Pushed>("PUT", "/templates/letter", zipOf("<p>1</p>"));

  const response = await caller.send("GET", "/templates/letter/versions/1/files");
  const zip = new Uint8Array(await response.arrayBuffer());
  const stored = await env.TEMPLATES.list({ prefix: `${tenant.accountId}/${template.id}/` });
  expect(zip).toEqual(templateZip(files));
  expect(Math.max(...stored.objects.map(({ size }) => size))).toBeLessThan(10_000);
  expect(same.changed).toBe(false);
});

it("a pushed template lists its versions in pages, and can be rolled back", async () => {
  const caller = callerOf(await newTenant(env));
  for (const page of ["1", "2", "3"]) await caller.send("PUT", "/templates/letter", zipOf(page));

  type Versions = {
    versions: { version: number; contentHash: string }[];
    pagination: { nextCursor: string | null; total: number };
  };
  const first = await caller.ok<Versions>("GET", "/templates/letter/versions?limit=2");
  const last = `/templates/letter/versions?limit=1&cursor=${first.pagination.nextCursor}`;
  const rest = await caller.ok<Versions>("GET", last);
  const back = await caller.ok<Pushed>("POST", "/templates/letter/rollback", { version: 1 });
  const [newest] = (await caller.ok<Versions>("GET", "/templates/letter/versions?limit=1")).versions;

  expect([first.versions, rest.versions].flat().map(({ version }) => version)).toEqual([3, 2, 1]);
  expect([first, rest].map(({ pagination }) => pagination.total)).toEqual([3, 3]);
  expect(rest.pagination.nextCursor).toBeNull();
  expect(back).toMatchObject({ template: { version: 4 }, changed: true });
  expect(newest?.contentHash).toBe(rest.versions[0]?.contentHash);
});

it.each([
  ["a misspelt field", "<p>{{ nmae }}</p>", "`nmae`: did you mean `name`?"],
  ["an element that is never closed", "<div>{{ name }}", "`<div>` is never closed"],
])("a pushed zip is refused for %s unless lenient is set", async (_what, page, message) => {
  const caller = callerOf(await newTenant(env));
  const put = (query: string, status?: number) =>
    caller.ok<Pushed>("PUT", `/templates/letter?${query}`, zipOf(page), status);

  const refused = await caller.refused("PUT", "/templates/letter", zipOf(page));
  const tried = await put("lenient=1&dryRun=1");
  const missing = await caller.refused("GET", "/templates/letter");
  const pushed = await put("lenient=1", 201);

  const found = [{ path: "pages/1.liquid", line: 1, message: expect.stringContaining(message) }];
  expect(refused).toMatchObject({ status: 400, details: found });
  expect(refused.message).not.toMatch(/[?.!]\./);
  expect([tried.warnings, missing.status]).toEqual([found, 404]);
  expect([pushed.warnings, pushed.template.version]).toEqual([found, 1]);
});

it.each([
  ["a UUID", crypto.randomUUID(), "must not be a UUID"],
  ["too long", "a".repeat(101), "must have 1 to 100 characters"],
  ["a slash", "a%2Fb", "must not contain control characters or slashes"],
  ["the name of the shared folder", "shared", "must not be `shared`, which is the folder of shared files"],
  ["a space without width", "inv%E2%80%8Boice", "must not contain invisible characters"],
])("the name of a pushed template is validated: %s", async (_what, name, reason) => {
  const caller = callerOf(await newTenant(env));

  expect((await caller.refused("PUT", `/templates/${name}`, zipOf("1"))).message).toContain(reason);
});

it("a pushed zip is refused if another push was stored first", async () => {
  const caller = callerOf(await newTenant(env));
  const put = async (page: string, version: string) =>
    (await caller.send("PUT", "/templates/letter", zipOf(page), { "If-Match": version })).status;

  const statuses: number[] = [];
  for (const version of ['"0"', '"0"', '"1"', '"1"', "x"]) statuses.push(await put(`${statuses.length}`, version));

  expect(statuses).toEqual([201, 412, 200, 412, 400]);
});

it.each([
  "before its files are stored",
  "after its files are stored",
  "before its row is stored",
  "after its row is stored",
])("a template has either the old or the new version if a push ends %s", async (moment) => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  await caller.ok("PUT", "/templates/letter", zipOf("<p>old</p>"), 201);
  const services = operatorServices(env);
  const { templates } = services;
  const [when, , what] = moment.split(" ");
  const ended = async (): Promise<never> => {
    throw new Error("the Worker ended");
  };
  const endAt = <A extends unknown[], R>(step: (...args: A) => Promise<R>) =>
    when === "before" ? ended : (...args: A) => step(...args).then(ended);
  const killed = {
    ...templates,
    ...(what === "files" ? { putContent: endAt(templates.putContent) } : { update: endAt(templates.update) }),
  };
  const content = templateContent({ page: "<p>new</p>" });

  const input = { accountId: tenant.accountId, folder: "letter", content };
  await expect(pushTemplate({ ...services, templates: killed }, input)).rejects.toThrow("the Worker ended");

  const newest = await templates.find(tenant.accountId, "letter");
  const stored = newest && (await templates.content(newest));
  const isNew = moment === "after its row is stored";
  expect([newest?.version, stored?.pages[0]?.source]).toEqual(isNew ? [2, "<p>new</p>"] : [1, "<p>old</p>"]);
});

it("a template is deleted with all of its versions", async () => {
  const caller = callerOf(await newTenant(env));
  const { template } = await caller.ok<Pushed>("PUT", "/templates/letter", zipOf("1"), 201);

  expect(await caller.ok("DELETE", "/templates/letter")).toEqual({ id: template.id, deleted: true });
  expect(await caller.refused("DELETE", "/templates/letter")).toMatchObject({ code: "TEMPLATE_NOT_FOUND" });
  const { objects } = await env.TEMPLATES.list({ prefix: "" });
  expect(objects.filter(({ key }) => key.includes(template.id))).toEqual([]);
});
