"""The disclosure report; docs/disclosures.md says what its columns mean."""

from apps.api.fields import Text
from apps.api.outputs.shape import Shape


class DisclosureOut(Shape):
    date_time = Text(help_text="UTC; of several rolled up the first and the last, with a / between.")
    recipient_name = Text()
    recipient_address = Text(help_text="The domain it is registered with; '' or - where none is known.")
    description = Text(help_text="Neutral: the kind of memory, no label and no value.")
    purpose = Text()
    basis = Text()
    actor = Text()
    on_behalf_of = Text()
    category = Text()
    receipt_no = Text(help_text="rcp_…; of several rolled up the first and the last, with a / between.")
    excluded_from_164_528 = Text(help_text="n, or y and the clause.")


class DisclosuresOut(Shape):
    items = DisclosureOut(many=True)
