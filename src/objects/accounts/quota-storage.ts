// The tables of an account's quota object, as a list of upgrade steps in order. Never change a released step; append a
// new step instead. Times are in ms since the epoch.

/** How long idempotency keys and settled holds are kept. */
export const retentionMs = 24 * 3_600_000;

export const quotaStorageSteps = [
  `
    CREATE TABLE holds (
      document_id TEXT PRIMARY KEY,
      month TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('held', 'committed', 'released')),
      lease_end INTEGER NOT NULL,
      hold TEXT NOT NULL
    );
    CREATE INDEX holds_by_lease ON holds (state, lease_end);
    CREATE INDEX holds_by_month ON holds (month, state);
    CREATE TABLE months (month TEXT PRIMARY KEY, committed INTEGER NOT NULL);
    CREATE TABLE idempotency_keys (
      key TEXT PRIMARY KEY,
      body_hash TEXT NOT NULL,
      document_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
    CREATE TABLE deletions (
      document_id TEXT PRIMARY KEY,
      file_key TEXT NOT NULL,
      account_id TEXT NOT NULL,
      due INTEGER NOT NULL
    );
  `,
];
