ALTER TABLE `documents` ADD `batch_id` text;--> statement-breakpoint
CREATE INDEX `documents_by_batch` ON `documents` (`account_id`,`batch_id`,`created_at`,`id`) WHERE batch_id IS NOT NULL;