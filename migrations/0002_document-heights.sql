-- A failed document whose page would have been as high as its content has no height. The column is replaced by one that
-- may be null. Copying the table, as drizzle-kit suggests, would drop its triggers.
ALTER TABLE `documents` ADD `page_height` integer;--> statement-breakpoint
UPDATE `documents` SET `page_height` = `height`;--> statement-breakpoint
ALTER TABLE `documents` DROP COLUMN `height`;--> statement-breakpoint
ALTER TABLE `documents` RENAME COLUMN `page_height` TO `height`;
