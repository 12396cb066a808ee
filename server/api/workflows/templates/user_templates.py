"""Workflow templates of a workspace: the YAML files in its folder `astrolabe.workflows`.

A template has a name, a description, parameters and steps. A step is one question: a chain, a statement in Cypher or a search.
The values of parameters are quoted texts in chains, and parameters in Cypher, so no value is read as code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from .....graphdb.guard.statement_guard import check_read_only
from .....ingest.contracts.declarations import ContractSyntaxError
from .....ingest.contracts.yaml_tree import YamlNode, line_of_second_document, yaml_tree
from .....schema.errors import AstrolabeError, UsageError
from ...graph_tools.composition import GraphTools
from ...graph_tools.entries import commit_entry, result_entry
from ...graph_tools.records import Entry, GraphAnswer
from ...scopes.arguments import spelled
from ...scopes.chain_evaluation import read
from ...scopes.commits import CommitScope
from ...scopes.scope import Scope
from ..asking import ENTRIES, Asked
from .template import Parameter, Template

if TYPE_CHECKING:
    from ....stores.readers import Readers
    from ...requests.answering_index import AnsweringIndex

#: Folder of the templates, at the root of the workspace.
FOLDER = "astrolabe.workflows"
#: Maximum size of a template's file, in bytes.
_MAX_BYTES = 100_000
#: Maximum number of files with templates.
_MAX_FILES = 200
#: Maximum number of steps of a template.
_MAX_STEPS = 50
_NAME = re.compile(r"[a-z][a-z0-9-]{0,60}")
_IDENTIFIER = re.compile(r"[a-z][a-zA-Z0-9_]{0,60}")
_PLACEHOLDER = re.compile(r"\{(?P<name>[a-zA-Z]\w*)\}")
_KEYS = ("name", "description", "parameters", "steps")
_PARAMETER_KEYS = ("name", "description", "required")
_QUESTIONS = ("query", "cypher", "search")
_STEP_KEYS = ("section", "reason", *_QUESTIONS)


class Step(msgspec.Struct, frozen=True):
    """One question of a template."""

    section: str
    #: query, cypher or search.
    form: str
    text: str
    reason: str
    line: int


class TemplateProblem(msgspec.Struct, frozen=True):
    """The reason why a file is not a valid template."""

    path: str
    line: int
    message: str

    @property
    def sentence(self) -> str:
        """A sentence with the problem and its place."""
        return f"{self.path}:{self.line}: {self.message}"


def user_templates(workspace: AnsweringIndex, taken: Mapping[str, Template]) -> tuple[dict[str, Template], list[TemplateProblem]]:
    """Return the templates of a workspace by name, and the problems of invalid files. Names in `taken` are not allowed."""
    found: dict[str, Template] = {}
    problems: list[TemplateProblem] = []
    folder = workspace.root / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        return found, problems
    files = sorted(path for path in folder.iterdir() if path.suffix in (".yaml", ".yml"))
    for path in files[:_MAX_FILES]:
        shown = f"{FOLDER}/{path.name}"
        try:
            template = _template(workspace, path, shown)
            if template.name in taken or template.name in found:
                raise _Wrong(1, f"there is a workflow `{template.name}` already")
            found[template.name] = template
        except _Wrong as error:
            problems.append(TemplateProblem(shown, error.line, str(error)))
    return found, problems


class _Wrong(Exception):
    """Raised for an invalid part of a file."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def _template(workspace: AnsweringIndex, path: Path, shown: str) -> Template:
    """Return the template of a file. Raises _Wrong."""
    if path.is_symlink() or not path.is_file():
        raise _Wrong(1, "this is no file")
    if path.stat().st_size > _MAX_BYTES:
        raise _Wrong(1, f"the file has more than {_MAX_BYTES:,} bytes")
    try:
        source = path.read_bytes()
        text = source.decode("utf-8")
        tree = yaml_tree(text)
    except UnicodeDecodeError as error:
        raise _Wrong(source[: error.start].count(b"\n") + 1, "this is not UTF-8") from error
    except ContractSyntaxError as error:
        raise _Wrong(error.line, error.reason) from error
    if (second := line_of_second_document(text)) is not None:
        raise _Wrong(second, "a file has one template, so it is one document")
    if not tree.entries:
        raise _Wrong(tree.line, f"a template is a mapping with {_listed(_KEYS)}")
    _check_keys(tree, _KEYS, "a template")
    name = _text(tree, "name", tree.line, "a template")
    if not _NAME.fullmatch(name):
        raise _Wrong(_line(tree, "name"), f'the name "{name[:60]}" must consist of small letters, digits and hyphens')
    parameters = tuple(_parameters(tree))
    steps = tuple(_steps(workspace, tree, [each.name for each in parameters]))
    description = _text(tree, "description", tree.line, "a template")
    return Template(name, description, parameters, partial(_run, steps), origin=shown)


def _parameters(tree: YamlNode) -> Iterator[Parameter]:
    node = tree.get("parameters")
    if node is None:
        return
    if node.entries or node.text:
        raise _Wrong(_line(tree, "parameters"), "`parameters` is a list of mappings")
    seen: set[str] = set()
    for item in node.items:
        _check_keys(item, _PARAMETER_KEYS, "a parameter")
        name = _text(item, "name", item.line, "a parameter")
        if not _IDENTIFIER.fullmatch(name) or name in seen:
            raise _Wrong(item.line, f'"{name[:60]}" is no name of a parameter, or is given twice')
        seen.add(name)
        required = item.text_of("required") or "true"
        if required not in ("true", "false"):
            raise _Wrong(_line(item, "required"), "`required` is true or false")
        yield Parameter(name, _text(item, "description", item.line, "a parameter"), required == "true")


def _steps(workspace: AnsweringIndex, tree: YamlNode, parameters: list[str]) -> Iterator[Step]:
    node = tree.get("steps")
    if node is None or not node.items:
        raise _Wrong(tree.line if node is None else node.line, "a template needs `steps`, a list of questions")
    if len(node.items) > _MAX_STEPS:
        raise _Wrong(node.items[_MAX_STEPS].line, f"a template has at most {_MAX_STEPS} steps")
    seen: set[str] = set()
    for item in node.items:
        _check_keys(item, _STEP_KEYS, "a step")
        section = _text(item, "section", item.line, "a step")
        if not _IDENTIFIER.fullmatch(section) or section in seen:
            raise _Wrong(item.line, f'"{section[:60]}" is no name of a section, or is given twice')
        seen.add(section)
        asked = [form for form in _QUESTIONS if item.get(form) is not None]
        if len(asked) != 1:
            raise _Wrong(item.line, f"a step has one of {_listed(_QUESTIONS)}")
        form = asked[0]
        entry = item.get(form)
        text = entry.text if entry is not None and entry.text is not None else ""
        line = _line(item, form)
        if not text.strip():
            raise _Wrong(line, f"`{form}` is a text")
        step = Step(section, form, text, item.text_of("reason"), line)
        _check_step(workspace, step, parameters)
        yield step


def _check_step(workspace: AnsweringIndex, step: Step, parameters: list[str]) -> None:
    """Check a question with sample values, without running it. Raises _Wrong."""
    used = re.findall(r"\$([a-zA-Z]\w*)", step.text) if step.form == "cypher" else _PLACEHOLDER.findall(step.text)
    if unknown := [name for name in used if name not in parameters]:
        raise _Wrong(step.line, f"there is no parameter `{unknown[0]}`")
    try:
        if step.form == "cypher":
            check_read_only(step.text)
        elif step.form == "query":
            outcome = read(workspace, _chain(step.text, dict.fromkeys(parameters, "x")))
            if not isinstance(outcome, Scope | CommitScope):
                raise _Wrong(step.line, "the chain of a step returns nodes, so it has no operation such as count() at its end")
    except AstrolabeError as error:
        raise _Wrong(step.line, str(error)) from error


def _check_keys(node: YamlNode, known: tuple[str, ...], what: str) -> None:
    if not node.entries:
        raise _Wrong(node.line, f"{what} is a mapping with {_listed(known)}")
    for key, (line, _) in node.entries.items():
        if key not in known:
            raise _Wrong(line, f"{what} has no `{key[:60]}`; it has {_listed(known)}")
    if node.repeated is not None:
        raise _Wrong(node.repeated[1], f"`{node.repeated[0]}` is given twice")


def _text(node: YamlNode, key: str, line: int, what: str) -> str:
    text = node.text_of(key)
    if not text:
        raise _Wrong(_line(node, key) if node.get(key) is not None else line, f"{what} needs `{key}`, a text")
    return text


def _line(node: YamlNode, key: str) -> int:
    entry = node.entries.get(key)
    return entry[0] if entry is not None else node.line


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _chain(text: str, values: Mapping[str, str]) -> str:
    """Return a chain in which the quoted values of parameters replace the placeholders."""
    return _PLACEHOLDER.sub(lambda found: spelled((values[found["name"]],)), text)


def _run(
    steps: tuple[Step, ...], workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]
) -> GraphAnswer:
    asked = Asked(workspace, tools, readers)
    runners: dict[str, Callable[[Step], None]] = {
        "query": lambda step: _ask_chain(asked, step, values),
        "cypher": lambda step: _ask_cypher(asked, step, values),
        "search": lambda step: _ask_search(asked, step, values),
    }
    for step in steps:
        runners[step.form](step)
    return asked.answer(None, {step.section: len(asked.sections[step.section]) for step in steps})


def _ask_chain(asked: Asked, step: Step, values: Mapping[str, str]) -> None:
    chain = _chain(step.text, values)
    outcome = read(asked.workspace, chain)
    if isinstance(outcome, Scope):
        asked.add(step.section, outcome, reason=step.reason)
    elif isinstance(outcome, CommitScope):
        rows = outcome.limit(ENTRIES).to_list()
        entries = [commit_entry(row, step.reason or row.date[:10]) for row in rows]
        asked.put(step.section, entries, chain)
    else:
        raise UsageError(f"The chain of the section `{step.section}` returns no nodes.")


def _ask_cypher(asked: Asked, step: Step, values: Mapping[str, str]) -> None:
    named = {name: value for name, value in values.items() if re.search(rf"\${name}\b", step.text)}
    found = asked.workspace.cypher(step.text, named, max_rows=ENTRIES)
    entries = []
    for row in found.rows:
        first, *others = zip(found.columns, row, strict=True)
        told = "; ".join(f"{column}: {value}" for column, value in others)
        entries.append(Entry(_shown(first[1]), reason="; ".join(each for each in (step.reason, told) if each)))
    asked.put(step.section, entries, step.text)


def _shown(value: Any) -> str:
    return str(value)[:300]


def _ask_search(asked: Asked, step: Step, values: Mapping[str, str]) -> None:
    text = _PLACEHOLDER.sub(lambda found: values[found["name"]], step.text)
    entries = [result_entry(each, step.reason) for each in asked.search(text)]
    asked.put(step.section, entries, f"search {text[:120]!r}")
