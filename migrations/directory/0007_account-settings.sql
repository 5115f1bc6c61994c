ALTER TABLE `accounts` ADD `access` text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `record_downloads` integer DEFAULT false NOT NULL;