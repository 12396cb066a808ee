"""The docs and the code say the same."""

from __future__ import annotations

from astrolabe.server.cli.reference import cli_reference, command_names, settings_reference
from astrolabe.server.environment.configuration import settings_table
from astrolabe.server.environment.progress import STAGES, Progress


def test_commands() -> None:
    assert command_names() == [
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


def test_the_reference_covers_every_command_and_setting() -> None:
    text = cli_reference()
    assert all(f"### `{command}`" in text for command in command_names())
    assert all(f"| `{row.name}` |" in settings_reference() for row in settings_table())


def test_progress_grows_from_stage_to_stage() -> None:
    moments = [Progress(stage, done, 4) for stage in STAGES for done in range(5)]
    percents = [moment.percent for moment in moments]
    assert percents == sorted(percents)
    assert (percents[0], percents[-1]) == (0, 100)
    assert Progress("parse", 1_200, 4_000).message == "Parsing 1,200/4,000"
    assert Progress("discover", 0, 0).message == "Looking for files"
