"""The docs and the code say the same."""

from __future__ import annotations

import re

from astrolabe.server.cli.reference import cli_reference, settings_reference
from astrolabe.server.environment.configuration import settings_table
from astrolabe.server.environment.progress import STAGES, Progress


def test_the_reference_covers_every_command() -> None:
    assert re.findall(r"^### `(.*)`$", cli_reference(), re.MULTILINE) == [
        "astrolabe index",
        "astrolabe search",
        "astrolabe status",
        "astrolabe watch",
        "astrolabe clean",
        "astrolabe cypher",
        "astrolabe serve",
        "astrolabe map",
        "astrolabe trace",
        "astrolabe lint",
        "astrolabe history",
        "astrolabe calls",
        "astrolabe changes",
        "astrolabe query",
        "astrolabe console",
        "astrolabe init",
        "astrolabe uninstall",
        "astrolabe export edges",
        "astrolabe hooks install",
        "astrolabe hooks uninstall",
        "astrolabe hooks status",
        "astrolabe workflow show",
        "astrolabe workflow list",
        "astrolabe workflow run",
        "astrolabe settings list",
        "astrolabe settings set",
        "astrolabe settings unset",
    ]


def test_the_reference_covers_every_setting() -> None:
    assert all(f"| `{row.name}` |" in settings_reference() for row in settings_table())


def test_progress_grows_from_stage_to_stage() -> None:
    moments = [Progress(stage, done, 4) for stage in STAGES for done in range(5)]
    percents = [moment.percent for moment in moments]
    assert percents == sorted(percents)
    assert (percents[0], percents[-1]) == (0, 100)
    assert Progress("parse", 1_200, 4_000).message == "Parsing 1,200/4,000"
    assert Progress("discover", 0, 0).message == "Looking for files"
