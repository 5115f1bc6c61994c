CREATE TABLE `repair_passes` (
	`name` text PRIMARY KEY NOT NULL,
	`position` text,
	`finished_at` integer
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_deleted` ON `accounts` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `documents` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `documents_by_file` ON `documents` (`file_key`);--> statement-breakpoint
CREATE INDEX `documents_by_expiry` ON `documents` (`expires_at`,`id`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `plans` ADD `retention_days` integer;--> statement-breakpoint
CREATE INDEX `webhook_events_ended` ON `webhook_events` (`created_at`,`id`) WHERE status <> 'pending';