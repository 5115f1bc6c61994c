// Templates in memory: the catalog that requests read, and the store that the operator's command writes.
import { compileTemplate } from "../../src/core/templates/compile-template.ts";
import type { Template, TemplateContent } from "../../src/core/templates/template.ts";
import type { TemplateCatalog, TemplateStore } from "../../src/ports.ts";
import { newestFirst, type FakeState } from "./state.ts";

export function templateCatalog(state: FakeState): TemplateCatalog {
  const entry = (template: Template) => {
    const known = state.templates.get(template.id);
    if (!known) throw new Error("the template is gone");
    return known;
  };
  return {
    find: async (accountId, id) => {
      const template = state.templates.get(id)?.template;
      return template?.accountId === accountId ? template : null;
    },
    list: async (accountId, { limit, offset }) => {
      const mine = [...state.templates.values()]
        .map(({ template }) => template)
        .filter((template) => template.accountId === accountId)
        .sort(newestFirst);
      return { templates: mine.slice(offset, offset + limit), total: mine.length };
    },
    content: async (template) => entry(template).content,
    compiled: async (template) => {
      const result = compileTemplate(entry(template).content);
      if (result.status === "compiled") return result.template;
      throw new Error(result.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join("; "));
    },
  };
}

/** The operator's side of the same templates. */
export function fakeTemplateStore({ state }: { state: FakeState }): TemplateStore {
  const contents = new Map<string, TemplateContent>();
  const versionKey = ({ id, version }: Template) => `${id}/${version}`;
  const store = (template: Template, folder: string) => {
    const content = contents.get(versionKey(template));
    if (!content) throw new Error(`a row names version ${template.version}, whose content was never put`);
    state.templates.set(template.id, { template, content, folder });
  };
  return {
    findById: async (id) => state.templates.get(id)?.template ?? null,
    findByFolder: async (accountId, folder) =>
      [...state.templates.values()].find((entry) => entry.folder === folder && entry.template.accountId === accountId)
        ?.template ?? null,
    listAll: async (accountId) =>
      [...state.templates.values()]
        .map(({ template }) => template)
        .filter((template) => template.accountId === accountId),
    putContent: async (template, content) => void contents.set(versionKey(template), structuredClone(content)),
    insert: async (template, folder) => {
      const isTaken = [...state.templates.values()].some(
        (entry) => entry.folder === folder && entry.template.accountId === template.accountId,
      );
      if (!isTaken) store(template, folder);
      return !isTaken;
    },
    update: async (template) => {
      const known = state.templates.get(template.id);
      if (!known || known.template.version >= template.version) return false;
      store(template, known.folder);
      return true;
    },
    remove: async (id) => state.templates.delete(id),
  };
}
