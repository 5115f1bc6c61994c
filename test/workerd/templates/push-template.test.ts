// Pushes and rollbacks whose result depends on stored templates, or on concurrent changes.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { rollBackTemplate } from "../../../src/operations/manage/manage-templates.ts";
import { pushTemplate, type PushInput } from "../../../src/operations/templates/push-template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { everything } from "../../fixtures/audit.ts";
import { newTenant } from "../../fixtures/tenant.ts";

const changedPage = templateContent({ page: "<p>Changed</p>" });
const conflict = { code: "VERSION_CONFLICT" };

/** An account without a template in the folder `invoice`. `store` replaces parts of the store. */
async function world(
  store: (templates: OperatorServices["templates"]) => Partial<OperatorServices["templates"]> = () => ({}),
) {
  const services = operatorServices(env);
  const { accountId } = await newTenant(env);
  const { templates } = services;
  let nowMs = Date.UTC(2026, 10, 21);
  const changed = { ...services, now: () => (nowMs += 1_000), templates: { ...templates, ...store(templates) } };
  const base = { accountId, folder: "invoice", content: templateContent({}) };
  return {
    accountId,
    templates,
    push: (input: Partial<PushInput> = {}) => pushTemplate(changed, { ...base, ...input }),
    pushFirst: (input: Partial<PushInput> = {}) => pushTemplate(services, { ...base, ...input }),
    rollBack: (id: string, version: number, account = accountId) =>
      rollBackTemplate(changed, { accountId: account, id, version }),
    versions: async (id: string) =>
      (await templates.listVersions(accountId, id, everything)).items.map(({ version }) => version),
  };
}

it("a push adds a version for each change of the content, and none without a change", async () => {
  const { push } = await world();
  const { manifest } = templateContent({});
  const first = await push();

  const again = await push();
  const changes = [
    { css: "a{}" },
    { header: "H" },
    { assets: { "a.png": { contentType: "image/png", base64: "QUJD" } } },
    { sampleData: { name: "Ada" } },
    { manifest: { ...manifest, title: "Other" } },
  ];
  const pushed = [];
  for (const content of changes) pushed.push((await push({ content: templateContent({ content }) })).template);

  const template = { ...first.template, folder: "invoice" };
  expect(first.template).toMatchObject({ version: 1, pagesCount: 1, createdAt: first.template.updatedAt });
  expect(again).toEqual({ template, previous: template, changed: false });
  expect(pushed.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
  const { id, createdAt } = template;
  for (const each of pushed) expect(each).toMatchObject({ id, createdAt });
  expect(pushed[0]?.updatedAt).toBeGreaterThan(createdAt);
});

it("a push of a different folder, or in a different account, creates a separate template", async () => {
  const { push } = await world();
  const { accountId } = await newTenant(env);
  const { template } = await push();

  const others = [
    await push({ folder: "report" }),
    await push({ accountId }),
    await push({ accountId, folder: template.id, content: changedPage }),
  ];

  for (const other of others) expect(other).toMatchObject({ template: { version: 1 }, previous: null });
  expect(new Set([template, ...others.map((other) => other.template)].map(({ id }) => id)).size).toBe(4);
});

it("only one of two simultaneous pushes creates a template that must be new", async () => {
  const { push } = await world();

  const results = await Promise.allSettled([push({ ifVersion: 0 }), push({ content: changedPage, ifVersion: 0 })]);

  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results).toContainEqual({ status: "rejected", reason: expect.objectContaining(conflict) });
});

it.each(["a push", "a rollback"])("%s succeeds after nineteen lost races, and fails after a hundred", async (what) => {
  let [overtaken, stored] = [0, 0];
  const { push, pushFirst, rollBack } = await world(({ update, putContent }) => ({
    update: async (...pushed) => ++overtaken > 19 && update(...pushed),
    putContent: (...pushed) => putContent(...pushed).then(() => void stored++),
  }));
  const { template } = await pushFirst();
  await pushFirst({ content: changedPage });
  const change = () =>
    what === "a push" ? push({ content: templateContent({ page: "x" }) }) : rollBack(template.id, 1);

  const changed = await change();
  overtaken = -100;
  const refused = what === "a push" ? push() : rollBack(template.id, 2);

  expect([changed.template.version, stored]).toEqual([3, what === "a push" ? 1 : 0]);
  await expect(refused).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

it("a rollback adds a version with the earlier content, unless the newest version already has it", async () => {
  const { push, rollBack, versions, templates } = await world();
  for (const page of ["one", "two"]) await push({ content: templateContent({ page }) });
  const { template: third } = await push({ content: templateContent({ page: "three" }) });

  const back = await rollBack(third.id, 1);
  const again = await rollBack(third.id, 1);

  const { id, createdAt } = third;
  expect([back, again]).toMatchObject([
    { changed: true, template: { id, createdAt, version: 4 } },
    { changed: false, template: { version: 4 } },
  ]);
  expect(back.template.updatedAt).toBeGreaterThan(third.updatedAt);
  expect((await templates.content(back.template)).pages[0]?.source).toBe("one");
  expect(await versions(id)).toEqual([4, 3, 2, 1]);
});

it("a rollback of an unknown template or version, or of another account's template, is refused", async () => {
  const { push, rollBack } = await world();
  const { template } = await push();

  await expect(rollBack(template.id, 3)).rejects.toMatchObject({
    code: "TEMPLATE_NOT_FOUND",
    message: expect.stringMatching(/The template has no version 3; its newest version is 1./),
  });
  for (const refused of [rollBack("unknown", 1), rollBack(template.id, 1, crypto.randomUUID())])
    await expect(refused).rejects.toMatchObject({ code: "TEMPLATE_NOT_FOUND" });
});
