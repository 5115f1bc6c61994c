// Limits the time until a create is responded to, whatever its calls are waiting for. Nothing is stopped or undone at the
// limit: the create continues, and D1 decides whether it has succeeded.
import type { Creation } from "../../core/documents/document.ts";
import { renderFailed } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import { withinTime } from "colophon-base/deadline";

/** The time after the deadline of a create in which its outcome is normally recorded. */
const recordingMs = 800;

/** Settles like `creation`. Throws RENDER_FAILED if that takes longer than the time limit of a create and a little more. */
export function inTime(services: Services, arrivedAt: number, creation: Promise<Creation>): Promise<Creation> {
  return withinTime(timeLeftMs(services, arrivedAt), creation, () => {
    throw renderFailed(
      "timed_out",
      "The service took too long. If the document has been created all the same, it appears in the list.",
    );
  });
}

/** Returns the time until a create that arrived at `arrivedAt` has to be responded to. */
export function timeLeftMs({ settings, now }: Services, arrivedAt: number): number {
  return arrivedAt + settings.renderBudgetMs + recordingMs - now();
}
