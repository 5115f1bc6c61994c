ALTER TABLE `documents` ADD `image_quality` integer;--> statement-breakpoint
ALTER TABLE `documents` ADD `pixel_width` integer;--> statement-breakpoint
ALTER TABLE `documents` ADD `pixel_height` integer;