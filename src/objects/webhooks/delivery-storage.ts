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
  // In earlier steps, an endpoint was an origin with a path. An origin ends at the first slash after its eighth
  // character.
  `
    ALTER TABLE deliveries RENAME COLUMN endpoint TO origin;
    UPDATE deliveries SET origin = substr(origin, 1, 7 + instr(substr(origin, 9) || '/', '/'));
    DROP INDEX deliveries_by_due;
    CREATE INDEX deliveries_waiting ON deliveries (origin, due) WHERE state = 'waiting';
    CREATE INDEX deliveries_done ON deliveries (due) WHERE state = 'done';
    DROP INDEX deliveries_unreported;
    CREATE INDEX deliveries_unreported ON deliveries (report_faults) WHERE is_reported = 0;
    DROP TABLE failing_endpoints;
    CREATE TABLE failing_origins (origin TEXT PRIMARY KEY, failures INTEGER NOT NULL) WITHOUT ROWID;
  `,
];
