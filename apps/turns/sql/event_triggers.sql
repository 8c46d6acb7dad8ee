-- For everybody, the owner included.  Erasing a conversation destroys its turns' keys; the events then say nothing.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON public.turn_event
  FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.turn_event
  FOR EACH STATEMENT EXECUTE FUNCTION gate.append_only();
