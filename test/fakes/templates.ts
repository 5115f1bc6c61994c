// Templates in memory: the catalog from which requests read, and the store to which the operator's command writes.
import { compileTemplate } from "colophon-template-model/compile-template";
import { newestFirst } from "../../src/core/pagination.ts";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { TemplateCatalog, TemplateStore } from "../../src/ports/templates.ts";
import { pageOf, type FakeState } from "./state.ts";

export function templateCatalog(state: FakeState): TemplateCatalog {
  const contentOf = (template: Template): TemplateContent => {
    const known = state.templates.get(template.id);
    if (!known) throw new Error("the template was removed");
    if (known.template.contentHash === template.contentHash) return known.content;
    const content = state.templateContents.get(contentKey(template));
    if (!content) throw new Error(`the content of version ${template.version} was never stored`);
    return content;
  };
  return {
    find: async (accountId, id) => {
      const template = state.templates.get(id)?.template;
      return template?.accountId === accountId ? template : null;
    },
    findVersion: async (accountId, id, version) => {
      const template = state.templateVersions.get(`${id} ${version}`);
      return template?.accountId === accountId ? template : null;
    },
    list: async (accountId, page) => {
      const { items, ...listed } = pageOf(templatesOf(state, accountId), page);
      return { templates: items, ...listed };
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

/** The store that the operator's command uses. It rejects a template if its content was not stored first. */
export function fakeTemplateStore({ state }: { state: FakeState }): TemplateStore {
  const store = (template: Template, folder: string) => {
    const content = state.templateContents.get(contentKey(template));
    if (!content) throw new Error(`a row names version ${template.version}, whose content was never stored`);
    state.templates.set(template.id, { template, content, folder });
    state.templateVersions.set(`${template.id} ${template.version}`, template);
  };
  const inFolder = (accountId: string, folder: string) =>
    [...state.templates.values()].find(
      ({ template, folder: taken }) => taken === folder && template.accountId === accountId,
    )?.template;
  return {
    findById: async (id) => state.templates.get(id)?.template ?? null,
    findByFolder: async (accountId, folder) => inFolder(accountId, folder) ?? null,
    listAll: async (accountId) =>
      templatesOf(state, accountId).map((template) => ({
        ...template,
        folder: state.templates.get(template.id)?.folder ?? "",
      })),
    listVersions: async (id) =>
      [...state.templateVersions.values()]
        .filter((template) => template.id === id)
        .toSorted((a, b) => b.version - a.version),
    content: async (template) => {
      const content = state.templateContents.get(contentKey(template));
      if (!content) throw new Error("the content was never stored");
      return content;
    },
    putContent: async (template, content) =>
      void state.templateContents.set(contentKey(template), structuredClone(content)),
    insert: async (template, folder) => {
      const existing = inFolder(template.accountId, folder);
      if (!existing) store(template, folder);
      return existing === undefined || existing.id === template.id;
    },
    update: async (template) => {
      const known = state.templates.get(template.id);
      if (known && known.template.version < template.version) store(template, known.folder);
      return state.templates.get(template.id)?.template.contentHash === template.contentHash;
    },
    remove: async (id) => state.templates.delete(id),
  };
}

function contentKey({ id, contentHash }: Template): string {
  return `${id}/${contentHash}`;
}

function templatesOf(state: FakeState, accountId: string): Template[] {
  return [...state.templates.values()]
    .map(({ template }) => template)
    .filter((template) => template.accountId === accountId)
    .toSorted(newestFirst);
}
