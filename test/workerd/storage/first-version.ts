// The tables and a few rows of each object, as the first release stored them. The SQL in this file must never change, because
// the tests use it to prove that later releases can still read what the first release stored.

/** The key under which each release records the version of the storage, in the object's key-value storage. */
export const versionKey = "storage-version";

/** An account with one hold in flight, one committed render and its idempotency key, and one delete in progress. */
export const quotaVersion1 = `
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
  INSERT INTO holds VALUES
    ('cfd12160-d945-4687-bf38-ab3316837210', '2026-11', 'committed', 1795293776000,
     '{"draft":{"id":"cfd12160-d945-4687-bf38-ab3316837210","accountId":"0d1f7a52-0c5e-4b6b-9a3f-2f0a7f6f1c11","templateId":"4fa9876f-f02c-447b-8f1d-87c968c159d8","templateVersion":1,"format":"pdf","width":794,"height":1123,"deviceScaleFactor":2,"fileKey":"edbHn822PbMWzeikMFax-Lldm18r0xdHa5emr50lXTI.pdf","month":"2026-11","createdAt":1795293686000},"leaseMs":90000,"webhookUrl":null}'),
    ('6b4c7d1e-5a8e-4c39-9f3b-4a1d2e7c8b90', '2026-11', 'held', 1795293790000,
     '{"draft":{"id":"6b4c7d1e-5a8e-4c39-9f3b-4a1d2e7c8b90","accountId":"0d1f7a52-0c5e-4b6b-9a3f-2f0a7f6f1c11","templateId":"4fa9876f-f02c-447b-8f1d-87c968c159d8","templateVersion":1,"format":"png","width":794,"height":1123,"deviceScaleFactor":2,"fileKey":"Q0pXn3c5VtE2yR8mK1aZ7sLwB4uHf6gJ9dNxTiOePvY.png","month":"2026-11","createdAt":1795293700000},"leaseMs":90000,"webhookUrl":"https://receiver.example/hook"}');
  INSERT INTO months VALUES ('2026-11', 1);
  INSERT INTO idempotency_keys VALUES ('order-17', 'b5bb9d80', 'cfd12160-d945-4687-bf38-ab3316837210', 1795293686000);
  INSERT INTO deletions VALUES
    ('11f0c1d4-3e27-4d5c-8a8e-7b9d0c6e5f43', 'h7Kc2sVb9QmX4tWz1eRy6uIo3pAa8sDf5gHj0kLl2Zx.pdf', '0d1f7a52-0c5e-4b6b-9a3f-2f0a7f6f1c11', 1795293795000);
`;

/** An account with three deliveries, which are waiting, paused and done, and with one failing endpoint. */
export const deliveriesVersion1 = `
  CREATE TABLE deliveries (
    event_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    url TEXT NOT NULL,
    payload TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'paused', 'sending', 'done')),
    due INTEGER NOT NULL,
    round INTEGER NOT NULL,
    delivery TEXT NOT NULL,
    is_reported INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX deliveries_by_due ON deliveries (state, due);
  CREATE INDEX deliveries_paused ON deliveries (endpoint, due) WHERE state = 'paused';
  CREATE INDEX deliveries_unreported ON deliveries (is_reported) WHERE is_reported = 0;
  CREATE TABLE failing_endpoints (endpoint TEXT PRIMARY KEY, failures INTEGER NOT NULL);
  INSERT INTO deliveries VALUES
    ('evt_waiting', '0d1f7a52-0c5e-4b6b-9a3f-2f0a7f6f1c11', 'https://receiver.example/hook?a=1', '{"type":"document.completed"}', 'https://receiver.example/hook', 'waiting', 1795293800000, 0,
     '{"status":"pending","attempts":1,"nextAttemptAt":1795293800000,"round":0,"history":[{"at":1795293795000,"durationMs":12,"status":500,"error":"answered 500","response":""}]}', 1),
    ('evt_paused', '0d1f7a52-0c5e-4b6b-9a3f-2f0a7f6f1c11', 'https://receiver.example/hook?a=2', '{"type":"document.failed"}', 'https://receiver.example/hook', 'paused', 1795293796000, 0,
     '{"status":"pending","attempts":0,"nextAttemptAt":1795293796000,"round":0,"history":[]}', 0),
    ('evt_done', '0d1f7a52-0c5e-4b6b-9a3f-2f0a7f6f1c11', 'https://receiver.example/other', '', 'https://receiver.example/other', 'done', 1795380195000, 0,
     '{"status":"delivered","attempts":1,"nextAttemptAt":null,"round":0,"history":[{"at":1795293795000,"durationMs":9,"status":200,"error":null,"response":"ok"}]}', 1);
  INSERT INTO failing_endpoints VALUES ('https://receiver.example/hook', 4);
`;
