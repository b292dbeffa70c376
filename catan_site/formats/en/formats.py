"""The lists of the admin, mostly: short, and with hours that sort as they are read."""

from typing import Final

DATE_FORMAT: Final = "j M Y"
TIME_FORMAT: Final = "H:i"
DATETIME_FORMAT: Final = "j M Y, H:i"
