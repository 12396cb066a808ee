"""LanceDB is loaded without what local tables do without, which is there as soon as it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import sys
from astrolabe.retrieval.vectors.lance_engine import load_lancedb
assert load_lancedb() is load_lancedb()
import lance_namespace_urllib3_client as client
"""


@pytest.mark.parametrize(
    "check",
    [
        "assert 'lance_namespace_urllib3_client.api.table_api' not in sys.modules",
        "assert client.ApiClient.__name__ == 'ApiClient' and client.api.table_api.TableApi is client.TableApi",
        "from lance_namespace_urllib3_client import ApiClient, TableApi",
        "import lance_namespace; assert issubclass(lance_namespace.LanceNamespace, object)",
        # What stood in for a package while LanceDB was loaded is gone.
        "import importlib.util; assert 'overrides' not in sys.modules or importlib.util.find_spec('overrides')",
    ],
)
def test_what_is_left_out_comes_when_it_is_asked_for(check: str) -> None:
    subprocess.run([sys.executable, "-P", "-c", LOADED + check], check=True)
