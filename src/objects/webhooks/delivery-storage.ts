// The tables of an account's webhook sender, as a list of upgrade steps in order. Never change a released step; append
// a new step instead. Times are in ms since the epoch. The tables have no row ids, because the platform bills every entry of an
// index that is written.

export const deliveryStorageSteps = [
  `
    CREATE TABLE deliveries (
      event_id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      url TEXT NOT NULL,
      payload TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'done')),
      due INTEGER NOT NULL,
      round INTEGER NOT NULL,
      delivery TEXT NOT NULL,
      is_reported INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE INDEX deliveries_by_due ON deliveries (state, due);
    CREATE INDEX deliveries_unreported ON deliveries (is_reported) WHERE is_reported = 0;
    CREATE TABLE failing_endpoints (endpoint TEXT PRIMARY KEY, failures INTEGER NOT NULL) WITHOUT ROWID;
  `,
  `
    ALTER TABLE deliveries ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE deliveries ADD COLUMN report_due INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE deliveries ADD COLUMN report_faults INTEGER NOT NULL DEFAULT 0;
  `,
];
