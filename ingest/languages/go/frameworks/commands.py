"""Command lines with cobra and cli: fields of a command contain the functions that the command runs."""

from __future__ import annotations

from typing import Final

from .conventions import Framework, names

COBRA: Final = Framework(
    "cobra",
    ("github.com/spf13/cobra",),
    {
        "hook": names(r"OnInitialize|OnFinalize"),
        "handler": names(r"(?:Command\(\)\.)?(?:RegisterFlagCompletionFunc|Set(?:Usage|Help|FlagError|GlobalNormalization)Func)"),
    },
    {
        "command": names(r"Command\.RunE?"),
        "hook": names(r"Command\.(?:Persistent)?(?:Pre|Post)RunE?"),
        "validator": names(r"Command\.(?:Args|ValidArgsFunction)"),
    },
)
CLI: Final = Framework(
    "cli",
    ("github.com/urfave/cli", "gopkg.in/urfave/cli"),
    {},
    {
        "command": names(r"(?:Command|App)\.Action"),
        "hook": names(
            r"(?:Command|App)\.(?:Before|After|OnUsageError|CommandNotFound|ExitErrHandler|BashComplete|ShellComplete)"
        ),
        "handler": names(r"\w*Flag\.(?:Action|Validator)"),
    },
)
TESTING: Final = Framework(
    "testing", ("testing",), {"test": names(r"[TBF]\(\)\.(?:Run|Fuzz|Cleanup)|Benchmark|AllocsPerRun|Testing")}
)
