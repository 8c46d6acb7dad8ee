"""What a guest fills in to keep their vault."""

from allauth.account.adapter import get_adapter
from django import forms

from apps.web.forms import Address, Form


class KeepForm(Form):
    """With what they will sign in."""

    email = Address(label="Your address", help_text="You sign in with it.")
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least eight characters. You can add a passkey afterwards.",
    )

    def clean_password(self) -> str:
        """As at any sign-up."""
        return str(get_adapter().clean_password(self.cleaned_data["password"]))
