ALTER TABLE `template_versions` ADD `manifest` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `template_versions` ADD `pages_count` integer DEFAULT 1 NOT NULL;