CREATE TRIGGER note_turn_erased AFTER UPDATE ON turn FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION gate.note_turn_erased();
