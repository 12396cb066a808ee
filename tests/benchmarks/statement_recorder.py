"""Run a program of Python and record which of its functions make which statements of SQL.

    python statement_recorder.py ROOT RECORD PROGRAM [ARGUMENTS...]

It runs in the environment of the repository under ROOT, so it imports nothing but the standard library, Django, SQLAlchemy and
aiosqlite. Statements of `sqlite3` itself, such as those of Peewee, are recorded, too.
PROGRAM is a file such as `manage.py`, or the name of a module such as `pytest`. RECORD gets a line of JSON for each pair: the
statement, and the path, the line and the name of a function.

The function is that of the nearest frame outside of the mapper if it lies in the repository. Otherwise another library runs a
query that was made before, such as a template: then it is the function that made the query last. The related rows that the
query set reads together with its rows belong to the function that asked for them (`prefetch_related`, `select_related`). If
neither lies in the repository, a framework works with a model that a class names, such as a generic view: then the place is
the nearest class, with the line 0, among the objects whose methods run before the next function of the repository. The class
that names the model counts, which may be a base class. A function that runs the statement of its caller does not count: the
caller that began a `select` of SQLAlchemy counts, if it is still running.
Other statements have no place. So have those of an automatic flush of SQLAlchemy before a query:
other code has assigned the values, and the query only happens to come next.
"""

from __future__ import annotations

import functools
import json
import os
import runpy
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

#: Parts of paths of files that belong to a mapper.
MAPPERS = (
    "/django/db/",
    "/django/shortcuts.py",
    "/django/contrib/auth/models.py",
    "/django/contrib/auth/base_user.py",
    "/asgiref/",
    "/sqlalchemy/",
    "/flask_sqlalchemy/",
    "/sqlmodel/",
    "/contextlib.py",
    "/peewee.py",
    "/playhouse/",
    "/aiosqlite/",
)
#: Parts of paths of files whose statements `watch_django` and `watch_sqlalchemy` record.
WATCHED = ("/django/db/", "/sqlalchemy/")
#: Minimum length of an argument that is a statement or its beginning.
SHORTEST = 10
#: Functions of SQLAlchemy that flush changes before a query, and that read a relation when code asks for it.
AUTOMATIC_FLUSH = "_autoflush"
LAZY_LOAD = "_emit_lazyload"
#: Module of the base class of models.
MODELS = "django.db.models.base"
#: Attributes by which a class names a model.
NAMING = ("model", "queryset", "Meta")


def frames_outward() -> Iterator[FrameType]:
    """Yield the frames around the caller, the nearest first. SQLAlchemy runs awaited statements in greenlets."""
    frame: FrameType | None = sys._getframe(2)
    greenlets = sys.modules.get("greenlet")
    parent = greenlets.getcurrent() if greenlets is not None else None
    while frame is not None:
        yield frame
        frame = frame.f_back
        while frame is None and parent is not None:
            parent = parent.parent
            frame = parent.gr_frame if parent is not None else None


def is_given(frame: FrameType, sql: str) -> bool:
    """Return whether a function has the beginning of a statement as an argument, so that it runs the statement of its caller."""
    code = frame.f_code
    values = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    return any(isinstance(value, str) and len(value) >= SHORTEST and sql.startswith(value) for value in values)


class Recorder:
    """Collects pairs of statements and functions."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root) + os.sep
        self.pairs: dict[tuple[str, CodeType | type | None], None] = {}
        self.local = threading.local()
        self._paths: dict[str, str] = {}

    def path(self, file: str) -> str:
        found = self._paths.get(file)
        if found is None:
            found = self._paths[file] = os.path.realpath(file)
        return found

    def site(self, maker: CodeType | None = None) -> CodeType | None:
        """Return the code of the nearest frame outside of the mapper if the repository has it; `maker` if it is running."""
        found: CodeType | None = None
        for frame in frames_outward():
            path = self.path(frame.f_code.co_filename)
            if found is not None:
                if frame.f_code is maker:
                    return maker
                continue
            if path != __file__ and not any(part in path for part in MAPPERS):
                inside = path.startswith(self.root) and "/site-packages/" not in path
                if not inside or maker is None:
                    return frame.f_code if inside else None
                found = frame.f_code
        return found

    def named_class(self) -> type | None:
        """Return the nearest class of the repository that names a model, if a framework runs a method of such a class."""
        for frame in frames_outward():
            path = self.path(frame.f_code.co_filename)
            if path.startswith(self.root) and "/site-packages/" not in path:
                return None
            classes = type(frame.f_locals.get("self")).__mro__
            # A model names itself: the class of a view or a form around it names the model that a framework works with.
            for cls in () if any(each.__module__ == MODELS and each.__name__ == "Model" for each in classes) else classes:
                if self.file_of(cls).startswith(self.root) and any(name in vars(cls) for name in NAMING):
                    return cls
        return None

    def file_of(self, cls: type) -> str:
        """Return the path of the file of a class; "" if it has none."""
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        return self.path(file) if file and "/site-packages/" not in file else ""

    def is_running(self, function: str) -> bool:
        """Return whether a function of SQLAlchemy is running, by its name."""
        return any(frame.f_code.co_name == function and "/sqlalchemy/" in frame.f_code.co_filename for frame in frames_outward())

    def raw(self, sql: str) -> None:
        """Record a statement that no watched mapper makes."""
        place: CodeType | None = None
        for frame in frames_outward():
            path = self.path(frame.f_code.co_filename)
            if any(part in path for part in WATCHED):
                return
            if place is None and path.startswith(self.root) and "/site-packages/" not in path and not is_given(frame, sql):
                place = frame.f_code
        self.pairs[sql, place] = None

    def statement(self, sql: object, beginner: CodeType | None = None) -> None:
        if self.is_running(AUTOMATIC_FLUSH):
            return
        maker = getattr(self.local, "maker", None)
        self.pairs[str(sql), self.site(beginner) or maker or self.named_class()] = None

    def place(self, site: CodeType | type | None) -> list[str | int] | None:
        """Return the path, the line and the name of a function or a class."""
        if site is None:
            return None
        if isinstance(site, type):
            return [self.file_of(site)[len(self.root) :], 0, site.__qualname__]
        # The line tells the function. Python has the qualified name since 3.11.
        name = getattr(site, "co_qualname", site.co_name)
        return [self.path(site.co_filename)[len(self.root) :], site.co_firstlineno, name]

    def write(self, target: str) -> None:
        with Path(target).open("w", encoding="utf-8") as stream:
            for sql, site in self.pairs:
                stream.write(json.dumps([sql, self.place(site)]) + "\n")


def watch_django(recorder: Recorder) -> None:
    """Record the statements of Django, and who makes its queries."""
    try:
        from django.core.exceptions import EmptyResultSet
        from django.db.backends.signals import connection_created
        from django.db.models.query import QuerySet
        from django.db.models.sql.compiler import SQLCompiler
        from django.db.models.sql.query import Query
    except ImportError:
        return

    def record(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        without, asker = getattr(recorder.local, "joined", None) or (sql, None)
        recorder.local.joined = None
        recorder.statement(without)
        if asker is not None:
            recorder.pairs[str(sql), asker] = None
        return execute(sql, params, many, context)

    def created(connection: Any, **_: Any) -> None:
        if record not in connection.execute_wrappers:
            connection.execute_wrappers.append(record)

    connection_created.connect(created, weak=False)
    clone, execute_sql = Query.clone, SQLCompiler.execute_sql

    def cloned(self: Any) -> Any:
        made = clone(self)
        made.maker = recorder.site() or getattr(self, "maker", None)
        return made

    def executed(self: Any, *arguments: Any, **named: Any) -> Any:
        before = getattr(recorder.local, "maker", None)
        recorder.local.maker = getattr(self.query, "maker", None) or before
        recorder.local.joined = without_joined(self)
        try:
            return execute_sql(self, *arguments, **named)
        finally:
            recorder.local.maker = before

    def without_joined(compiler: Any) -> tuple[str, CodeType] | None:
        """Return the statement without the rows of `select_related`, and who asked for them, if a framework runs the query."""
        asker = getattr(compiler.query, "select_related_asker", None)
        if asker is None or type(compiler) is not SQLCompiler or not compiler.query.select_related or recorder.site() is not None:
            return None
        plain = compiler.query.clone()
        plain.select_related = False
        try:
            return plain.get_compiler(connection=compiler.connection).as_sql()[0], asker
        except EmptyResultSet:
            return None

    def watch_asking(name: str) -> None:
        ask = getattr(QuerySet, name)

        def asked(self: Any, *arguments: Any) -> Any:
            made = ask(self, *arguments)
            setattr(made.query, f"{name}_asker", recorder.site() or getattr(made.query, f"{name}_asker", None))
            return made

        setattr(QuerySet, name, asked)

    watch_asking("select_related")
    watch_asking("prefetch_related")
    prefetch = QuerySet._prefetch_related_objects

    def prefetched(self: Any) -> None:
        before = getattr(recorder.local, "maker", None)
        recorder.local.maker = getattr(self.query, "prefetch_related_asker", None) or getattr(self.query, "maker", None)
        try:
            prefetch(self)
        finally:
            recorder.local.maker = before

    Query.clone, SQLCompiler.execute_sql = cloned, executed
    QuerySet._prefetch_related_objects = prefetched


def watch_sqlalchemy(recorder: Recorder) -> None:
    """Record the statements of SQLAlchemy."""
    try:
        from sqlalchemy import event
        from sqlalchemy.engine import Engine
        from sqlalchemy.sql.expression import Delete, Insert, Select, Update
    except ImportError:
        return

    def watch(kind: Any) -> None:
        begin = kind.__init__

        # SQLAlchemy 1.4 makes functions from the written types.
        @functools.wraps(begin)
        def begun(self: Any, *arguments: Any, **named: Any) -> None:
            begin(self, *arguments, **named)
            self.beginner = recorder.site()

        kind.__init__ = begun

    for each in (Select, Insert, Update, Delete):
        watch(each)

    def executing(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, executemany: bool) -> None:
        # The mapper makes statements for the relations that it reads together with the rows of the last statement. The function
        # that asks for another relation reads it.
        last = None if recorder.is_running(LAZY_LOAD) else getattr(recorder.local, "beginner", None)
        recorder.local.beginner = getattr(getattr(context, "invoked_statement", None), "beginner", last)
        recorder.statement(statement, recorder.local.beginner)

    event.listen(Engine, "before_cursor_execute", executing)


def watch_sqlite(recorder: Recorder) -> None:
    """Record the statements of connections to SQLite that no mapper above makes."""

    def watched(base: Any, *names: str) -> Any:
        def watch(name: str) -> Any:
            def run(self: Any, sql: str, *arguments: Any) -> Any:
                recorder.raw(sql)
                return getattr(super(made, self), name)(sql, *arguments)

            return run

        made = type(base.__name__, (base,), {name: watch(name) for name in names})
        return made

    def connected(*arguments: Any, **named: Any) -> Any:
        base = watched(named.pop("factory", sqlite3.Connection), "execute", "executemany", "executescript")
        cursor = watched(sqlite3.Cursor, "execute", "executemany", "executescript")

        def opened(self: Any, factory: Any = cursor) -> Any:
            return super(made, self).cursor(factory)

        made = type(base.__name__, (base,), {"cursor": opened})
        return connect(*arguments, factory=made, **named)

    connect, sqlite3.connect = sqlite3.connect, connected
    sqlite3.dbapi2.connect = connected


def watch_aiosqlite(recorder: Recorder) -> None:
    """Record the statements of awaited connections to SQLite, which run in threads of their own."""
    try:
        from aiosqlite.core import Connection
    except ImportError:
        return

    def watch(name: str) -> None:
        run = getattr(Connection, name)

        def recorded(self: Any, sql: str, *arguments: Any, **named: Any) -> Any:
            recorder.raw(sql)
            return run(self, sql, *arguments, **named)

        setattr(Connection, name, recorded)

    for each in ("execute", "executemany", "executescript", "execute_insert", "execute_fetchall"):
        watch(each)


def main() -> None:
    """Run the program."""
    root, target, program, *arguments = sys.argv[1:]
    recorder = Recorder(root)
    watch_django(recorder)
    watch_sqlalchemy(recorder)
    watch_sqlite(recorder)
    watch_aiosqlite(recorder)
    # A run that is ended early, such as by `timeout`, still writes what it has seen.
    signal.signal(signal.SIGTERM, lambda *_: (recorder.write(target), os._exit(143)))
    sys.argv = [program, *arguments]
    sys.path[0] = str(Path(program).resolve().parent) if program.endswith(".py") else str(Path.cwd())
    try:
        if program.endswith(".py"):
            runpy.run_path(program, run_name="__main__")
        else:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
    finally:
        recorder.write(target)


if __name__ == "__main__":
    main()
