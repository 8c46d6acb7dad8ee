CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON public.receipt
  FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.receipt
  FOR EACH STATEMENT EXECUTE FUNCTION gate.append_only();
