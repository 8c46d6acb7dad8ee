"""Mail names nothing: whatever happens in a file, no letter about it says a value, a label or a purpose, anywhere in
the bytes that go over the wire; no header names an assistant, or quotes the sender of a share.

Protects the holder from everybody who carries their mail, and from whoever looks at their telephone.
"""

from email.message import EmailMessage

import pytest

from apps.access import services as access
from apps.erasure import services as erasure
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.letters import Letter
from apps.policy.shares import Recipient
from apps.policy.types import Refused
from apps.policy.vocabulary import Category
from apps.policy.wishes import Every
from apps.shares import services as shares
from tests.cast import canary, give, new_vault, register
from tests.holders.people import acting, newcomer
from tests.mail.conftest import Postman, empty, parsed, postman, read  # noqa: F401  (fixtures)
from tests.mail.outside import somebody
from tests.mail.test_what_was_handed_over import pass_by
from tests.mail.wishing import wish
from tests.shares.links import one, opened, shared
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")

ASSISTANT = "Diabetes Helper"  # a name can be a condition's: a letter tells it to its reader, and to nobody on the way
NOTE = "See you on Friday"


class Busy:
    """A vault in which everything happens that a letter is written of, in words that exist nowhere else."""

    def __init__(self) -> None:
        self.vault = new_vault("Alice")
        self.vault.keep("private", label=canary(), subject="secret.private")
        wish(self.vault.holder, receipts=Every.DAILY)
        acting(self.vault.holder, newcomer("Rosa"))
        self.bot = register(self.vault, ASSISTANT)
        self.silva = Recipient("Dr. Silva", somebody())
        self.told: set[Letter] = set()
        self.said: list[str] = [*self.vault.secrets, *self.vault.labels.values()]

    def secret(self) -> str:
        self.said.append(word := canary())
        return word

    def all_of_it(self) -> None:
        for deed in (self.asks, self.reads, self.suggests, self.shares_and_stops, self.erases, self.ends):
            deed()

    def asks(self) -> None:
        self.bot.ask("private", "time", categories=(Category.HEALTH,), purpose_note=self.secret())

    def reads(self) -> None:
        for name in ("private", "pills"):
            give(self.bot, name)
            self.bot.read(name)
        access.revoke(self.vault.holder, self.bot.client.client_id, utc_now())

    def suggests(self) -> None:
        other = register(self.vault, ASSISTANT)
        memories.propose(other.caller, label=self.secret(), value=self.secret(), now=utc_now())
        pass_by(self.vault.holder)

    def shares_and_stops(self) -> None:
        made = shared(self.vault, "private", "kitchen", recipients=[self.silva], note=NOTE)
        assert isinstance(shares.open_(made.links[0].token, utc_now()), shares.Challenge)
        tasks.sweep()  # a link and a code that are stopped before they went go to nobody
        _, token = one(self.vault, "private", opens=1)
        opening = opened(token, client="Firefox on Windows").opening.opening_id
        shares.tell(self.vault.id, opening, utc_now())
        assert not isinstance(shares.leave_note(token, opening, self.secret(), utc_now()), Refused)
        assert not isinstance(shares.stop(self.vault.holder, made.share.share_id, utc_now()), Refused)

    def erases(self) -> None:
        erasure.order(self.vault.holder, Where(ids=frozenset({self.vault.ids["dislikes"]})), utc_now())

    def ends(self) -> None:
        """The letters that went are forgotten with it, those that wait go no more, and one tells of that."""
        tasks.sweep()
        self.told = {Letter(each) for each in LetterRow.objects.values_list("letter", flat=True)}
        assert not isinstance(erasure.end_vault(self.vault.holder, utc_now()), Refused)


# What a day in one vault leads to; the others are written of people and places, and what may be in them is a table.
EXPECTED = {
    Letter.REQUEST,
    Letter.STOPPED,
    Letter.RECEIPTS,
    Letter.SHARE,
    Letter.SHARE_CODE,
    Letter.SHARE_OPENED,
    Letter.SHARE_STOPPED,
    Letter.ERASED,
}


@pytest.fixture
def sent(postman: Postman) -> tuple[Busy, Postman]:  # noqa: F811
    busy = Busy()
    busy.all_of_it()
    tasks.sweep()
    told = busy.told | {Letter(each) for each in LetterRow.objects.values_list("letter", flat=True)}
    assert told >= EXPECTED, "the control: a letter of each was written"
    assert len(postman.kept) >= len(EXPECTED)
    return busy, postman


def everything(raw: bytes) -> str:
    """All that a mail says, in every way in which it is written: the bytes, and each header and part decoded."""
    message = parsed(raw)
    parts = [str(each.get_content()) for each in message.walk() if not each.is_multipart()]
    return "\n".join([raw.decode(), *(str(each) for each in message.values()), *parts])


def headers(message: EmailMessage) -> str:
    return "\n".join(f"{name}: {value}" for name, value in message.items())


def test_no_value_no_label_and_no_purpose(sent: tuple[Busy, Postman]) -> None:
    busy, carried = sent
    for _, raw in carried.kept:
        said = everything(raw)
        assert not [each for each in busy.said if each in said], parsed(raw)["Subject"]


def test_no_header_names_an_assistant_or_quotes_the_sender_of_a_share(sent: tuple[Busy, Postman]) -> None:
    _, carried = sent
    for _, raw in carried.kept:
        assert not [each for each in (ASSISTANT, "Diabetes", NOTE) if each in headers(parsed(raw))]


def test_a_link_and_a_code_stand_in_no_header_and_go_to_whom_they_are_for_alone(sent: tuple[Busy, Postman]) -> None:
    busy, carried = sent
    for to, raw in carried.kept:
        message = parsed(raw)
        assert "/s/" not in headers(message)
        assert ("/s/" in everything(raw)) <= (to == [busy.silva.address])


def test_the_first_words_that_a_telephone_shows_name_no_kind_of_secret(sent: tuple[Busy, Postman]) -> None:
    _, carried = sent
    for _, raw in carried.kept:
        shown = f"{parsed(raw)['Subject']} {read(parsed(raw)).text[:90]}".casefold()
        assert not [
            each
            for each in Category
            if each.special and each.value.partition("-")[0] in shown.replace(ASSISTANT.casefold(), "")
        ]
