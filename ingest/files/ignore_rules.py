"""Apply ignore patterns with Git's semantics, compiled once per ignore file, so that the check of an entry is fast.

The gitignore manual page describes the rules. The last matching pattern decides, and `!` re-includes. A slash at the start or in
the middle anchors the pattern to the folder of its file, and a slash at the end restricts it to folders.

A walk checks an entry only after its parents were included, so a file below an excluded folder is never reached and cannot be
re-included. For the same reason, a pattern is matched only against the entry itself, and not against entries below it. Matchers
of whole paths differ from Git in this point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from ...schema.languages import LANGUAGE_BY_EXTENSION

_POSIX_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_SPECIAL = frozenset("*?[\\")
_ANY_FOLDERS = "(?:.*/)?"
_BRACES = re.compile(r"\{([^{}]*)\}")
#: Placeholders for `{`, `,` and `}` while a glob is translated.
_CHOICE_MARKS = str.maketrans({"\1": "(?:", "\2": "|", "\3": ")"})


class IgnoreRule(msgspec.Struct, frozen=True, gc=False):
    """One pattern of an ignore file. `pattern` has no `!`, no anchoring slash and no trailing slash."""

    #: File and line of the pattern, for people: ".gitignore:3".
    origin: str
    #: The line as written.
    text: str
    pattern: str
    negated: bool
    folders_only: bool
    #: Whether the pattern is matched against the path from the ignore file's folder instead of the name.
    anchored: bool

    @property
    def reason(self) -> str:
        """The reason why the rule excludes an entry."""
        return f"{self.origin}: {self.text}"


def parse_ignore_line(line: str, origin: str) -> IgnoreRule | None:
    """Return the rule in a line, or None for blank lines, comments and patterns that cannot match."""
    text = _strip_trailing_spaces(line.removesuffix("\r"))
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    pattern = text[1:] if negated else text
    folders_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    anchored = "/" in pattern
    pattern = pattern.removeprefix("/")
    if not pattern:
        return None
    return IgnoreRule(origin, text, pattern, negated, folders_only, anchored)


def _strip_trailing_spaces(line: str) -> str:
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and len(stripped) < len(line) else stripped


def glob_to_regex(pattern: str) -> str | None:
    """Return a regular expression for `fullmatch` that matches slash-separated paths as Git matches a glob.

    `*` and `?` stop at slashes, and `**` between slashes spans folders. The result is None if the glob is malformed and
    matches nothing.
    """
    out: list[str] = []
    at, end = 0, len(pattern)
    #: Index of the last star of this path segment in `out`.
    star: int | None = None
    while at < end:
        character = pattern[at]
        if character == "*":
            at, star = _translate_stars(pattern, at, out, star)
            continue
        if character == "[":
            closed = _translate_class(pattern, at, out)
            if closed is None:
                return None
            at = closed
            continue
        if character == "\\":
            at += 1
            if at == end:
                return None
            character = pattern[at]
            out.append(re.escape(character))
        else:
            out.append("[^/]" if character == "?" else re.escape(character))
        if character == "/":
            star = None
        at += 1
    return "".join(out)


def without_classes(glob: str) -> str:
    """Return a glob in which brackets are ordinary characters: routes such as `app/[slug]` are common."""
    return glob.replace("\\", "\\\\").replace("[", "\\[")


def pattern_with_choices(glob: str) -> re.Pattern[str] | None:
    """Return the pattern of a glob that may have choices, `*.{js,ts}`; None for a malformed glob. See `glob_to_regex`."""
    expression = glob_to_regex(_BRACES.sub(lambda braces: "\1" + braces[1].replace(",", "\2") + "\3", glob))
    return re.compile(expression.translate(_CHOICE_MARKS)) if expression is not None else None


def _translate_stars(pattern: str, at: int, out: list[str], star: int | None) -> tuple[int, int | None]:
    """Translate the run of stars at `at`. Return the index after the run, and the new last star."""
    after = at
    while after < len(pattern) and pattern[after] == "*":
        after += 1
    if after - at > 1 and (at == 0 or pattern[at - 1] == "/"):
        if after == len(pattern):
            out.append(".*")
            return after, None
        if pattern[after] == "/":
            if not out or out[-1] != _ANY_FOLDERS:
                out.append(_ANY_FOLDERS)
            return after + 1, None
    if star is not None:
        # The text between two stars may match only its first occurrence, because the later star matches the rest. Otherwise, a
        # hostile pattern (`*a*a*a*a*b`) would take exponential time.
        out[star:] = ["(?>[^/]*?" + "".join(out[star + 1 :]) + ")"]
    out.append("[^/]*")
    return after, len(out) - 1


def _translate_class(pattern: str, at: int, out: list[str]) -> int | None:
    """Translate the bracket expression at `at`. Return the index after the expression, or None if it is not closed."""
    at += 1
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    first, parts = at, list[str]()
    while at < len(pattern) and (pattern[at] != "]" or at == first):
        named = re.compile(r"\[:(\w*):\]").match(pattern, at)
        if named:
            if named[1] not in _POSIX_CLASSES:
                return None
            parts.append(_POSIX_CLASSES[named[1]])
            at = named.end()
            continue
        low, at = _class_character(pattern, at)
        if pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("", "]"):
            high, at = _class_character(pattern, at + 1)
            if low <= high:
                parts.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            parts.append(re.escape(low))
    if at >= len(pattern):
        return None
    members = "".join(parts)
    if negated:
        out.append(f"[^/{members}]")
    else:
        out.append(f"(?!/)[{members}]" if members else "(?!)")
    return at + 1


def _class_character(pattern: str, at: int) -> tuple[str, int]:
    if pattern[at] == "\\" and at + 1 < len(pattern):
        at += 1
    return pattern[at], at + 1


#: Number of contents of ignore files whose rules stay compiled between scans. A repository of 100,000 files can have 3,000 ignore
#: files, and a cache that is too small for one scan is useless. The rules of one file take about 5 KB.
_MAX_COMPILED = 16_384


class RuleSet:
    """The rules of one ignore file, compiled for entries below its folder."""

    __slots__ = ("_base_length", "_files", "_folders", "_path", "concerns_sources")

    def __init__(self, base: str, rules: Iterable[IgnoreRule]) -> None:
        """`base` is the folder of the ignore file: "" for the root, else with a slash at the end."""
        self._set(base, "", _compiled(rules))

    @classmethod
    def of_file(cls, content: bytes, path: str, base: str) -> RuleSet:
        """Return the rules of an ignore file. Files with equal contents share the compiled patterns."""
        rules = cls.__new__(cls)
        rules._set(base, path, _compiled_content(content))
        return rules

    def _set(self, base: str, path: str, matchers: tuple[_EntryMatcher, _EntryMatcher]) -> None:
        self._base_length = len(base)
        #: Path of the ignore file, which is missing in the origins of shared rules; "" if the origins are complete.
        self._path = path
        self._folders, self._files = matchers
        #: Whether any rule may decide about a source file. Most ignore files in inner folders have no such rule.
        self.concerns_sources = not self._files.is_empty

    def match_folder(self, name: str, path: str) -> IgnoreRule | None:
        """Return the rule that decides about a folder.

        `path` is relative to the workspace root; `name` is its last part.
        """
        rule = self._folders.match(name, path, self._base_length)
        return None if rule is None else self._placed(rule)

    def match_source(self, name: str, path: str) -> IgnoreRule | None:
        """Return the rule that decides about a file with an extension of a supported language."""
        rule = self._files.match(name, path, self._base_length)
        return None if rule is None else self._placed(rule)

    def _placed(self, rule: IgnoreRule) -> IgnoreRule:
        """Return a shared rule with its full origin."""
        return msgspec.structs.replace(rule, origin=self._path + rule.origin) if self._path else rule


@lru_cache(maxsize=_MAX_COMPILED)
def _compiled_content(content: bytes) -> tuple[_EntryMatcher, _EntryMatcher]:
    """Return the compiled rules of an ignore file. Their origins lack the path of the file."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return _compiled(parse_ignore_file(text.split("\n"), ""))


def _compiled(rules: Iterable[IgnoreRule]) -> tuple[_EntryMatcher, _EntryMatcher]:
    """Return the rules for folders, and those that may decide about sources."""
    ordered = [(rule, expression) for rule in rules if (expression := glob_to_regex(rule.pattern)) is not None]
    sources = [pair for pair in ordered if not pair[0].folders_only and _can_match_source(pair[0].pattern)]
    return _EntryMatcher(ordered), _EntryMatcher(sources)


@lru_cache(maxsize=4096)
def _can_match_source(pattern: str) -> bool:
    """Return False for a pattern such as `*.log`, whose literal end excludes every source file.

    Most patterns of real ignore files are of this form. Without them, a scan takes half the time.
    """
    tail = re.split(r"[*?\]\\]", pattern)[-1]
    if tail.startswith("[") or "[" in tail:
        return True
    return any(tail.endswith(extension) or extension.endswith(tail) for extension in LANGUAGE_BY_EXTENSION)


class _EntryMatcher:
    """Finds the last rule that matches an entry.

    Names are in a dictionary, and patterns with wildcards are in one regular expression.
    """

    __slots__ = ("_any_name", "_any_path", "_by_name", "_expressions")

    def __init__(self, ordered: Sequence[tuple[IgnoreRule, str]]) -> None:
        self._by_name: dict[str, tuple[int, IgnoreRule]] = {}
        #: (position, rule, compiled), last first.
        self._expressions: list[tuple[int, IgnoreRule, re.Pattern[str]]] = []
        names: list[str] = []
        paths: list[str] = []
        for position, (rule, expression) in enumerate(ordered):
            if not rule.anchored and _SPECIAL.isdisjoint(rule.pattern):
                self._by_name[rule.pattern] = (position, rule)
                continue
            self._expressions.insert(0, (position, rule, re.compile(expression, re.DOTALL)))
            (paths if rule.anchored else names).append(expression)
        self._any_name = _alternation(names)
        self._any_path = _alternation(paths)

    @property
    def is_empty(self) -> bool:
        """Whether no entry can match."""
        return not self._by_name and not self._expressions

    def match(self, name: str, path: str, base_length: int) -> IgnoreRule | None:
        literal = self._by_name.get(name)
        found = (self._any_name is not None and self._any_name.fullmatch(name) is not None) or (
            self._any_path is not None and self._any_path.fullmatch(path, base_length) is not None
        )
        if found:
            for position, rule, expression in self._expressions:
                if literal is not None and position < literal[0]:
                    break
                if expression.fullmatch(path, base_length) if rule.anchored else expression.fullmatch(name):
                    return rule
        return literal[1] if literal is not None else None


def _alternation(expressions: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{expression})" for expression in expressions), re.DOTALL) if expressions else None


def parse_patterns(patterns: Iterable[str], origin: str) -> list[IgnoreRule]:
    """Return the rules in patterns; `origin` names their source for people."""
    parsed = (parse_ignore_line(pattern, origin) for pattern in patterns)
    return [rule for rule in parsed if rule is not None]


def parse_ignore_file(lines: Iterable[str], path: str) -> list[IgnoreRule]:
    """Return the rules of an ignore file's lines. The origin of a rule is the path and the line number."""
    parsed = (parse_ignore_line(line, f"{path}:{number}") for number, line in enumerate(lines, 1))
    return [rule for rule in parsed if rule is not None]
