CREATE TABLE `audit_events` (
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	PRIMARY KEY(`account_id`, `created_at`, `id`)
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `monthly_renders` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `scopes` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_at` integer;