CREATE TABLE `document_downloads` (
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`document_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`key_id` text,
	`country` text,
	PRIMARY KEY(`account_id`, `document_id`, `created_at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `document_downloads_by_age` ON `document_downloads` (`created_at`);
--> statement-breakpoint
-- drizzle-kit does not write this trigger, nor WITHOUT ROWID.
CREATE TRIGGER documents_remove_downloads AFTER DELETE ON documents BEGIN DELETE FROM document_downloads WHERE account_id = OLD.account_id AND document_id = OLD.id; END;
