"""The site's own settings, with one more address: the floor."""

from catan_site.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
