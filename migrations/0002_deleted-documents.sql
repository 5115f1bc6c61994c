CREATE TABLE `deleted_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_documents_by_age` ON `deleted_documents` (`deleted_at`);--> statement-breakpoint
CREATE TRIGGER documents_remembered AFTER DELETE ON documents BEGIN
  INSERT INTO deleted_documents (id, deleted_at) VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT DO NOTHING;
  DELETE FROM deleted_documents WHERE deleted_at < (unixepoch() - 86400) * 1000;
END;
--> statement-breakpoint
CREATE TRIGGER documents_stay_deleted BEFORE INSERT ON documents
WHEN EXISTS (SELECT 1 FROM deleted_documents WHERE id = NEW.id) BEGIN
  SELECT RAISE(IGNORE);
END;
