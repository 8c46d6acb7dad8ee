"""The notice above the buttons of a decision, and the field of a form that names it."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.access import services as access
from apps.web import notices

register = template.Library()
NUMBERS = {"request": access.REQUEST_NOTICE, "card": access.CARD_NOTICE}


@register.inclusion_tag("web/_notice.html")
def notice(where: str) -> dict[str, object]:
    """`{% notice "request" %}`: the text as it stands in its file, a paragraph a line."""
    return {"notice": access.notice(NUMBERS[where])}


@register.simple_tag
def below_notice(where: str) -> SafeString:
    """`{% below_notice "request" %}`, in a form below it: says so when the form comes back."""
    return format_html('<input type="hidden" name="{}" value="{}">', notices.FIELD, notices.named(NUMBERS[where]))
