CREATE TABLE `service_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `region` text;--> statement-breakpoint
-- With another secret, every API key that exists would be refused.
INSERT INTO `service_secrets` (`name`, `secret`) VALUES ('api-key-checksum', lower(hex(randomblob(32))));
