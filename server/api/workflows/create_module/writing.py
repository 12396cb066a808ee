"""Write the files of a plan. No file is overwritten."""

from __future__ import annotations

import os
from pathlib import Path

from .....schema.errors import UsageError
from .planning import Plan


def write_files(root: Path, plan: Plan) -> list[str]:
    """Write the files of a new module, and return their paths.

    Raises UsageError if a file exists or is outside of the repository.
    """
    targets = [(root / file.path, file) for file in plan.files]
    for target, file in targets:
        if os.path.lexists(target):
            raise UsageError(f"{file.path} already exists, so nothing was written.")
        if not target.parent.resolve().is_relative_to(root.resolve()):
            raise UsageError(f"{file.path} leads out of the repository, so nothing was written.")
    for target, file in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
        text = file.text if not file.text or file.text.endswith("\n") else f"{file.text}\n"
        with target.open("x", encoding="utf-8") as stream:
            stream.write(text)
    return [file.path for _, file in targets]
