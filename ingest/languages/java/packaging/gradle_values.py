"""Values in scripts of Gradle: constants, strings with placeholders, and entries of version catalogs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from .....schema.records import Problem
from ....files.jsonc import object_value, text_value
from .gradle_script import Statement, Token

_VALUE: Final = re.compile(r"\$\{([^${}]*)\}|\$([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")
#: The parts around the name of a property: `rootProject.ext.x`, `project.property("x")`, `libs.versions.x.get()`.
_AROUND: Final = re.compile(
    r"^(?:rootProject|project|ext|extra|gradle|this)\.|^(?:findP|p)roperty\(['\"]([\w.-]+)['\"]\)$|\.(?:get|toString)\(\)$"
)
_DECLARING: Final = frozenset(
    ("def", "val", "var", "final", "const", "private", "String", "ext", "extra", "project", "rootProject")
)
_LINE: Final = re.compile(r"line (\d+)")
#: Maximum number of rounds in which values are replaced.
_MAX_ROUNDS: Final = 8
_MAX_LENGTH: Final = 2_000


class Catalogue(msgspec.Struct, frozen=True):
    """A version catalog. Names have dots, as in code: `libs.spring.boot` for `spring-boot`."""

    #: Group, name and version, joined by colons.
    libraries: dict[str, str]
    bundles: dict[str, list[str]]
    versions: dict[str, str]
    problem: Problem | None = None


def read_catalogue(content: bytes) -> Catalogue:
    """Read a `libs.versions.toml`, as https://docs.gradle.org/current/userguide/version_catalogs.html describes."""
    try:
        data: dict[str, object] = dict(tomllib.loads(content.decode("utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        found = _LINE.search(str(error))
        return Catalogue({}, {}, {}, Problem(int(found[1]) if found else 1, f"not valid TOML: {error or 'it nests too deeply'}"))
    versions = {name: _version(value, {}) for name, value in object_value(data, "versions").items()}
    libraries: dict[str, str] = {}
    for name, value in object_value(data, "libraries").items():
        if isinstance(value, str):
            libraries[_accessor(name)] = value
        elif isinstance(value, dict):
            module = text_value(value, "module") or f"{text_value(value, 'group')}:{text_value(value, 'name')}"
            libraries[_accessor(name)] = f"{module}:{_version(value.get('version'), versions)}".rstrip(":")
    bundles = {
        _accessor(name): [_accessor(each) for each in value if isinstance(each, str)]
        for name, value in object_value(data, "bundles").items()
        if isinstance(value, list)
    }
    return Catalogue(libraries, bundles, {_accessor(name): version for name, version in versions.items()})


def _accessor(name: str) -> str:
    return re.sub(r"[-_]", ".", name)


def _version(value: object, versions: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("ref"), str):
        return versions.get(value["ref"], "")
    kept = (value.get(name) for name in ("strictly", "require", "prefer"))
    return next((each for each in kept if isinstance(each, str)), "")


def read_properties(content: bytes) -> dict[str, str]:
    """Read a `gradle.properties`."""
    found: dict[str, str] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        name, sign, value = line.partition("=")
        if sign and not name.lstrip().startswith(("#", "!")):
            found[name.strip()] = value.strip()
    return found


class Values:
    """The values of names in the script of one project."""

    def __init__(self, known: Mapping[str, str], catalogues: Mapping[str, Catalogue]) -> None:
        """`known` has the values of enclosing projects, by name."""
        self.known = dict(known)
        self.catalogues = catalogues

    def replaced(self, text: str) -> str:
        """Replace the placeholders in a string. A placeholder without a known value stays."""
        for _ in range(_MAX_ROUNDS):
            found = _VALUE.sub(lambda match: self._named(match[1] or match[2]) or match[0], text)
            if found == text or len(found) > _MAX_LENGTH:
                break
            text = found
        return text

    def _named(self, name: str) -> str:
        name = name.strip()
        for _ in range(_MAX_ROUNDS):
            short = _AROUND.sub(lambda match: match[1] or "", name)
            if short == name:
                break
            name = short
        if name in self.known:
            return self.known[name]
        catalogue, _, rest = name.partition(".versions.")
        return self.catalogues[catalogue].versions.get(rest, "") if rest and catalogue in self.catalogues else ""

    def text(self, tokens: Sequence[Token]) -> str:
        """Return the value of an expression with strings and names; "" for any other expression."""
        parts: list[str] = []
        name: list[str] = []
        for token in (*tokens, Token("sign", "+", 0)):
            if token.kind == "string" and not name:
                parts.append(self.replaced(token.text) if token.has_values else token.text)
            elif token.kind == "word" or (token.kind == "sign" and token.text in ".()" and name) or (token.kind == "string"):
                name.append(f'"{token.text}"' if token.kind == "string" else token.text)
            elif token.kind == "number" and not name:
                parts.append(token.text)
            elif token.text != "+":
                return ""
            elif name:
                value = self._named("".join(name))
                if not value:
                    return ""
                parts.append(self.replaced(value))  # the string may contain a constant that a later line declares
                name = []
        return "".join(parts)

    def assign(self, statements: Sequence[Statement]) -> None:
        """Record the constants that statements assign, including constants in blocks of `ext`."""
        for statement in statements:
            if statement.name in ("ext", "extra") and statement.block is not None and len(statement.tokens) == 1:
                self.assign(statement.block)
            elif statement.block is None:
                self._assign(statement.tokens)

    def _assign(self, tokens: list[Token]) -> None:
        sign = next((place for place, each in enumerate(tokens) if each.kind == "sign" and each.text == "="), -1)
        if sign < 0:
            if len(tokens) == 2 and tokens[0].text in ("version", "group") and tokens[1].kind == "string":
                self.known[tokens[0].text] = self.text([tokens[1]])
            elif len(tokens) > 3 and tokens[0].text == "set" and tokens[2].kind == "string":
                self.known[tokens[2].text] = self.text(tokens[4:-1])
            elif len(tokens) == 7 and [each.text for each in tokens[2:5:2]] == ["by", "("]:
                self.known[tokens[1].text] = self.text([tokens[5]])  # val name by extra("value")
            return
        names = [each.text for each in tokens[:sign] if each.kind in ("word", "string")]
        while len(names) > 1 and names[0] in _DECLARING and names != ["rootProject", "name"]:
            del names[0]
        value = tokens[sign + 1 :]
        name = ".".join(names)
        if value and value[0].text == "[":
            for key, entry in map_entries(value[1:-1]):
                self.known[f"{name}.{key}"] = self.text(entry)
        elif name and (text := self.text(value)):
            self.known[name] = text


def map_entries(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Yield the entries of a map, or the named arguments of a call: `group: 'g'` and `group = "g"`."""
    start, depth = 0, 0
    for place in range(len(tokens) + 1):
        token = tokens[place] if place < len(tokens) else None
        if token is not None and token.kind == "sign" and token.text in "([":
            depth += 1
        elif token is not None and token.kind == "sign" and token.text in ")]":
            depth -= 1
        elif token is None or (token.kind == "sign" and token.text == "," and depth == 0):
            entry = list(tokens[start:place])
            if len(entry) > 2 and entry[1].kind == "sign" and entry[1].text in ":=":
                yield entry[0].text, entry[2:]
            start = place + 1
