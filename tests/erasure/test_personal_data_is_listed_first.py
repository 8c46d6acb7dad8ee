"""Personal data is listed first, by looks that have their receipts; what of it is erased is the holder's choice."""

from apps.erasure import services as erasure
from apps.erasure.services import Personal
from apps.memories import services as memories
from apps.policy.erasing import Order, Where
from tests.cast import Vault
from vault.clock import utc_now


def test_it_is_found_by_looking_and_stays_until_it_is_chosen(alice: Vault) -> None:
    account = alice.keep("account", "DE89 3704 0044 0532 0130 00")
    mail = alice.keep("mail", "rosa@mail.example.org")
    looked_before = len(alice.receipts(kind="value.shown"))
    report = erasure.personal_data(alice.holder, [Personal.IBAN, Personal.MAIL])
    assert {each.memory_id: kinds for each, kinds in report.found} == {
        account: {Personal.IBAN},
        mail: {Personal.MAIL},
    }
    assert len(alice.receipts(kind="value.shown")) - looked_before == report.looked
    assert memories.memory(alice.holder, account) is not None
    assert isinstance(erasure.order(alice.holder, Where(ids=frozenset({account})), utc_now()), Order)
    assert [each.memory_id for each, _ in erasure.personal_data(alice.holder, [Personal.IBAN]).found] == []
    assert memories.memory(alice.holder, mail) is not None
