// Set-up for tests that create documents: fake services with one account and one template, and helpers that inspect the
// result.
import { expect } from "vitest";
import type { Account } from "../../../src/core/accounts/account.ts";
import type {
  CompletedDocument,
  Creation,
  FailedDocument,
  StoredDocument,
} from "../../../src/core/documents/document.ts";
import type { Template } from "colophon-template-model/template";
import { ServiceError, type ErrorReason } from "../../../src/core/errors.ts";
import { createDocument, type CreateDocumentInput } from "../../../src/operations/documents/create-document.ts";
import {
  failing,
  fakeAccount,
  fakeServices,
  fakeTemplate,
  type FakeServices,
  type Overrides,
} from "../../fakes/services.ts";
import { templateContent, type TenantOptions } from "../../fixtures/tenant.ts";

export type World = {
  services: FakeServices;
  account: Account;
  template: Template;
  /** Creates a document as if a request had just arrived. `input` overrides parts of the request. */
  create(input?: Partial<CreateDocumentInput>): Promise<Creation & { document: CompletedDocument }>;
};

export type WorldOptions = TenantOptions & { monthlyRenders?: number };

export async function world(overrides: Overrides = {}, options: WorldOptions = {}): Promise<World> {
  const services = fakeServices(overrides);
  const { account } = await fakeAccount(services, { monthlyRenders: options.monthlyRenders ?? 500 });
  const template = fakeTemplate(services, account, templateContent(options));
  const create = async (input: Partial<CreateDocumentInput> = {}) => {
    const creation = await createDocument(services, account, {
      templateId: template.id,
      data: {},
      format: "pdf",
      deviceScaleFactor: 2,
      idempotency: null,
      arrivedAt: services.now(),
      ...input,
    });
    const { document } = creation;
    if (document.status === "processing") throw new Error("the document is still processing");
    return { ...creation, document };
  };
  return { services, account, template, create };
}

/** Returns the `ServiceError` with which `work` rejects. Throws if `work` succeeds, and rethrows any other error. */
export async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => new Error("it was not refused"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

export const crashed = { status: "crashed", reason: "Target closed" } as const;
export const timedOut = { status: "timed_out" } as const;
export const noCapacity = { status: "no_capacity", retryAfterSeconds: 3 } as const;

/** The states of all holds, in the order in which they were reserved. */
export const states = ({ services }: Pick<World, "services">) =>
  [...services.state.holds.values()].map(({ state }) => state);
export const documentsOf = ({ services }: World): StoredDocument[] => [...services.state.documents.values()];

/** Returns the only document. Throws if there are several documents or none, or if the document has not failed. */
export function failedDocument(all: World): FailedDocument {
  const [document, ...others] = documentsOf(all);
  if (others.length > 0 || document?.status !== "failed")
    throw new Error(`expected one failed document among ${documentsOf(all).length}`);
  return document;
}

/** Asserts that there is no document and no file, and that all holds have been released. */
export function expectNothingLeft(all: World): void {
  expect(documentsOf(all)).toEqual([]);
  expect(all.services.state.files.size).toBe(0);
  expect(states(all)).not.toContain("held");
  expect(states(all)).not.toContain("committed");
}

/** The ways in which a render can fail after its hold was reserved, each with the error that the caller gets. */
export const failures: {
  what: string;
  outcomes: FakeServices["state"]["outcomes"];
  options?: TenantOptions;
  reason: ErrorReason;
  message: RegExp;
}[] = [
  {
    what: "a Liquid problem",
    outcomes: [],
    options: { page: "<p>\n{{ 1 | currency: 'x' }}" },
    reason: "impossible",
    message: /pages\/1\.liquid, line 2: currency needs/,
  },
  {
    what: "a document that cannot be rendered",
    outcomes: [{ status: "impossible", message: "501 pages." }],
    reason: "impossible",
    message: /^501 pages\.$/,
  },
  {
    what: "a browser that fails twice",
    outcomes: [crashed, crashed],
    reason: "browser_failed",
    message: /browser failed/,
  },
  { what: "a deadline", outcomes: [timedOut], reason: "timed_out", message: /too long/ },
  { what: "a crash and then a deadline", outcomes: [crashed, timedOut], reason: "timed_out", message: /too long/ },
];

/** Creates a failed document. `released` says whether its hold is released. */
export async function withFailed({ released }: { released: boolean }) {
  const { services, account, create } = await world();
  const { release } = services.quota;
  if (!released) services.quota.release = failing("the object is away");
  services.state.outcomes.push({ status: "timed_out" });
  await create().catch(() => {});
  services.quota.release = release;
  await services.idle();
  const [id] = [...services.state.documents.keys()];
  if (id === undefined) throw new Error("there is no document");
  return { services, account, id };
}

/** Creates a completed document whose hold has not been committed yet. */
export async function withCompleted() {
  const { services, account, create } = await world();
  const { commit } = services.quota;
  services.quota.commit = failing("the object is away");
  const { document } = await create();
  await services.idle();
  services.quota.commit = commit;
  return { services, account, document };
}
