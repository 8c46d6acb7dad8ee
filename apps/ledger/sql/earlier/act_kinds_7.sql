-- The acts that may be recorded: an allow-list, not "does not begin with value.", which ' value.read', 'Value.read' and
-- a zero-width space would pass.  The same list as apps/policy/vocabulary.py; a test compares them.
CREATE OR REPLACE FUNCTION gate.act_kinds() RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY[
    'vault.opened',
    'client.registered', 'client.paused', 'client.resumed', 'client.revoked', 'key.made', 'key.revoked',
    'memory.added', 'memory.corrected', 'memory.withdrawn', 'memory.restored', 'memory.indexed',
    'proposal.made', 'proposal.approved', 'proposal.rejected', 'proposal.withdrawn',
    'request.made', 'request.decided', 'request.cancelled', 'request.expired',
    'grant.made', 'grant.narrowed', 'grant.revoked', 'grant.expired', 'grant.lapsed',
    'turn.asked', 'turn.answered',
    'space.founded', 'member.joined', 'member.left', 'invitation.made', 'invitation.withdrawn',
    'delegation.made', 'delegation.renewed', 'delegation.ended',
    'memory.sealed', 'tier.announced', 'tier.changed',
    'review.approved', 'review.narrowed', 'review.returned', 'review.declined', 'desk.entered', 'desk.left',
    'space.settled', 'emergency.entered', 'emergency.left', 'emergency.reviewed', 'address.given'
  ];
GRANT EXECUTE ON FUNCTION gate.act_kinds() TO muniment_app;
