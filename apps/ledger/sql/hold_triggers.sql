-- The tree only grows, and has another name only where a hold is lifted by it.
CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON log.tree FOR EACH ROW
  WHEN (NEW.id <> OLD.id OR NEW.size <= OLD.size) EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER keeps_its_name BEFORE UPDATE ON log.tree FOR EACH ROW
  WHEN (NEW.origin <> OLD.origin) EXECUTE FUNCTION gate.only_on_hold();
