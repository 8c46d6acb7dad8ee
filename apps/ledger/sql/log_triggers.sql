-- For everybody, the owner included: what was logged stays as it was logged, and the tree only grows.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.leaf FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.checkpoint FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.key FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.place FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.pseudonym FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only BEFORE DELETE ON log.tree FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only BEFORE DELETE ON log.tile FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER only_grows BEFORE UPDATE ON log.tree FOR EACH ROW
  WHEN (NEW.id <> OLD.id OR NEW.origin <> OLD.origin OR NEW.size <= OLD.size) EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER only_grows BEFORE UPDATE ON log.tile FOR EACH ROW
  WHEN (NEW.level <> OLD.level OR NEW.number <> OLD.number
        OR substring(NEW.hashes FOR length(OLD.hashes)) <> OLD.hashes) EXECUTE FUNCTION gate.append_only();
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['tree', 'leaf', 'tile', 'checkpoint', 'key', 'place', 'pseudonym'] LOOP
    EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON log.%I
      FOR EACH STATEMENT EXECUTE FUNCTION gate.append_only()', name);
  END LOOP;
END $$;
