-- Lists of documents no longer depend on how many documents an account has: the totals of all combinations of filters are
-- kept, each list reads ranges of an index in its order, and metadata can be searched.
DROP TRIGGER documents_count_insert;--> statement-breakpoint
DROP TRIGGER documents_count_delete;--> statement-breakpoint
ALTER TABLE `document_counts` DROP COLUMN `stored`;--> statement-breakpoint
CREATE TABLE `document_totals` (
	`account_id` text NOT NULL,
	`template_id` text NOT NULL,
	`status` text NOT NULL,
	`format` text NOT NULL,
	`stored` integer NOT NULL,
	PRIMARY KEY(`account_id`, `template_id`, `status`, `format`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `document_metadata` (
	`account_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`status` text NOT NULL,
	`format` text NOT NULL,
	`created_at` integer NOT NULL,
	`document_id` text NOT NULL,
	`template_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `key`, `value`, `status`, `format`, `created_at`, `document_id`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `documents_by_account`;--> statement-breakpoint
DROP INDEX `documents_by_template`;--> statement-breakpoint
CREATE INDEX `documents_by_kind` ON `documents` (`account_id`,`status`,`format`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `documents_by_template_and_kind` ON `documents` (`account_id`,`template_id`,`status`,`format`,`created_at`,`id`);--> statement-breakpoint
INSERT INTO document_totals (account_id, template_id, status, format, stored) SELECT account_id, template_id, status, format, count(*) FROM documents GROUP BY account_id, template_id, status, format;--> statement-breakpoint
INSERT INTO document_metadata (account_id, key, value, status, format, created_at, document_id, template_id) SELECT documents.account_id, pair.key, pair.value, documents.status, documents.format, documents.created_at, documents.id, documents.template_id FROM documents, json_each(documents.metadata) AS pair;--> statement-breakpoint
CREATE TRIGGER documents_count_completed AFTER INSERT ON documents WHEN NEW.status = 'completed' BEGIN INSERT INTO document_counts (account_id, month, completed) VALUES (NEW.account_id, NEW.month, 1) ON CONFLICT (account_id, month) DO UPDATE SET completed = completed + 1; END;
--> statement-breakpoint
CREATE TRIGGER documents_total_insert AFTER INSERT ON documents BEGIN INSERT INTO document_totals (account_id, template_id, status, format, stored) VALUES (NEW.account_id, NEW.template_id, NEW.status, NEW.format, 1) ON CONFLICT DO UPDATE SET stored = stored + 1; END;
--> statement-breakpoint
CREATE TRIGGER documents_total_delete AFTER DELETE ON documents BEGIN UPDATE document_totals SET stored = stored - 1 WHERE account_id = OLD.account_id AND template_id = OLD.template_id AND status = OLD.status AND format = OLD.format; DELETE FROM document_totals WHERE account_id = OLD.account_id AND template_id = OLD.template_id AND status = OLD.status AND format = OLD.format AND stored = 0; END;
--> statement-breakpoint
CREATE TRIGGER documents_total_status AFTER UPDATE OF status ON documents WHEN NEW.status <> OLD.status BEGIN INSERT INTO document_totals (account_id, template_id, status, format, stored) VALUES (NEW.account_id, NEW.template_id, NEW.status, NEW.format, 1) ON CONFLICT DO UPDATE SET stored = stored + 1; UPDATE document_totals SET stored = stored - 1 WHERE account_id = OLD.account_id AND template_id = OLD.template_id AND status = OLD.status AND format = OLD.format; DELETE FROM document_totals WHERE account_id = OLD.account_id AND template_id = OLD.template_id AND status = OLD.status AND format = OLD.format AND stored = 0; END;
--> statement-breakpoint
CREATE TRIGGER documents_metadata_insert AFTER INSERT ON documents WHEN NEW.metadata <> '{}' BEGIN INSERT INTO document_metadata (account_id, key, value, status, format, created_at, document_id, template_id) SELECT NEW.account_id, pair.key, pair.value, NEW.status, NEW.format, NEW.created_at, NEW.id, NEW.template_id FROM json_each(NEW.metadata) AS pair; END;
--> statement-breakpoint
CREATE TRIGGER documents_metadata_delete AFTER DELETE ON documents WHEN OLD.metadata <> '{}' BEGIN DELETE FROM document_metadata WHERE (account_id, key, value, status, format, created_at, document_id) IN (SELECT OLD.account_id, pair.key, pair.value, OLD.status, OLD.format, OLD.created_at, OLD.id FROM json_each(OLD.metadata) AS pair); END;
--> statement-breakpoint
CREATE TRIGGER documents_metadata_status AFTER UPDATE OF status ON documents WHEN NEW.status <> OLD.status BEGIN UPDATE document_metadata SET status = NEW.status WHERE (account_id, key, value, status, format, created_at, document_id) IN (SELECT OLD.account_id, pair.key, pair.value, OLD.status, OLD.format, OLD.created_at, OLD.id FROM json_each(OLD.metadata) AS pair); END;
