ALTER TABLE `documents` ADD `requested_expires_at` integer;--> statement-breakpoint
ALTER TABLE `documents` ADD `filename` text;--> statement-breakpoint
ALTER TABLE `documents` ADD `metadata` text DEFAULT '{}' NOT NULL;
