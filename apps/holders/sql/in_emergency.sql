-- Does the clinic still let this emergency be?  It is switched on there, whoever came in still may, the vault still
-- stands there, and nobody has written down that it is over.  Whether its hour is over, whoever asks compares.
CREATE FUNCTION gate.in_emergency(p_emergency uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM public.emergency e
    JOIN public.delegation d ON d.delegation_id = e.delegation_id AND d.ended_at IS NULL
    JOIN public.vault v ON v.vault_id = e.vault_id AND v.space_id = e.space_id
    JOIN public.space s ON s.space_id = e.space_id AND s.kind = 'clinic'
    JOIN public.space_policy p ON p.space_id = e.space_id AND p.break_glass
    JOIN public.member m ON m.space_id = e.space_id AND m.user_id = e.user_id AND m.role = 'emergency' AND m.left_at IS NULL
    WHERE e.delegation_id = p_emergency AND e.left_at IS NULL)
$$;
GRANT EXECUTE ON FUNCTION gate.in_emergency(uuid) TO muniment_app;
