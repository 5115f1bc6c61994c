// Inserts many documents of one account with a single statement, in its own process, with the STATE_DIR of the service. The
// triggers fill the other tables. The documents are one second apart, the newest of them now. One in a hundred has failed and
// one in ten is a PNG. Each has a tier of ten, and a customer whom it shares with a hundred others.
import { withBindings } from "./bindings.ts";

const [accountId = "", templateIds = "", count = ""] = process.argv.slice(2);

const insert = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3),
random AS (SELECT n, lower(hex(randomblob(16))) AS h, lower(hex(randomblob(32))) AS file FROM numbers)
INSERT INTO documents (id, account_id, template_id, template_version, status, format, width, height, device_scale_factor,
  file_key, month, created_at, completed_at, page_count, file_size, sha256, error, metadata)
SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3) || '-8' || substr(h, 18, 3) || '-' || substr(h, 21),
  ?1, json_extract(?2, '$[' || (n % json_array_length(?2)) || ']'), 1, iif(n % 100, 'completed', 'failed'),
  iif((n / 3) % 10, 'pdf', 'png'), 794, 1123, 2, substr(file, 1, 43) || '.pdf', '2026-11', ?4 - (?3 - n) * 1000,
  iif(n % 100, ?4, NULL), iif(n % 100, 1, NULL), iif(n % 100, 10000, NULL), iif(n % 100, file, NULL),
  iif(n % 100, NULL, '{"code":"RENDER_FAILED","message":"Failed."}'),
  json_object('tier', 't' || (n % 10), 'customer', 'c' || (n / 100)) FROM random`;

await withBindings(async ({ DB }) => {
  const statement = DB.prepare(insert);
  await statement.bind(accountId, templateIds, Number(count), Date.now()).run();
});
