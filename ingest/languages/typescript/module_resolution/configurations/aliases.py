"""Aliases: the paths to which a tool's configuration maps a specifier."""

from __future__ import annotations

import re

import msgspec

from .values import Pattern

#: Maximum length of a regular expression that is used, in characters.
_MAX_PATTERN = 300
#: Maximum length of a specifier that is matched, in characters. With n repetitions in the expression, a match may take up to
#: length ** n steps.
_MAX_SPECIFIER = 300
#: Maximum number of repetitions in a regular expression.
_MAX_REPETITIONS = 4
#: A repeated group. Such an expression is not used, because matching may take exponential time.
_REPEATED_GROUP = re.compile(r"\)[*+{]")
#: `$1` and `$&` of JavaScript, and `\1` of Babel's module resolver.
_PLACEHOLDER = re.compile(r"\$(\d|&)|\\(\d)")


class Alias(msgspec.Struct, frozen=True):
    """One alias of a configuration."""

    pattern: re.Pattern[str]
    #: Templates, best first: an absolute path, a path relative to the importing file, or a package. Empty if the configuration
    #: computes the target.
    targets: tuple[str, ...]
    #: True if a target replaces the whole specifier, False if it replaces only the part that matches.
    replaces_all: bool = False

    def apply(self, specifier: str) -> list[str] | None:
        """Return the targets for a specifier, or None if the alias does not match."""
        match = self.pattern.search(specifier) if len(specifier) <= _MAX_SPECIFIER else None
        if match is None:
            return None
        before, after = ("", "") if self.replaces_all else (specifier[: match.start()], specifier[match.end() :])
        return [before + _filled(target, match) + after for target in self.targets]


def prefix_alias(key: str, targets: tuple[str, ...]) -> Alias:
    """Return the alias for a name and everything below it: `@` matches `@` and `@/x`.

    A name that ends with `$` matches only itself, and a star matches any text, as in webpack.
    """
    if key.endswith("$") and len(key) > 1:
        return Alias(re.compile(re.escape(key[:-1]) + r"\Z"), targets, True)
    if "*" in key:
        head, _, tail = key.partition("*")
        filled = tuple(target.replace("*", "$1") for target in targets)
        return Alias(re.compile(f"^{re.escape(head)}(.*){re.escape(tail)}\\Z", re.DOTALL), filled, True)
    if key.endswith("/") and len(key) > 1:
        key, targets = key[:-1], tuple(target.removesuffix("/") for target in targets)
    return Alias(re.compile(f"^{re.escape(key)}(?=/|\\Z)"), tuple(target.replace("$", "$$") for target in targets))


def exact_alias(key: str, targets: tuple[str, ...]) -> Alias:
    """Return the alias for one specifier."""
    return Alias(re.compile(f"^{re.escape(key)}\\Z"), tuple(target.replace("$", "$$") for target in targets), True)


def pattern_alias(pattern: Pattern, targets: tuple[str, ...], *, replaces_all: bool) -> Alias | None:
    """Return the alias for a regular expression, or None if the expression is not simple."""
    source = pattern.source.replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!")
    repetitions = sum(source.count(mark) for mark in "*+{")
    if len(source) > _MAX_PATTERN or repetitions > _MAX_REPETITIONS or _REPEATED_GROUP.search(source):
        return None
    try:
        compiled = re.compile(source, re.IGNORECASE if "i" in pattern.flags else 0)
    except re.error:
        return None
    return Alias(compiled, targets, replaces_all)


def _filled(template: str, match: re.Match[str]) -> str:
    def group(placeholder: re.Match[str]) -> str:
        number = placeholder[1] or placeholder[2]
        if number == "&":
            return match[0]
        return (match[int(number)] or "") if int(number) <= (match.re.groups or 0) else ""

    return _PLACEHOLDER.sub(group, template.replace("$$", "\0")).replace("\0", "$")
