-- Each trigger stands on one line: the remote `migrations apply` is reported to split a file at semicolons inside them.

-- The counts move in the statement that moves the row, so an insert that lost (ON CONFLICT DO NOTHING) counts nothing.
CREATE TRIGGER documents_count_insert AFTER INSERT ON documents BEGIN INSERT INTO document_counts (account_id, month, stored, completed) VALUES (NEW.account_id, NEW.month, 1, NEW.status = 'completed') ON CONFLICT (account_id, month) DO UPDATE SET stored = stored + 1, completed = completed + (NEW.status = 'completed'); END;
--> statement-breakpoint
CREATE TRIGGER documents_count_delete AFTER DELETE ON documents BEGIN UPDATE document_counts SET stored = stored - 1 WHERE account_id = OLD.account_id AND month = OLD.month; END;
--> statement-breakpoint
-- A slow insert of a deleted document, from its request or from the alarm, must not bring it back: ids are kept for a day.
CREATE TRIGGER documents_remember_delete AFTER DELETE ON documents BEGIN INSERT INTO deleted_documents (id, deleted_at) VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT DO NOTHING; DELETE FROM deleted_documents WHERE deleted_at < (unixepoch() - 86400) * 1000; END;
--> statement-breakpoint
CREATE TRIGGER documents_stay_deleted BEFORE INSERT ON documents WHEN EXISTS (SELECT 1 FROM deleted_documents WHERE id = NEW.id) BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
INSERT INTO plans (name, monthly_renders, api_access) VALUES ('free', 50, 1), ('starter', 150, 1), ('pro', 500, 1), ('enterprise', 5000, 1);
