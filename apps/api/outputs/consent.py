"""A consent record, in the shape of ISO/IEC TS 27560 and by the names of its public draft; docs/consent-record.md."""

from rest_framework import serializers

from apps.access import services as access
from apps.api.fields import Text, Word
from apps.api.outputs.shape import Shape
from apps.policy.consent import ConsentState
from apps.policy.vocabulary import Category, GrantState, Purpose


class ConsentHeaderOut(Shape):
    schema_version = Text()
    record_id = Text(help_text="gra_…")
    pii_principal_id = Text(help_text="hld_…: whom it is about.")


class PiiInformationOut(Shape):
    pii_type = Word(Category)
    special_pii_category = serializers.BooleanField()


class ConsentPurposeOut(Shape):
    purpose = Text()
    purpose_type = Word(Purpose)
    lawful_basis = Word(["consent"])
    pii_information = PiiInformationOut(many=True)
    pii_controllers = serializers.ListField(child=Text())
    processing_method = serializers.ListField(child=Text())
    recipient_third_parties = serializers.ListField(child=Text())
    withdrawal_method = Text(help_text="The address of the page where it is stopped.")


class PiiProcessingOut(Shape):
    privacy_notice = Text(help_text="The address of the notice that was shown; - where none is known to have been.")
    language = Text()
    purposes = ConsentPurposeOut(many=True)


class ConsentPartyOut(Shape):
    party_id = Text()
    party_name = Text(help_text="- of a person.")
    party_role = Word(["pii_principal", "pii_controller", "recipient", "representative"])
    party_url = Text()


class ConsentEventExtOut(Shape):
    receipt = Text(help_text="rcp_…, or -")
    on_behalf_of = Text()


class ConsentEventOut(Shape):
    event_time = Text()
    type = Word(["explicit"])
    state = Word(ConsentState)
    entity_id = Text(help_text="Who did it.")
    duration = Text(help_text="How long it was to last from then on, in seconds; - where this did not change.")
    ext = ConsentEventExtOut()


class ConsentReceiptOut(Shape):
    receipt = Text()
    kind = Text()
    digest = Text()


class ConsentExtOut(Shape):
    notice_digest = Text(help_text="sha256: of the notice that was shown, as the receipt is bound to it; or -")
    surface = Word(access.Surface)
    ui_version = Text()
    acted_by = Text()
    on_behalf_of = Text()
    reviewer_decision = Word(["-", "approved", "narrowed"], help_text="- where none had to decide.")
    state = Word(GrantState)
    receipts = ConsentReceiptOut(many=True)


class ConsentRecordOut(Shape):
    """What does not apply is `-`."""

    record = ConsentHeaderOut()
    pii_processing = PiiProcessingOut()
    party_identification = ConsentPartyOut(many=True)
    event = ConsentEventOut(many=True)
    ext = ConsentExtOut()
