// Limits the time until the response to a create, whatever delays it. Nothing is stopped or undone at the limit: the create
// continues, and D1 decides whether it has succeeded.
import { withinTime } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import type { Creation, CompletedDocument } from "../../core/documents/document.ts";
import { renderFailed, documentNotFound, serviceUnavailable } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";

/** The time after the deadline of a create in which its outcome is normally recorded. */
const recordingMs = 800;

/**
 * Settles like `creation`. Throws RENDER_FAILED if that takes longer than the time limit of a create plus `recordingMs`.
 */
export function inTime(services: Services, arrivedAt: number, creation: Promise<Creation>): Promise<Creation> {
  return withinTime(timeLeftMs(services, arrivedAt), creation, () => {
    throw renderFailed(
      "timed_out",
      "The service took too long. If the document was created anyway, it appears in the list.",
    );
  });
}

/**
 * Returns the file of a document that has just been created. Throws SERVICE_UNAVAILABLE if the file cannot be read within the time limit of the
 * create: the document exists and counts, so the error names it. Throws DOCUMENT_NOT_FOUND if the document has already been deleted.
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
    const message = `The document ${id} exists, but its file could not be read. Download it later, or repeat the request with the same \`Idempotency-Key\`; without a key, a repeat creates a second document.`;
    throw serviceUnavailable({ message, retryAfterSeconds: 5, cause });
  }
  throw documentNotFound(`The document ${id} was created, but its file no longer exists.`);
}

/** Returns how much time is left to respond to a create that arrived at `arrivedAt`. */
function timeLeftMs({ settings, now }: Services, arrivedAt: number): number {
  return arrivedAt + settings.renderBudgetMs + recordingMs - now();
}
