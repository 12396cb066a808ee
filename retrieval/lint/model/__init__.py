"""The data model of the checks: the request, the findings, the folder on disk, and the history of terms."""
