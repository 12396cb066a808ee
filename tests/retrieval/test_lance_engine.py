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


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "check",
    [
        "assert 'lance_namespace_urllib3_client.api.table_api' not in sys.modules",
        "assert client.ApiClient.__name__ == 'ApiClient' and client.api.table_api.TableApi is client.TableApi",
        "from lance_namespace_urllib3_client import ApiClient, TableApi",
        "assert 'lance_namespace_urllib3_client.models.list_tables_request' not in sys.modules",
        "import lance_namespace; assert issubclass(lance_namespace.LanceNamespace, object)",
        # What stood in for a package while LanceDB was loaded is gone.
        "import importlib.util; assert 'overrides' not in sys.modules or importlib.util.find_spec('overrides')",
    ],
)
def test_what_is_left_out_comes_when_it_is_asked_for(check: str) -> None:
    subprocess.run([sys.executable, "-P", "-c", LOADED + check], check=True)


RECORDS = """
from typing import get_type_hints
import lance_namespace
from lance_namespace import DescribeTableRequest as named
from lance_namespace_urllib3_client.models import DescribeTableRequest as loaded
record = named(id=["shelf", "books"])
"""


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "check",
    [
        "assert type(record) is loaded and record.id == ['shelf', 'books']",
        "assert record.to_json() == loaded(id=record.id).to_json()",
        "assert isinstance(record, named) and not isinstance('books', named)",
        "class Asked(named): pass\nassert issubclass(Asked, loaded) and issubclass(Asked, named) and Asked(id=['a']).id == ['a']",
        "assert named.from_dict({'id': ['books']}) == loaded(id=['books'])",
        "hint = get_type_hints(lance_namespace.LanceNamespace.describe_table)['request']; assert isinstance(record, hint)",
        "assert (named | None).__args__[0].__name__ == (None | named).__args__[1].__name__ == 'DescribeTableRequest'",
    ],
)
def test_records_of_remote_catalogs_are_as_they_are_without_us(check: str) -> None:
    subprocess.run([sys.executable, "-P", "-c", LOADED + RECORDS + check], check=True)
