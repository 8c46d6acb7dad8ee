"""A link, or a code, that waits to be mailed when its share or its link is stopped goes to nobody."""

from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.shares import Recipient
from apps.shares import services as shares
from tests.cast import Vault
from tests.shares.links import shared
from vault.clock import utc_now

SILVA, ANA = Recipient("Dr. Silva", "silva@clinic.example"), Recipient("Ana", "ana@home.example")


def waiting(vault: Vault) -> set[tuple[str, str]]:
    """To which address what waits."""
    rows = LetterRow.objects.filter(vault_id=vault.id, to=None, sent_at=None, failed=False)
    return set(rows.values_list("address", "letter"))


def test_of_a_share_nothing_more_goes(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[SILVA, ANA])
    shares.knock(made.links[0].token, utc_now())
    assert waiting(alice) == {
        (SILVA.address, "share"),
        (SILVA.address, "share-code"),
        (ANA.address, "share"),
    }
    shares.stop(alice.holder, made.share.share_id, utc_now())
    assert waiting(alice) == set()
    stopped = LetterRow.objects.filter(vault_id=alice.id, letter="share-stopped")
    assert [each.key for each in stopped] == [f"{typed('shr', made.share.share_id)}/stopped"], "its owner is told still"


def test_of_one_link_nothing_more_goes_and_of_the_others_everything(alice: Vault) -> None:
    made = shared(alice, "time", recipients=[SILVA, ANA])
    shares.knock(made.links[0].token, utc_now())
    shares.stop_link(alice.holder, made.share.share_id, made.links[0].link.link_id, utc_now())
    assert waiting(alice) == {(ANA.address, "share")}
