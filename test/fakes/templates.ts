// Templates in memory: the catalog from which requests read, and the store to which the operator's command writes.
import { compileTemplate } from "colophon-template-model/compile-template";
import { parseUuid } from "../../src/core/uuid.ts";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { NamedTemplate, TemplateCatalog, TemplateStore } from "../../src/ports/templates.ts";
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
      const found = named(state, accountId, id);
      return found && withoutFolder(found);
    },
    findVersion: async (accountId, id, version) => {
      const template = state.templateVersions.get(`${id} ${version}`);
      return template?.accountId === accountId ? template : null;
    },
    list: async (accountId, page) => {
      const { items, ...listed } = pageOf(templatesOf(state, accountId), page);
      return { templates: items.map(withoutFolder), ...listed };
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
  /** The zips of versions that were pushed as one. */
  const zips = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    find: async (accountId, id) => named(state, accountId, id),
    list: async (accountId, page) => pageOf(templatesOf(state, accountId), page),
    listVersions: async (accountId, id, page) => {
      const all = [...state.templateVersions.values()]
        .filter((template) => template.accountId === accountId && template.id === id)
        .map((template) => ({ template, createdAt: template.version, id: "version" }));
      const { items, ...listed } = pageOf(all, page);
      return { items: items.map(({ template }) => template), ...listed };
    },
    findVersion: async (accountId, id, version) => {
      const template = state.templateVersions.get(`${id} ${version}`);
      return template?.accountId === accountId ? template : null;
    },
    content: async (template) => {
      const content = state.templateContents.get(contentKey(template));
      if (!content) throw new Error("the content was never stored");
      return content;
    },
    files: async (template) => {
      const zip = zips.get(contentKey(template));
      return zip ? new Blob([zip]).stream() : null;
    },
    putContent: async (template, content, upload) => {
      state.templateContents.set(contentKey(template), structuredClone(content));
      if (upload) zips.set(contentKey(template), new Uint8Array(Buffer.concat(upload.zip)));
    },
    insert: async (template, folder) => {
      const existing = named(state, template.accountId, folder);
      if (!existing) store(template, folder);
      return existing === null || existing.id === template.id;
    },
    update: async (template) => {
      const known = state.templates.get(template.id);
      if (known && known.template.version < template.version) store(template, known.folder);
      return state.templates.get(template.id)?.template.contentHash === template.contentHash;
    },
    remove: async ({ id }) => void state.templates.delete(id),
  };
}

function contentKey({ id, contentHash }: Template): string {
  return `${id}/${contentHash}`;
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
