"""The facts of a file about APIs, for TypeScript, JavaScript and the scripts of components."""

from __future__ import annotations

from ....facts.model import FileFacts
from ...api_calls.api_facts import add_api_facts
from .routes import ROUTES
from .sent_requests import find_requests
from .services import find_services


def add_api(facts: FileFacts) -> None:
    """Add the routes and the services that a file declares, and the requests that it sends."""
    add_api_facts(facts, ROUTES, find_services, find_requests)
