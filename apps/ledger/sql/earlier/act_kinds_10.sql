-- The acts that may be recorded: an allow-list, not "does not begin with value.", which ' value.read', 'Value.read' and
-- a zero-width space would pass.  The same list as apps/policy/vocabulary.py; a test compares them.
CREATE OR REPLACE FUNCTION gate.act_kinds() RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY[
    'vault.opened',
    'client.registered', 'client.paused', 'client.resumed', 'client.revoked', 'key.made', 'key.revoked',
    'client.local', 'client.hosted',
    'memory.added', 'memory.corrected', 'memory.withdrawn', 'memory.restored', 'memory.indexed',
    'proposal.made', 'proposal.approved', 'proposal.rejected', 'proposal.withdrawn',
    'request.made', 'request.decided', 'request.cancelled', 'request.expired',
    'grant.made', 'grant.narrowed', 'grant.revoked', 'grant.expired', 'grant.lapsed',
    'turn.asked', 'turn.answered',
    'space.founded', 'member.joined', 'member.left', 'invitation.made', 'invitation.withdrawn',
    'delegation.made', 'delegation.renewed', 'delegation.ended',
    'memory.sealed', 'tier.announced', 'tier.changed',
    'review.approved', 'review.narrowed', 'review.returned', 'review.declined', 'desk.entered', 'desk.left',
    'space.settled', 'emergency.entered', 'emergency.left', 'emergency.reviewed', 'address.given',
    'memory.backdated', 'memory.reverted', 'memory.reaffirmed', 'memory.reopened', 'memory.resolved', 'memory.rescoped',
    'memory.marked', 'memory.merged', 'memory.parted', 'memory.erased',
    'entity.named', 'entity.merged', 'entity.parted', 'edge.drawn', 'edge.ended',
    'proposal.expired', 'proposal.rebased', 'proposal.lifted', 'proposal.undone',
    'erasure.ordered', 'erasure.certified', 'vault.erased', 'legal-hold.placed', 'legal-hold.lifted', 'keys.rotated'
  ];
GRANT EXECUTE ON FUNCTION gate.act_kinds() TO muniment_app;
