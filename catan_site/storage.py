"""Files of the pages as a server serves them: compressed, and named by their content."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage

from catan_site import busy


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Modules that other modules import are named by their content too: nginx lets browsers keep them for a year."""

    support_js_module_import_aggregation = True

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Beside them, what nginx says when no web process is there to say it."""
        yield from super().post_process(*args, **options)
        said = {"503.html": busy.page(), "503.json": json.dumps(busy.told())}
        for name, text in said.items():
            self.delete(name)
            self._save(name, ContentFile(text.encode()))
            yield name, name, True
