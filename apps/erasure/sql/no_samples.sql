-- The planner keeps samples of what stands in a column (pg_statistic): of a row that was deleted or blanked too, until
-- the table is sampled again, and in the clear.  No column that can hold words of a person, a key or a hash of either is
-- sampled.  A target of 0 leaves what was sampled before, so where a table was (reltuples is -1 until then) its columns
-- are given the type they have: that drops the samples, and writes no row.
DO $$
DECLARE
  unsampled CONSTANT text[] := ARRAY[
    'access_request purpose_note fingerprint', 'account_emailaddress email', 'account_emailconfirmation key',
    'api_key prefix hash', 'client name domain', 'directory credential_hash', 'django_admin_log object_id object_repr change_message',
    'django_session session_key session_data', 'edge valid_from valid_to', 'emergency note salt words',
    'entity name', 'erasure_order certificate link_hash', 'erasure_words request salt key sent',
    'invitation token_hash email', 'legal_hold by why', 'letter facts key trouble',
    'memory subject label neutral_label source as_of', 'memory_version source label valid_from valid_to as_of why',
    'mfa_authenticator data', 'proposal subject label as_of rationale fingerprint candidate evidence marks reason turn unnoticed',
    'review reviewer reason', 'space name', 'space_policy notice', 'space_settled policy notice',
    'turn wrapped question answer facts', 'turn_event body digest chain_hash', 'user password email name',
    'usersessions_usersession session_key user_agent ip data', 'value_print whole words numbers digests',
    'vault name born_on', 'vault_key wrapped index_wrapped', 'sealed.handle handle body_digest', 'sealed.key wrapped',
    'sealed.ticket_key ipad opad', 'sealed.value nonce ciphertext commitment'];
  each text;
  named text[];
  held record;
BEGIN
  FOREACH each IN ARRAY unsampled LOOP
    named := string_to_array(each, ' ');
    IF position('.' IN named[1]) = 0 THEN
      named[1] := 'public.' || quote_ident(named[1]);
    END IF;
    FOR held IN
      SELECT a.attname, format_type(a.atttypid, a.atttypmod) AS kind, c.reltuples >= 0 AS sampled,
             CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || a.attcollation::regcollation ELSE '' END AS sorted
        FROM unnest(named[2:]) wanted
        LEFT JOIN (pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid)
          ON a.attrelid = named[1]::regclass AND a.attname = wanted
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', named[1], held.attname);
      IF held.sampled THEN
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I TYPE %s%s', named[1], held.attname, held.kind, held.sorted);
      END IF;
    END LOOP;
  END LOOP;
END $$;
