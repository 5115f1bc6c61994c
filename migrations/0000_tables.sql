CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`plan`) REFERENCES `plans`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE TABLE `deleted_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_documents_by_age` ON `deleted_documents` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `document_counts` (
	`account_id` text NOT NULL,
	`month` text NOT NULL,
	`stored` integer DEFAULT 0 NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `month`)
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`template_id` text NOT NULL,
	`template_version` integer NOT NULL,
	`status` text NOT NULL,
	`format` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`device_scale_factor` integer NOT NULL,
	`file_key` text NOT NULL,
	`month` text NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`page_count` integer,
	`file_size` integer,
	`sha256` text,
	`warnings` text DEFAULT '[]' NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `documents_by_account` ON `documents` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `documents_by_template` ON `documents` (`account_id`,`template_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `plans` (
	`name` text PRIMARY KEY NOT NULL,
	`monthly_renders` integer NOT NULL,
	`api_access` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE `template_versions` (
	`template_id` text NOT NULL,
	`version` integer NOT NULL,
	`account_id` text NOT NULL,
	`content_hash` text NOT NULL,
	`created_at` integer NOT NULL,
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
	`id` text PRIMARY KEY NOT NULL,
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
	`dispatch_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_events_by_account` ON `webhook_events` (`account_id`,`created_at`,`id`);--> statement-breakpoint
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
