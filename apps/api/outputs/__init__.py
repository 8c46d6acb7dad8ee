"""What the REST surface gives: one serializer a shape, which writes the JSON and describes it in the OpenAPI document.

Facts come in as policy's frozen dataclasses; `source` says which of their fields a name shows. Outside the holder's own
resources a memory shows its outer label only.
"""

from apps.api.outputs.asking import (
    ChoiceOut,
    GrantOut,
    LimitsOut,
    MeOut,
    PendingOut,
    RequestOut,
    RequestPartOut,
    SubjectOut,
)
from apps.api.outputs.clients import ClientOut, KeyOut, NewKeyOut, RegisteredOut
from apps.api.outputs.consent import ConsentRecordOut
from apps.api.outputs.disclosures import DisclosureOut, DisclosuresOut
from apps.api.outputs.file import (
    HistoryOut,
    MemoryOut,
    OpeningOut,
    ProposalDecidedOut,
    ProposalOut,
    ShownOut,
    ShownValueOut,
    VersionOut,
)
from apps.api.outputs.people import DelegationOut, InvitationOut, MemberOut, SeatOut, SpaceOut
from apps.api.outputs.reading import (
    AttestedOut,
    FileReportOut,
    HandedOverOut,
    ReadOut,
    ReadReceiptOut,
    ReceiptBodyOut,
    ReceiptFileOut,
    ReceiptOut,
    WithheldOut,
)
from apps.api.outputs.shape import (
    HANDLING,
    PARTS,
    POLL_SECONDS,
    ErrorOut,
    NextOut,
    ProblemOut,
    ProblemTypeOut,
    Shape,
    page_of,
)
from apps.api.outputs.turns import CardPartOut, SentenceOut, TurnItemOut, TurnOut

__all__ = [
    "HANDLING",
    "PARTS",
    "POLL_SECONDS",
    "AttestedOut",
    "CardPartOut",
    "ChoiceOut",
    "ClientOut",
    "ConsentRecordOut",
    "DelegationOut",
    "DisclosureOut",
    "DisclosuresOut",
    "ErrorOut",
    "FileReportOut",
    "GrantOut",
    "HandedOverOut",
    "HistoryOut",
    "InvitationOut",
    "KeyOut",
    "LimitsOut",
    "MeOut",
    "MemberOut",
    "MemoryOut",
    "NewKeyOut",
    "NextOut",
    "OpeningOut",
    "PendingOut",
    "ProblemOut",
    "ProblemTypeOut",
    "ProposalDecidedOut",
    "ProposalOut",
    "ReadOut",
    "ReadReceiptOut",
    "ReceiptBodyOut",
    "ReceiptFileOut",
    "ReceiptOut",
    "RegisteredOut",
    "RequestOut",
    "RequestPartOut",
    "SeatOut",
    "SentenceOut",
    "Shape",
    "ShownOut",
    "ShownValueOut",
    "SpaceOut",
    "SubjectOut",
    "TurnItemOut",
    "TurnOut",
    "VersionOut",
    "WithheldOut",
    "page_of",
]
