-- Finds the acts on one object among all receipts. Hand-overs and refusals, which are most of them, all have a form and
-- are not in it: a read writes no entry here.
CREATE INDEX receipt_acts ON public.receipt (vault_id, object, seq) WHERE form = '-';
