"""Files of the pages as a server serves them: compressed, and named by their content."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Modules that other modules import are named by their content too: nginx lets browsers keep them for a year."""

    support_js_module_import_aggregation = True
