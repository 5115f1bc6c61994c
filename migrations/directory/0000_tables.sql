CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	`retention_days` integer,
	`deleted_at` integer,
	`region` text,
	FOREIGN KEY (`plan`) REFERENCES `plans`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `accounts_deleted` ON `accounts` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_account` ON `api_keys` (`account_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `plans` (
	`name` text PRIMARY KEY NOT NULL,
	`monthly_renders` integer NOT NULL,
	`api_access` integer DEFAULT true NOT NULL,
	`retention_days` integer
);
--> statement-breakpoint
CREATE TABLE `repair_passes` (
	`name` text PRIMARY KEY NOT NULL,
	`position` text,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `service_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `template_versions` (
	`template_id` text NOT NULL,
	`version` integer NOT NULL,
	`account_id` text NOT NULL,
	`content_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`manifest` text DEFAULT '{}' NOT NULL,
	`pages_count` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`template_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`folder` text NOT NULL,
	`version` integer NOT NULL,
	`content_hash` text NOT NULL,
	`manifest` text NOT NULL,
	`pages_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `templates_by_account` ON `templates` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `templates_by_folder` ON `templates` (`account_id`,`folder`);--> statement-breakpoint
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
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_events_to_dispatch` ON `webhook_events` (`dispatch_at`) WHERE dispatch_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`account_id` text NOT NULL,
	`secret_hash` text NOT NULL,
	`key_id` text NOT NULL,
	`ciphertext` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`account_id`, `secret_hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
	PRIMARY KEY(`account_id`, `created_at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_by_id` ON `documents` (`id`);--> statement-breakpoint
CREATE INDEX `documents_by_template` ON `documents` (`account_id`,`template_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `documents_by_file` ON `documents` (`file_key`);--> statement-breakpoint
CREATE INDEX `documents_by_expiry` ON `documents` (`expires_at`,`id`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO plans (name, monthly_renders, api_access) VALUES ('free', 50, 1), ('starter', 150, 1), ('pro', 500, 1), ('enterprise', 5000, 1);
--> statement-breakpoint
-- With another secret, every API key that exists would be refused.
INSERT INTO service_secrets (name, secret) VALUES ('api-key-checksum', lower(hex(randomblob(32))));
