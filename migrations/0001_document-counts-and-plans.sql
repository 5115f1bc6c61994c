-- The counts move in the statement that moves the row, so an insert that lost (ON CONFLICT DO NOTHING) counts nothing.
CREATE TRIGGER documents_counted_in AFTER INSERT ON documents BEGIN
  INSERT INTO document_counts (account_id, month, stored, completed)
  VALUES (NEW.account_id, NEW.month, 1, NEW.status = 'completed')
  ON CONFLICT (account_id, month) DO UPDATE SET
    stored = stored + 1,
    completed = completed + (NEW.status = 'completed');
END;
--> statement-breakpoint
CREATE TRIGGER documents_counted_out AFTER DELETE ON documents BEGIN
  UPDATE document_counts SET stored = stored - 1
  WHERE account_id = OLD.account_id AND month = OLD.month;
END;
--> statement-breakpoint
INSERT INTO plans (name, monthly_renders, api_access) VALUES
  ('free', 50, 1),
  ('starter', 150, 1),
  ('pro', 500, 1),
  ('enterprise', 5000, 1);
