ALTER TABLE `deleted_documents` ADD `was_completed` integer DEFAULT false NOT NULL;
--> statement-breakpoint
DROP TRIGGER documents_count_delete;
--> statement-breakpoint
CREATE TRIGGER documents_count_delete AFTER DELETE ON documents BEGIN UPDATE document_counts SET stored = stored - 1 WHERE account_id = OLD.account_id AND month = OLD.month AND status = OLD.status; INSERT INTO deleted_documents (id, deleted_at, was_completed) VALUES (OLD.id, unixepoch() * 1000, OLD.status = 'completed') ON CONFLICT DO NOTHING; DELETE FROM deleted_documents WHERE deleted_at < (unixepoch() - 86400) * 1000; END;
