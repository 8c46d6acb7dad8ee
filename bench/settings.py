"""The project's settings with the floor's address beside the product's."""

from vault.settings import *  # noqa: F403

ROOT_URLCONF = "bench.bare"
