// The tables of an account's quota object, as a list of upgrade steps in order. Never change a released step; append a
// new step instead. Times are in ms since the epoch. The tables have no row ids, and few indexes, because the platform bills
// every entry of an index that is written.
import { dayMs } from "colophon-base/calendar-day";

/** How long an idempotency key is known after its request, and at least how long a hold is kept after its lease. */
export const retentionMs = dayMs;
/** The number of holds that one alarm settles, and of deletes that it finishes. */
export const recordsPerAlarm = 100;

export const quotaStorageSteps = [
  `
    CREATE TABLE holds (
      document_id TEXT PRIMARY KEY,
      month TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('held', 'settled')),
      created_at INTEGER NOT NULL,
      lease_end INTEGER NOT NULL,
      hold TEXT NOT NULL,
      key TEXT,
      body_hash TEXT
    ) WITHOUT ROWID;
    CREATE INDEX holds_by_lease ON holds (state, lease_end);
    CREATE INDEX holds_by_key ON holds (key) WHERE key IS NOT NULL;
    CREATE TABLE months (month TEXT PRIMARY KEY, committed INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE deletions (
      document_id TEXT PRIMARY KEY,
      file_key TEXT NOT NULL,
      account_id TEXT NOT NULL,
      due INTEGER NOT NULL
    ) WITHOUT ROWID;
  `,
  `
    ALTER TABLE holds ADD COLUMN is_queued INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE batch_holds (
      batch_id TEXT PRIMARY KEY,
      month TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      total INTEGER NOT NULL,
      completed INTEGER NOT NULL,
      ended INTEGER NOT NULL
    ) WITHOUT ROWID;
  `,
];
