// The tables of an account's batches, as a list of upgrade steps in order. Never change a released step; append a new step
// instead. Times are in ms since the epoch.
import { dayMs } from "colophon-base/calendar-day";

/** How long an idempotency key is remembered after its request. */
export const keyRetentionMs = dayMs;

/**
 * The maximum number of tries for a batch's next file, after which the batch ends without merged files: three failures, or six
 * interruptions.
 */
export const maxMergeTries = 6;
/** This number of tries means that merging was stopped, because the batch was canceled or its time has ended. */
export const stoppedMergeTries = 3 * maxMergeTries;

export const batchStorageSteps = [
  `
    CREATE TABLE batches (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('opened', 'admitted', 'processing', 'canceling', 'ended', 'removing', 'deleted')),
      total INTEGER NOT NULL DEFAULT 0,
      completed INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      canceled INTEGER NOT NULL DEFAULT 0,
      started_at INTEGER,
      ended_at INTEGER,
      files TEXT NOT NULL DEFAULT '[]',
      expires_at INTEGER,
      key TEXT,
      body_hash TEXT
    ) WITHOUT ROWID;
    CREATE INDEX batches_by_age ON batches (created_at, id);
    CREATE INDEX batches_open ON batches (created_at, id) WHERE state IN ('admitted', 'processing', 'canceling');
    CREATE INDEX batches_by_key ON batches (key) WHERE key IS NOT NULL;
    CREATE TABLE batch_inputs (batch_id TEXT PRIMARY KEY, batch TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE chunks (
      batch_id TEXT NOT NULL,
      first_index INTEGER NOT NULL,
      byte_offset INTEGER NOT NULL,
      byte_length INTEGER NOT NULL,
      PRIMARY KEY (batch_id, first_index)
    ) WITHOUT ROWID;
    CREATE TABLE items (
      batch_id TEXT NOT NULL,
      item_index INTEGER NOT NULL,
      custom_id TEXT,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'ended')),
      tries INTEGER NOT NULL DEFAULT 0,
      interruptions INTEGER NOT NULL DEFAULT 0,
      is_suspect INTEGER NOT NULL DEFAULT 0,
      outcome TEXT,
      PRIMARY KEY (batch_id, item_index)
    ) WITHOUT ROWID;
    CREATE INDEX items_waiting ON items (batch_id, is_suspect, item_index) WHERE state = 'waiting';
    CREATE TABLE documents (
      id TEXT PRIMARY KEY,
      queued_at INTEGER NOT NULL,
      is_claimed INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0,
      interruptions INTEGER NOT NULL DEFAULT 0,
      document TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX documents_by_age ON documents (is_claimed, queued_at);
  `,
  `
    ALTER TABLE items ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE items ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
    DROP INDEX items_waiting;
    CREATE INDEX items_waiting ON items (batch_id, is_suspect, due, item_index) WHERE state = 'waiting';
    ALTER TABLE documents ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE documents ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
    DROP INDEX documents_by_age;
    CREATE INDEX documents_waiting ON documents (is_claimed, due, queued_at);
  `,
  `
    ALTER TABLE batches ADD COLUMN merged_until INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batches ADD COLUMN merge_tries INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batches ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]';
  `,
  `
    CREATE TABLE document_parts (
      document_id TEXT NOT NULL,
      first_byte INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (document_id, first_byte)
    );
  `,
  "ALTER TABLE items ADD COLUMN sealed TEXT;",
  "ALTER TABLE batches ADD COLUMN link_epoch INTEGER NOT NULL DEFAULT 0;",
];
