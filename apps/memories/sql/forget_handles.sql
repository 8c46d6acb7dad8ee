-- Forgets stamps' handles of more than a day ago, across vaults: by then a deed sent again is a new deed.
-- Nothing depends on them any more: take releases for sixty seconds. Returns how many were forgotten.
CREATE FUNCTION gate.forget_handles() RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
  DELETE FROM sealed.handle h WHERE h.at < clock_timestamp() - interval '1 day';
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;
GRANT EXECUTE ON FUNCTION gate.forget_handles() TO muniment_app;
