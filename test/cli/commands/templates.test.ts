import { expect, it } from "vitest";
import { templateCommands } from "../../../src/cli/commands/templates.ts";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { templateContent } from "../../fixtures/tenant.ts";

it("template list names the folder that each template was pushed from, which later pushes with --id do not change", async () => {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const accounts = { findAccount: () => Promise.resolve({}) };
  const services = { accounts, templates, now, newId } as unknown as OperatorServices;
  const content = templateContent({});
  const pushed = await pushTemplate(services, { accountId: "a", folder: "letter", content });
  const id = pushed.status === "pushed" ? pushed.template.id : "";
  await pushTemplate(services, { accountId: "a", id, folder: "other", content: templateContent({ page: "2" }) });

  const result = await templateCommands["template list"]?.run(services, { account: "a" });

  expect(result).toEqual({
    templates: [expect.objectContaining({ folder: "letter", id, version: 2, title: content.manifest.title })],
  });
});
