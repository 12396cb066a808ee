"""Celery: tasks, signals, and calls that queue a task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind
from ....facts.operations import Op
from ...framework_rules.wiring import Wired, WiredFile
from .conventions import Bases, Calls, Framework, names

CELERY = Framework(
    "Celery",
    ("celery", "dramatiq", "huey", "rq", "apscheduler", "taskiq", "arq", "procrastinate"),
    {
        "task": names(
            r"""Celery\(\)\.(?:task|on_after_\w+\.connect) | shared_task | task | periodic_task | actor
            | db_task | db_periodic_task
            | \w*Huey\(\)\.(?:task|periodic_task) | job | \w*Scheduler\(\)\.scheduled_job
            | \w*Broker\(\)\.task | App\(\)\.task"""
        ),
        "handler": names(r"connect | (?:Celery\(\)\.)?\w+\.connect | on_after_\w+\.connect"),
    },
    (Bases(names("Task"), "task", names("run|on_\\w+|before_start|after_return")),),
    (
        Calls(names(r"Celery\(\)\.register_task | Celery\(\)\.task"), "task"),
        Calls(names(r"\w*Scheduler\(\)\.add_job | Queue\(\)\.enqueue\w*"), "task"),
    ),
)

#: Methods of a task that run the task, or create a signature to run the task later.
_RUNS: Final = frozenset(
    ("delay", "apply_async", "s", "si", "signature", "subtask", "apply", "send", "send_with_options", "kiq", "defer")
)


def runs(file: WiredFile) -> Iterator[Wired]:
    """Yield the tasks that calls of a file run later: `add.delay(1, 2)`."""
    code = file.code
    for node in file.facts.calls:
        callee = code[node + 1]
        if callee < 0 or code[callee] != Op.MEMBER or file.name(callee) not in _RUNS:
            continue
        owner = file.owner(node)
        if owner < 0:
            continue
        for declared in file.declarations(code[callee + 1]):
            place = declared.symbol
            if place is None or declared.facts.kind != DeclKind.FUNCTION:
                continue
            for decorator in declared.file.items(declared.facts.b):
                package, _, name = declared.file.origin(decorator).partition(":")
                if package in CELERY.packages and CELERY.decorators["task"].fullmatch(name.removesuffix("()")):
                    text = f"{file.name(code[callee + 1])}.{file.name(callee)}"
                    yield Wired(owner, place, CELERY.name, "task", "call", text, code[node + 4])
                    break
