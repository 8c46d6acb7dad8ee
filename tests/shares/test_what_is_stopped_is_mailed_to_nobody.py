"""A link, or a code, that waits to be mailed when its share or its link is stopped goes to nobody."""

from apps.ledger.log import act
from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.shares import Recipient
from apps.shares import services as shares
from apps.shares.services.again import stop_within
from tests.cast import Vault
from tests.shares.links import lock, shared
from vault.clock import utc_now


def waiting(vault: Vault) -> set[tuple[str, str]]:
    """To which address what waits."""
    rows = LetterRow.objects.filter(vault_id=vault.id, to=None, sent_at=None, failed=False)
    return set(rows.values_list("address", "letter"))


def test_of_a_share_nothing_more_goes(alice: Vault, silva: Recipient, ana: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva, ana])
    shares.knock(made.links[0].token, utc_now())
    assert waiting(alice) == {
        (silva.address, "share"),
        (silva.address, "share-code"),
        (ana.address, "share"),
    }
    shares.stop(alice.holder, made.share.share_id, utc_now())
    assert waiting(alice) == set()
    stopped = LetterRow.objects.filter(vault_id=alice.id, letter="share-stopped")
    assert [each.key for each in stopped] == [f"{typed('shr', made.share.share_id)}/stopped"], "its owner is told still"


def test_nor_where_it_ended_by_itself(alice: Vault, silva: Recipient, ana: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva, ana], code=shares.Code.PIN, pin="482913")
    assert waiting(alice) == {(silva.address, "share"), (ana.address, "share")}
    lock(alice.id, made.share, made.links[0].token)
    assert waiting(alice) == set(), "its code was tried too often"
    over = shared(alice, "time", recipients=[silva, ana])
    shares.expire(alice.id, over.share.share_id, over.share.expires_at)
    assert waiting(alice) == set(), "its time is over"


def test_of_one_link_nothing_more_goes_and_of_the_others_everything(
    alice: Vault, silva: Recipient, ana: Recipient
) -> None:
    made = shared(alice, "time", recipients=[silva, ana])
    shares.knock(made.links[0].token, utc_now())
    shares.stop_link(alice.holder, made.share.share_id, made.links[0].link.link_id, utc_now())
    assert waiting(alice) == {(ana.address, "share")}


def test_nor_of_what_is_stopped_again_after_a_restore(alice: Vault, silva: Recipient, ana: Recipient) -> None:
    """The letters that waited when the backup was taken wait again then."""
    going, over = shared(alice, "time", recipients=[silva, ana]), shared(alice, "time", recipients=[silva])
    for made in (going, over):
        shares.knock(made.links[0].token, utc_now())
    with act(alice.id, alice.holder.actor) as again:
        links = {going.links[0].link.link_id}
        assert stop_within(again, utc_now(), shares={over.share.share_id}, links=links) == 2
    assert waiting(alice) == {(ana.address, "share")}
