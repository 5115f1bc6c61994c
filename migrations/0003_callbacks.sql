CREATE TABLE `callback_events` (
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
	`hand_over_at` integer
);
--> statement-breakpoint
CREATE INDEX `callback_events_by_account` ON `callback_events` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `callback_events_to_hand_over` ON `callback_events` (`hand_over_at`) WHERE hand_over_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`account_id` text NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`account_id`, `secret`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- Accounts that were there before callbacks. Hexadecimal digits are base64 too: 64 of them carry 256 random bits.
INSERT INTO webhook_secrets (account_id, secret, created_at)
SELECT id, 'whsec_' || lower(hex(randomblob(32))), unixepoch() * 1000 FROM accounts;
