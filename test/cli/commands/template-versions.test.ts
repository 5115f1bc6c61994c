import { describe, expect, it } from "vitest";
import { templateVersionCommands } from "../../../src/cli/commands/template-versions.ts";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { templateContent } from "../../fixtures/tenant.ts";

/** Pushes a template with these pages, one version after the other. */
async function world(...pages: string[]) {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const services = { templates, now, newId } as unknown as OperatorServices;
  let id = "";
  for (const page of pages) {
    const input = { accountId: "a", folder: "letter", content: templateContent({ page }) };
    const result = await pushTemplate(services, input);
    if (result.status === "pushed") id = result.template.id;
  }
  const run = (verb: string, options: Record<string, string> = {}) =>
    templateVersionCommands[`template ${verb}`]?.run(services, { id, ...options });
  return { state, id, run };
}

describe("template versions", () => {
  it("lists all versions, newest first", async () => {
    const { run } = await world("one", "two");

    expect(await run("versions")).toMatchObject({
      versions: [
        { version: 2, title: "Test template", pagesCount: 1 },
        { version: 1, title: "Test template", pagesCount: 1 },
      ],
    });
  });

  it("refuses an unknown template", async () => {
    const { run } = await world("one");

    await expect(run("versions", { id: "unknown" })).rejects.toThrow("there is no template unknown");
  });
});

describe("template rollback", () => {
  it("makes an earlier content the newest version", async () => {
    const { state, id, run } = await world("one", "two");

    expect(await run("rollback", { to: "1" })).toEqual({ id, version: 3, content: "version 1", changed: true });

    expect(state.templates.get(id)?.content.pages).toEqual([{ name: "1.liquid", source: "one" }]);
  });

  it.each([
    ["7", "the template has no version 7; its versions are 1 to 2"],
    ["0", '--to must be the number of a version, got "0"'],
    ["1.5", '--to must be the number of a version, got "1.5"'],
  ])("refuses version %s", async (to, message) => {
    const { run } = await world("one", "two");

    await expect(run("rollback", { to })).rejects.toThrow(message);
  });
});
