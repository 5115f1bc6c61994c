CREATE TABLE `deleted_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deleted_documents_by_age` ON `deleted_documents` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `document_counts` (
	`account_id` text NOT NULL,
	`month` text NOT NULL,
	`status` text NOT NULL,
	`stored` integer NOT NULL,
	`ever` integer NOT NULL,
	PRIMARY KEY(`account_id`, `month`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`template_id` text NOT NULL,
	`template_version` integer NOT NULL,
	`status` text NOT NULL,
	`format` text NOT NULL,
	`width` integer NOT NULL,
	`device_scale_factor` integer NOT NULL,
	`file_key` text NOT NULL,
	`month` text NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`page_count` integer,
	`file_size` integer,
	`sha256` text,
	`warnings` text DEFAULT '[]' NOT NULL,
	`error` text,
	`height` integer,
	`expires_at` integer,
	`filename` text,
	`metadata` text DEFAULT '{}' NOT NULL,
	`image_quality` integer,
	`pixel_width` integer,
	`pixel_height` integer,
	`batch_id` text,
	PRIMARY KEY(`account_id`, `created_at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_by_id` ON `documents` (`id`);--> statement-breakpoint
CREATE INDEX `documents_by_template` ON `documents` (`account_id`,`template_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `documents_by_batch` ON `documents` (`account_id`,`batch_id`,`created_at`,`id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_by_file` ON `documents` (`file_key`);--> statement-breakpoint
CREATE INDEX `documents_by_expiry` ON `documents` (`expires_at`,`id`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`document_id` text NOT NULL,
	`url` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`round` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`history` text DEFAULT '[]' NOT NULL,
	`dispatch_at` integer,
	`earlier_attempts` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_events_to_dispatch` ON `webhook_events` (`dispatch_at`) WHERE dispatch_at IS NOT NULL;--> statement-breakpoint
-- drizzle-kit does not write what follows, nor WITHOUT ROWID. Each trigger stands on one line: the remote `migrations apply` is
-- reported to split a file at semicolons inside them.

-- A slow insert of a deleted document, from its request or from the alarm, must not bring it back: ids are kept for a day.
CREATE TRIGGER documents_stay_deleted BEFORE INSERT ON documents WHEN EXISTS (SELECT 1 FROM deleted_documents WHERE id = NEW.id) BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
-- The counts change in the statement that changes the row, so an insert that lost (ON CONFLICT DO NOTHING) counts nothing.
CREATE TRIGGER documents_count_insert AFTER INSERT ON documents BEGIN INSERT INTO document_counts (account_id, month, status, stored, ever) VALUES (NEW.account_id, NEW.month, NEW.status, 1, 1) ON CONFLICT DO UPDATE SET stored = stored + 1, ever = ever + 1; END;
--> statement-breakpoint
CREATE TRIGGER documents_count_status AFTER UPDATE OF status ON documents WHEN NEW.status <> OLD.status BEGIN INSERT INTO document_counts (account_id, month, status, stored, ever) VALUES (NEW.account_id, NEW.month, NEW.status, 1, 1) ON CONFLICT DO UPDATE SET stored = stored + 1, ever = ever + 1; UPDATE document_counts SET stored = stored - 1 WHERE account_id = OLD.account_id AND month = OLD.month AND status = OLD.status; END;
--> statement-breakpoint
CREATE TRIGGER documents_count_delete AFTER DELETE ON documents BEGIN UPDATE document_counts SET stored = stored - 1 WHERE account_id = OLD.account_id AND month = OLD.month AND status = OLD.status; INSERT INTO deleted_documents (id, deleted_at) VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT DO NOTHING; DELETE FROM deleted_documents WHERE deleted_at < (unixepoch() - 86400) * 1000; END;
