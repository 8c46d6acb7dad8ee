-- What stands before a vault's first receipt: it binds the chain to its vault, so that chains cannot be swapped.
CREATE FUNCTION gate.genesis(p_vault uuid) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(convert_to(E'muniment-chain/1\n' || p_vault::text || E'\n', 'UTF8'));
