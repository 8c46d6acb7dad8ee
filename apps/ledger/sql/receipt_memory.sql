-- Finds the receipts about one memory among all.  Without `seq`, so that the many entries of one memory share a key and
-- take a few bytes each: a stamp writes one entry a receipt.
CREATE INDEX receipt_memory ON public.receipt (vault_id, memory_id) WHERE memory_id IS NOT NULL;
