// Opens the file of a document that has just been created, for a caller who wants the file as the response to the create.
import { CodedError } from "colophon-base/loggable-error";
import type { CompletedDocument } from "../../core/documents/document.ts";
import { documentNotFound, serviceUnavailable } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import { withinTime } from "colophon-base/deadline";
import { timeLeftMs } from "./in-time.ts";

const retryAfterSeconds = 5;

/**
 * Returns the bytes. Throws SERVICE_UNAVAILABLE if the file cannot be read within the time limit of the create: the document
 * exists and counts, so the error names it. Throws DOCUMENT_NOT_FOUND if the document was deleted in the meantime.
 */
export async function openCreatedFile(
  services: Services,
  arrivedAt: number,
  { id, fileKey }: CompletedDocument,
): Promise<ReadableStream> {
  const opening = services.files.get(fileKey);
  try {
    const stored = await withinTime(timeLeftMs(services, arrivedAt), opening, () => {
      opening.then((late) => late?.body.cancel()).catch(() => {});
      throw new CodedError("timeout: the created file");
    });
    if (stored) return stored.body;
  } catch (cause) {
    const message = `The document ${id} exists, but its file could not be read. Download it later, or repeat the request with the same \`Idempotency-Key\`; without a key, a repeat creates another document.`;
    throw serviceUnavailable({ message, retryAfterSeconds, cause });
  }
  throw documentNotFound(`The document ${id} was created, but its file no longer exists.`);
}
