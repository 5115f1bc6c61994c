import { expect, it } from "vitest";
import { templateCommands } from "../../../src/cli/commands/templates.ts";
import type { Template } from "../../../src/core/templates/template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { field, templateContent } from "../../fixtures/tenant.ts";

const { manifest } = templateContent({ fields: [field("name", "string", { required: true })] });
const template = { id: "0a", version: 2, manifest } as Template;

function run(options: Record<string, string>) {
  const services = {
    templates: { findById: async (id: string) => (id === template.id ? template : null) },
  } as unknown as OperatorServices;
  return templateCommands["template types"]?.run(services, options);
}

it("`template types` returns the type, which is named after the template", async () => {
  expect(await run({ id: "0A" })).toEqual({
    name: "TestTemplate",
    version: 2,
    types: expect.stringContaining("export type TestTemplate = {\n  name: string;\n};\n"),
  });
});

it("`template types` takes another name", async () => {
  expect(await run({ id: "0a", name: "Letter" })).toMatchObject({ name: "Letter" });
});

it("`template types` prints the type alone", () => {
  expect(templateCommands["template types"]?.text?.({ name: "A", types: "export type A = {};\n" })).toBe(
    "export type A = {};",
  );
});

it("`template types` refuses an unknown template as well as a name that no type can have", async () => {
  await expect(run({ id: "0a", name: "a-b" })).rejects.toThrow(
    '--name must begin with a capital letter and consist of letters, digits and _, got "a-b"',
  );
  await expect(run({ id: "0b" })).rejects.toThrow("there is no template 0b");
});
