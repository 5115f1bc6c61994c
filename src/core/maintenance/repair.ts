// The types of repairs, and the position of a repair pass.

/** One thing to repair. It names exactly one record, count or file. */
export type Repair =
  /** A pending event that no sender has reported on in time. The repair dispatches it. */
  | { kind: "undispatched_event"; accountId: string; eventId: string }
  /** A document whose retention has ended. The repair removes its file and row. */
  | { kind: "expired_document"; accountId: string; documentId: string }
  /** A webhook event whose delivery ended long ago. The repair removes it with its attempts. */
  | { kind: "old_event"; accountId: string; eventId: string }
  /** A hold whose lease has ended. The repair settles it according to D1. */
  | { kind: "expired_hold"; accountId: string; documentId: string }
  /** A file that an interrupted delete or failed render may have left. The repair removes it unless its document is completed. */
  | { kind: "overdue_file_removal"; accountId: string; documentId: string }
  /** An object that has work to do but no alarm. The repair sets its alarm. */
  | { kind: "missing_alarm"; accountId: string; object: AccountObject }
  /** A month whose count of committed renders differs from the completed documents in D1. The repair sets it to D1's count. */
  | { kind: "wrong_count"; accountId: string; month: string; committed: number; completed: number }
  /** A batch whose counts differ from its items. The repair corrects them. */
  | { kind: "wrong_batch_count"; accountId: string; batchId: string }
  /** A file that belongs to no completed document, or a merged file that belongs to no batch. The repair removes it. */
  | { kind: "file_without_document"; fileKey: string }
  /** An object in the private bucket that no template version or batch uses. The repair removes it. */
  | { kind: "unused_content"; contentKey: string }
  /** A completed document whose file is missing. The repair marks the document as failed; its render stays counted. */
  | { kind: "document_without_file"; accountId: string; documentId: string };

/** The objects that each account has. */
export type AccountObject = "AccountQuota" | "WebhookSender" | "BatchRunner";

/** The phases of a pass, in order. */
export const repairPhases = ["outbox", "expired", "events", "files", "contents", "accounts"] as const;
export type RepairPhase = (typeof repairPhases)[number];

/** Where the next batch begins. `after` is the last key that the phase has handled, or empty at its start. */
export type RepairPosition = { phase: RepairPhase; after: string };

export type RepairBatch = {
  repairs: Repair[];
  /** Repairs that were not made, because one batch had suspiciously many of their kind. */
  refused: Repair[];
  /** Null when the pass has ended. */
  next: RepairPosition | null;
};

export type RepairOptions = {
  /** Repairs files and documents even if there are suspiciously many in one batch. */
  isForced: boolean;
};

/** The result of a batch. `after` is the key after which the phase continues; null when the phase has ended. */
export type PhaseBatch = { repairs: Repair[]; refused?: Repair[]; after: string | null };

export function passStart(): RepairPosition {
  return { phase: repairPhases[0], after: "" };
}

/** Returns the position of the next batch. `after` is null when the phase has ended. */
export function nextPosition({ phase }: RepairPosition, after: string | null): RepairPosition | null {
  if (after !== null) return { phase, after };
  const next = repairPhases[repairPhases.indexOf(phase) + 1];
  return next ? { phase: next, after: "" } : null;
}
