// Stores the content of a template folder. A new version is created only when something has changed. The content is
// stored before its row, so that a row never refers to missing content.
import { createHash } from "node:crypto";
import { asciiJsonPieces } from "colophon-base/json-pieces";
import type { Template, TemplateContent } from "colophon-template-model/template";
import { serviceUnavailable, versionConflict } from "../../core/errors.ts";
import type { TemplateStore, TemplateUpload } from "../../ports/templates.ts";
import { auditEvent, operator } from "../accounts/manage-accounts.ts";

export type PushInput = {
  accountId: string;
  /** The name of the folder. The push updates the template with this name, or creates it. */
  folder: string;
  content: TemplateContent;
  /** The files of the folder; null for a template that consists of its content alone. */
  upload?: TemplateUpload | null;
  /** The expected newest version; 0 if the template must not exist. */
  ifVersion?: number | undefined;
  /** Whether to store nothing, and only return what a push would do. */
  dryRun?: boolean;
  /** The id of the key that pushes. */
  actor?: string;
};

/** `previous` is the newest version before this push, or null if the push created the template. */
export type Pushed = { template: Template; previous: Template | null; changed: boolean };

export type PushServices = { templates: TemplateStore; now(): number; newId(): string };

/** How many times a change without an expected version is tried. Of concurrent changes, one succeeds in each round. */
const maxTries = 100;

/**
 * Throws VERSION_CONFLICT if the newest version is not `ifVersion`, and SERVICE_UNAVAILABLE if there is no `ifVersion` and other
 * pushes won each time.
 */
export async function pushTemplate(services: PushServices, input: PushInput): Promise<Pushed> {
  const prepared = { ...input, contentHash: contentHashOf(input.content, input.upload), storedFor: null };
  if (input.ifVersion === undefined) return untilStored(() => tryToPush(services, prepared));
  const pushed = await tryToPush(services, prepared);
  if (pushed) return pushed;
  throw versionConflict((await services.templates.find(input.accountId, input.folder))?.version ?? 0);
}

/**
 * Repeats a change without an expected version until it does not return null, which means that a concurrent change was
 * stored first.
 */
export async function untilStored<T>(change: () => Promise<T | null>): Promise<T> {
  for (let triesLeft = maxTries; triesLeft > 0; triesLeft--) {
    const stored = await change();
    if (stored) return stored;
  }
  throw serviceUnavailable({ retryAfterSeconds: 1 });
}

/** Content belongs to one template, so it is stored again only if the template was replaced. */
type PreparedPush = PushInput & { contentHash: string; storedFor: string | null };

/** Returns null if a concurrent push was stored first. */
async function tryToPush(services: PushServices, push: PreparedPush): Promise<Pushed | null> {
  const { templates } = services;
  const { accountId, folder, content, upload = null, ifVersion, actor = operator, contentHash } = push;
  const previous = await templates.find(accountId, folder);
  const version = previous?.version ?? 0;
  if (ifVersion !== undefined && ifVersion !== version) throw versionConflict(version);
  if (previous?.contentHash === contentHash) return { template: previous, previous, changed: false };
  const nowMs = services.now();
  const template: Template = {
    id: previous?.id ?? services.newId(),
    accountId,
    version: version + 1,
    contentHash,
    manifest: content.manifest,
    pagesCount: content.pages.length,
    createdAt: previous?.createdAt ?? nowMs,
    updatedAt: nowMs,
  };
  if (push.dryRun) return { template, previous, changed: true };
  if (push.storedFor !== template.id) await templates.putContent(template, content, upload);
  push.storedFor = template.id;
  const audit = auditEvent(services, { accountId, actor, action: "template.pushed", subject: template.id });
  const isStored = previous ? await templates.update(template, audit) : await templates.insert(template, folder, audit);
  return isStored ? { template, previous, changed: true } : null;
}

export function contentHashOf(content: TemplateContent, upload: TemplateUpload | null = null): string {
  return sha256Of(
    (function* () {
      yield* asciiJsonPieces(content);
      yield upload?.digest ?? "";
    })(),
  );
}

/** Returns the SHA-256 of the concatenated parts in hexadecimal, without joining them in memory. */
export function sha256Of(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
