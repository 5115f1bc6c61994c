// Makes links to files, puts them into records, and decides what a link opens.
import type { StoredFile } from "colophon-render/file-metadata";
import type { Account } from "../../core/accounts/account.ts";
import { accessOf, documentRecord, type CompletedDocument } from "../../core/documents/document.ts";
import type { DocumentRecord, StoredDocument } from "../../core/documents/document.ts";
import { withExtension } from "../../core/documents/filename.ts";
import { linkSeconds, openLink, sealLink, type FileLink, type LinkTarget } from "../../core/documents/links.ts";
import { documentNotFound, nothingHere } from "../../core/errors.ts";
import { parseUuid } from "../../core/uuid.ts";
import type { LinkedDocument } from "../../ports/documents.ts";
import type { LinkServices, Services } from "../../ports/services.ts";
import { getDownload } from "./stored-documents.ts";

type RecordServices = LinkServices & Pick<Services, "settings">;

/** Returns the record of a document; with a fresh link, if the document is private. */
export function recordOf(services: RecordServices, document: StoredDocument): DocumentRecord {
  const { baseUrl, cdnUrl } = services.settings;
  const isLinked = document.status === "completed" && accessOf(document.fileKey) === "private";
  return documentRecord(document, cdnUrl, isLinked ? documentLink(services, document, baseUrl) : null);
}

type LinkOptions = { expiresIn?: number | undefined } & Partial<Pick<LinkTarget, "disposition" | "filename">>;

/** By default, a link is valid for the time that the request for the document has asked for. */
export function documentLink(
  services: LinkServices,
  document: LinkedDocument,
  baseUrl: string,
  options: LinkOptions = {},
) {
  const { accountId, id, linkEpoch: epoch = 0, expiresAt } = document;
  const { expiresIn = document.linkSeconds ?? linkSeconds.default, ...how } = options;
  return newLink(services, baseUrl, { accountId, id, mergedFile: null, epoch, ...how }, { expiresIn, expiresAt });
}

/** Returns a link for the target. It ends with the file, at `expiresAt`, if that is earlier. */
export function newLink(
  { encryptionKeys, now }: LinkServices,
  baseUrl: string,
  target: Pick<LinkTarget, "accountId" | "id" | "mergedFile" | "epoch"> & LinkOptions,
  { expiresIn, expiresAt }: { expiresIn: number; expiresAt: number | null },
): FileLink {
  const { disposition = "inline", filename = null } = target;
  const endsAt = Math.min(now() + expiresIn * 1000, expiresAt ?? Infinity);
  const token = sealLink(encryptionKeys(), { ...target, disposition, filename, endsAt });
  return { url: `${new URL(baseUrl).origin}/links/${token}`, expiresAt: new Date(endsAt).toISOString() };
}

/** Makes a link to the file of a completed document, which may be public. `id` is the string from the request. */
export async function createLink(
  services: Services,
  account: Account,
  id: string,
  { filename, ...options }: Omit<LinkOptions, "filename"> & { filename?: string | undefined },
): Promise<FileLink> {
  const document = await getDownload(services, account, id);
  const name = filename === undefined ? null : withExtension(filename, document.format);
  return documentLink(services, document, services.settings.baseUrl, { ...options, filename: name });
}

/** Makes all links to the document invalid that exist now. Returns the document's id. */
export async function endLinks(services: Services, account: Account, id: string): Promise<string> {
  const uuid = parseUuid(id);
  if (!uuid || !(await services.documents.endLinks(account.id, uuid))) throw documentNotFound();
  return uuid;
}

export type LinkedFile = StoredFile &
  Pick<CompletedDocument, "fileKey" | "format" | "filename"> & { isAttachment: boolean; target: LinkTarget };

/** Returns the file that a link opens. Throws the same NOT_FOUND for every token that does not open a file now. */
export async function openLinked(services: Services, token: string): Promise<LinkedFile> {
  const target = openLink(services.encryptionKeys(), token);
  const isInTime = target !== null && target.endsAt > services.now();
  const file = isInTime && (await (target.mergedFile === null ? documentFile : mergedFile)(services, target));
  if (!file) throw nothingHere();
  const isAttachment = target.disposition === "attachment";
  return { ...file, filename: target.filename ?? file.filename, isAttachment, target };
}

type OpenedFile = Omit<LinkedFile, "isAttachment" | "target"> | null;

async function documentFile({ documents, now }: Services, { accountId, id, epoch }: LinkTarget): Promise<OpenedFile> {
  const document = await documents.find(accountId, id);
  const { linkEpoch = 0, expiresAt = null } = document ?? {};
  const isExpired = expiresAt !== null && expiresAt <= now();
  return document?.status === "completed" && linkEpoch === epoch && !isExpired ? document : null;
}

async function mergedFile(services: Services, target: LinkTarget): Promise<OpenedFile> {
  const { accountId, id, mergedFile: number, epoch } = target;
  const state = await services.batches.find(accountId, id);
  const file = state?.files[number ?? 0];
  if (!state || !file || state.linkEpoch !== epoch || state.batch.expiresAt <= services.now()) return null;
  const stored = await services.files.metadata(file.fileKey);
  return stored && { ...stored, fileKey: file.fileKey, format: "pdf", filename: null };
}
