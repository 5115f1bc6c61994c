// The repairs of a repair pass, and its progress.

/** One thing to repair. It names exactly one record, count or file. */
export type Repair =
  /** A pending event that no sender has reported on in time. It is dispatched. */
  | { kind: "undispatched_event"; accountId: string; eventId: string }
  /** A document whose retention has ended. Its file and its row are removed. */
  | { kind: "expired_document"; accountId: string; documentId: string }
  /** A webhook event whose delivery ended long ago. It is removed with its attempts. */
  | { kind: "old_event"; accountId: string; eventId: string }
  /** A hold whose lease has ended. It is settled according to D1. */
  | { kind: "expired_hold"; accountId: string; documentId: string }
  /** A file that an interrupted delete or a failed render may have left. It is removed unless its document is completed. */
  | { kind: "overdue_file_removal"; accountId: string; documentId: string }
  /** An object that has work to do, but no alarm. Its alarm is set. */
  | { kind: "missing_alarm"; accountId: string; object: AccountObject }
  /** A month whose committed renders are not the completed documents in D1. The count is set to D1's. */
  | { kind: "wrong_count"; accountId: string; month: string; committed: number; completed: number }
  /** A batch whose counts differ from its items. They are corrected. */
  | { kind: "wrong_batch_count"; accountId: string; batchId: string }
  /** A file that belongs to no completed document, or a merged one that belongs to no batch. It is removed. */
  | { kind: "file_without_document"; fileKey: string }
  /** An object of the private bucket that no version of a template and no batch has. It is removed. */
  | { kind: "unused_content"; contentKey: string }
  /** A completed document whose file is gone. It becomes a failed document, and its render stays counted. */
  | { kind: "document_without_file"; accountId: string; documentId: string };

/** The objects that each account has. */
export type AccountObject = "AccountQuota" | "WebhookSender" | "BatchRunner";

/** The phases of a pass, in their order. */
export const repairPhases = ["outbox", "expired", "events", "files", "contents", "accounts"] as const;
export type RepairPhase = (typeof repairPhases)[number];

/** Where the next batch begins. `after` is the last key that the phase has handled, and empty at its beginning. */
export type RepairPosition = { phase: RepairPhase; after: string };

export type RepairBatch = {
  repairs: Repair[];
  /** Repairs that were not made, because there were too many of their kind in one batch for an accident. */
  refused: Repair[];
  /** Null when the pass has ended. */
  next: RepairPosition | null;
};

export type RepairOptions = {
  /** Repairs files and documents however many there are in one batch. */
  isForced: boolean;
};

/** The result of a batch. `after` is the key at which the next batch of the phase begins; null when the phase has ended. */
export type PhaseBatch = { repairs: Repair[]; refused?: Repair[]; after: string | null };

/** Returns the position at which a pass begins. */
export function passStart(): RepairPosition {
  return { phase: repairPhases[0], after: "" };
}

/** Returns the position of the next batch. `after` is null when the phase has ended. */
export function nextPosition({ phase }: RepairPosition, after: string | null): RepairPosition | null {
  if (after !== null) return { phase, after };
  const next = repairPhases[repairPhases.indexOf(phase) + 1];
  return next ? { phase: next, after: "" } : null;
}
