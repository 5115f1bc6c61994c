ALTER TABLE `documents` ADD `link_seconds` integer;--> statement-breakpoint
ALTER TABLE `documents` ADD `link_epoch` integer DEFAULT 0 NOT NULL;