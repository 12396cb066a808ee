"""Read which source a bundler builds a file from: the entries and the outputs of a configuration, and of a command in a script.

`entry` and `output` of webpack, `entryPoints` and `outfile` of esbuild, `input` and `output` of Rollup, `build.lib` of Vite,
`entry` and `outDir` of tsup, and the options of the same programs on a command line. Only literal values are read.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..packages.path_probe import split_extension
from .script_values import ScriptValues
from .values import LiteralObject, Value

if TYPE_CHECKING:
    from tree_sitter import Node

#: A configuration without any of these words names no entries.
ENTRY_WORDS = re.compile(rb"\b(?:entry|entryPoints|input)\b")
_KEYS = frozenset(("entry", "entryPoints", "input"))
_COMMAND_END = re.compile(r"&&|\|\|?|;|(?<!&)&(?!&)")
_WORD = re.compile(r"""'[^']*'|"[^"]*"|[^\s'"]+""")
_OUTPUT_FILE = frozenset(("--outfile", "-o", "--file", "--output-file"))
_OUTPUT_FOLDER = frozenset(("--outdir", "--out-dir", "-d", "--dir", "--out"))
#: Programs that build files, each with the name of its subcommand that builds, and with its usual output folder.
_PROGRAMS = {
    "esbuild": ("", ""),
    "rollup": ("", ""),
    "tsup": ("", "dist"),
    "tsdown": ("", "dist"),
    "ncc": ("build", "dist"),
    "bun": ("build", ""),
}
_INPUT_OPTIONS = frozenset(("-i", "--input", "--entry"))


class Bundle(NamedTuple):
    """A built file and its source, as absolute paths."""

    #: Without extension. It ends with "/*" if every file at the top of a folder is built from the source.
    built: str
    source: str


def bundles_in_script(values: ScriptValues, tool: str, folder: str, package_name: str) -> Iterator[Bundle]:
    """Yield the bundles of a configuration that is written as code; relative paths start at `folder`, which is absolute."""
    pending: list[Node] = [values.root]
    while pending:
        node = pending.pop()
        pending += reversed(node.named_children)
        if node.type != "object":
            continue
        keys = {key.text.decode("utf-8", "replace").strip("'\"") for key in _keys(node) if key.text is not None}
        if keys & _KEYS:
            options = values.value(node)
            if isinstance(options, LiteralObject) and not _KEYS.isdisjoint(options.entries):
                around = _options_around(node, values) if tool == "vite" else None
                yield from _bundles_of(options, around, tool, folder, package_name)


def bundles_in_command(script: str, folder: str) -> Iterator[Bundle]:
    """Yield the bundles that a script of a package.json builds; relative paths start at `folder`."""
    for command in _COMMAND_END.split(script):
        words = [word.strip("'\"") for word in _WORD.findall(command)]
        for place, word in enumerate(words):
            if word in _PROGRAMS:
                subcommand, usual = _PROGRAMS[word]
                arguments = words[place + 1 :]
                if not subcommand or arguments[:1] == [subcommand]:
                    yield from _bundles_of_arguments(word, arguments[bool(subcommand) :], usual, folder)
                break


def aliases_in_command(script: str) -> Iterator[tuple[str, str]]:
    """Yield the aliases that a script of a package.json gives esbuild, `--alias:name=target`, each with its target."""
    for command in _COMMAND_END.split(script) if "--alias:" in script else ():
        words = [word.strip("'\"") for word in _WORD.findall(command)]
        for word in words if "esbuild" in words else ():
            name, _, target = word.removeprefix("--alias:").partition("=")
            if word.startswith("--alias:") and target:
                yield name, target


def _keys(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        key = child.child_by_field_name("key") if child.type == "pair" else None
        if key is not None:
            yield key
        elif child.type == "shorthand_property_identifier":
            yield child


def _options_around(node: Node, values: ScriptValues) -> LiteralObject | None:
    """Return the value of the property `build` around an object in a configuration of Vite."""
    around = node.parent
    while around is not None:
        key = around.child_by_field_name("key") if around.type == "pair" else None
        if key is not None and key.text == b"build":
            value = values.value(around.child_by_field_name("value"))
            return value if isinstance(value, LiteralObject) else None
        around = around.parent
    return None


def _bundles_of(
    options: LiteralObject, build: LiteralObject | None, tool: str, folder: str, package_name: str
) -> Iterator[Bundle]:
    entries = options.entries
    if "entryPoints" in entries:
        named = _entries(entries["entryPoints"], folder, keeps_folders=True)
        yield from _placed(named, _text(entries.get("outfile")), _text(entries.get("outdir")), "[name]", folder)
    elif "input" in entries:
        named = _entries(entries["input"], folder)
        outputs = entries.get("output")
        for output in outputs if isinstance(outputs, list) else [outputs]:
            if isinstance(output, LiteralObject):
                pattern = _text(output.entries.get("entryFileNames", "[name]"))
                yield from _placed(named, _text(output.entries.get("file")), _text(output.entries.get("dir")), pattern, folder)
    elif tool == "webpack":
        output = entries.get("output")
        written = output.entries if isinstance(output, LiteralObject) else {}
        yield from _placed(
            _entries(entries["entry"], folder, usual_name="main"),
            None,
            _text(written.get("path", "dist")),
            _text(written.get("filename", "[name].js")),
            folder,
        )
    elif tool == "vite":
        out = _text(build.entries.get("outDir", "dist")) if build is not None else None
        named = _entries(entries["entry"], folder)
        name = _text(entries.get("fileName", package_name.rpartition("/")[2]))
        if isinstance(entries["entry"], str) and out is not None:
            built = posixpath.join(folder, out)
            yield from (Bundle(posixpath.normpath(f"{built}/{name}"), source) for _, source in named if name)
            yield from (Bundle(f"{posixpath.normpath(built)}/*", source) for _, source in named)
        else:
            yield from _placed(named, None, out, "[name]", folder)
    else:
        out = _text(entries.get("outDir", "dist"))
        yield from _placed(_entries(entries["entry"], folder, keeps_folders=True), None, out, "[name]", folder)


def _bundles_of_arguments(program: str, arguments: Sequence[str], usual: str, folder: str) -> Iterator[Bundle]:
    inputs: list[str] = []
    outputs: dict[str, str] = {}
    pending = list(reversed(arguments))
    while pending:
        word = pending.pop()
        option, has_value, value = word.partition("=") if word.startswith("-") else (word, "", "")
        is_output = option in _OUTPUT_FILE or option in _OUTPUT_FOLDER
        if is_output and not has_value:
            value = pending.pop() if pending else ""
        if is_output:
            # `ncc build -o` names a folder.
            outputs["file" if option in _OUTPUT_FILE and program != "ncc" else "folder"] = value
        elif option in _INPUT_OPTIONS:
            inputs += [value] if has_value else [pending.pop()] if pending else []
        elif not word.startswith("-") and "*" not in word and split_extension(word)[1]:
            inputs.append(word)
    out = outputs.get("folder", usual)
    pattern = "index" if program == "ncc" else "[name]"
    named = _entries(list(inputs), folder, keeps_folders=True)
    yield from _placed(named, outputs.get("file"), out or None, pattern, folder)


def _text(value: Value) -> str | None:
    return value if isinstance(value, str) else None


def _entries(value: Value, folder: str, *, usual_name: str = "", keeps_folders: bool = False) -> list[tuple[str, str]]:
    """Return name and absolute path of each entry.

    `keeps_folders` is True for tools that name the entries of a list by their paths below the folder that contains them all.
    """
    if isinstance(value, LiteralObject) and "import" not in value.entries:
        return [
            (name, source) for name, entry in value.entries.items() for _, source in _entries(entry, folder, usual_name=name)[-1:]
        ]
    if isinstance(value, LiteralObject):
        return _entries(value.entries["import"], folder, usual_name=usual_name)
    listed: list[str] = []
    named: list[tuple[str, str]] = []
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and "*" not in each:
            listed.append(posixpath.normpath(posixpath.join(folder, each)))
        elif isinstance(each, LiteralObject):  # {in, out} of esbuild
            source, name = _text(each.entries.get("in")), _text(each.entries.get("out"))
            if source and name:
                named.append((name, posixpath.normpath(posixpath.join(folder, source))))
    common = posixpath.commonpath([posixpath.dirname(path) for path in listed]) if listed and keeps_folders else ""
    for path in listed:
        inner = path[len(common) :].lstrip("/") if keeps_folders else posixpath.basename(path)
        named.append((usual_name or split_extension(inner)[0], path))
    return named


def _placed(
    named: Sequence[tuple[str, str]], file: str | None, out: str | None, pattern: str | None, folder: str
) -> Iterator[Bundle]:
    """Yield the bundles of entries that are built to one file, or to files of a folder that are named by a pattern."""
    if file:
        built = posixpath.normpath(posixpath.join(folder, file))
        yield from (Bundle(split_extension(built)[0], source) for _, source in named[-1:])
    elif out is not None and pattern:
        for name, source in named:
            inner = pattern.replace("[name]", name)
            # Other parts of a pattern are computed, such as a hash.
            if "[" not in inner:
                built = posixpath.normpath(posixpath.join(folder, out, inner))
                yield Bundle(split_extension(built)[0], source)
