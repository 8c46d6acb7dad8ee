"""The field of a form that names the notice above its buttons."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.access import services as access
from apps.web import notices

register = template.Library()


@register.simple_tag
def below_notice(found: access.Notice) -> SafeString:
    """`{% below_notice notice %}`, in a form below it: says so when the form comes back."""
    return format_html('<input type="hidden" name="{}" value="{}">', notices.FIELD, notices.named(found))
