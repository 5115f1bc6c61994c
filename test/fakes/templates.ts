// A catalog of templates in memory, of which each has one version.
import { compileTemplate } from "colophon-template-model/compile-template";
import { parseUuid } from "../../src/core/uuid.ts";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { NamedTemplate, TemplateCatalog } from "../../src/ports/templates.ts";
import { pageOf, type FakeState } from "./state.ts";

export function templateCatalog(state: FakeState): TemplateCatalog {
  const contentOf = ({ id }: Template): TemplateContent => {
    const known = state.templates.get(id);
    if (!known) throw new Error("the template was removed");
    return known.content;
  };
  return {
    find: async (accountId, id) => {
      const found = named(state, accountId, id);
      return found && withoutFolder(found);
    },
    findVersion: async () => null,
    list: async (accountId, page) => {
      const { items, ...listed } = pageOf(templatesOf(state, accountId), page);
      return { ...listed, items: items.map(withoutFolder) };
    },
    content: async (template) => contentOf(template),
    sizeBytes: async (template) => JSON.stringify(contentOf(template)).length,
    compiled: async (template) => {
      const content = contentOf(template);
      const result = compileTemplate(content);
      if (result.status === "compiled") return result.template;
      throw new Error(result.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join("; "));
    },
  };
}

function withoutFolder({ folder: _, ...template }: NamedTemplate): Template {
  return template;
}

/** Returns the account's template with this id, or else with this folder. */
function named(state: FakeState, accountId: string, id: string): NamedTemplate | null {
  const isNamed = (template: NamedTemplate) => (parseUuid(id) ? template.id === id : template.folder === id);
  return templatesOf(state, accountId).find(isNamed) ?? null;
}

function templatesOf(state: FakeState, accountId: string): NamedTemplate[] {
  return [...state.templates.values()]
    .map(({ template, folder }) => ({ ...template, folder }))
    .filter((template) => template.accountId === accountId);
}
