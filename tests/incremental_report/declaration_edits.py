"""Random edits of declarations in Java and Go: signatures, heritage, generics, members of interfaces, packages and imports.

`what` chooses the place, and among the words of the same file the name of another type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

Change = Callable[[str, int], str]


def _at(pattern: str, replacement: str) -> Change:
    """Replace one of the places where a pattern matches; `TYPE` in the replacement becomes a type that the file names."""
    compiled = re.compile(pattern, re.MULTILINE)

    def change(text: str, what: int) -> str:
        places, types = list(compiled.finditer(text)), re.findall(r"\b[A-Z]\w*[a-z]\w*\b", text)
        if not places or not types:
            return text
        place = places[what % len(places)]
        new = place.expand(replacement).replace("TYPE", types[what // 7 % len(types)])
        return text[: place.start()] + new + text[place.end() :]

    return change


_METHOD: Final = r"^( +(?:(?:public|protected|private|static|final|default|abstract) )*)([\w<>\[\], ?]+) (\w+)\(([^()\n]*)\)"
_CLASS: Final = r"^( *(?:(?:public|protected|private|static|final|abstract) )*(?:class|interface|record) \w+)"
_FIELD: Final = r"^( +(?:private|protected|public) (?:static )?(?:final )?)([\w<>\[\], ?]+)( \w+(?: =|;))"

JAVA: Final[dict[str, Change]] = {
    "another result": _at(_METHOD, r"\1TYPE \3(\4)"),
    "another parameter": _at(_METHOD.replace("[^()\\n]*", "[^()\\n]+"), r"\1\2 \3(\4, TYPE added)"),
    "a generic method": _at(_METHOD, r"\1<T extends TYPE> \2 \3(\4)"),
    "overloads swapped": _at(_METHOD + r"(?= \{)", r"\1\2 \3(TYPE first) { return null; }\n\n\g<0>"),
    "a base": _at(
        r"((?:class|record) \w+(?:<[^{}<>]*>)?(?: extends [\w<>.]+)?)(?: implements ([^{}]*?))? ?\{", r"\1 implements TYPE {"
    ),
    "a superclass": _at(r"(class \w+(?:<[^{}<>]*>)?)(?: extends [\w<>.]+)?(?= [i{])", r"\1 extends TYPE"),
    "a base of an interface": _at(r"(interface \w+(?:<[^{}<>]*>)?)(?: extends [^{}]*?)? ?\{", r"\1 extends TYPE {"),
    "a type parameter": _at(_CLASS + r"(?=[ \n{])", r"\1<T extends TYPE>"),
    "no type parameter": _at(_CLASS + r"<[^{}<>]*>", r"\1"),
    "a type of a field": _at(_FIELD, r"\1TYPE\3"),
    "a method of an interface": _at(r"(interface [^{}]*)\{", r"\1{\n    TYPE added(TYPE value);\n"),
    "a default method": _at(r"(interface [^{}]*)\{", r"\1{\n    default TYPE given() { return null; }\n"),
    "no abstract method": _at(r"^ +[\w<>\[\], ?]+ \w+\([^()\n]*\);\n", ""),
    "another package": _at(r"^package ([\w.]+);", r"package \1.other;"),
    "another import": _at(r"^import (?!static)([\w.]+)\.(\w+);", r"import other.\1.\2;"),
    "an import of a package": _at(r"^import (?!static)([\w.]+)\.\w+;", r"import \1.*;"),
    "no import": _at(r"^import [\w. ]+;\n", ""),
    "an annotation": _at(r"^( +)(?=(?:public|private|protected) )", r"\1@Named(\"added\") "),
    "no annotation": _at(r"^ *@\w+(?:\([^()]*\))?\n", ""),
    "Lombok": _at(_CLASS, r"@lombok.Data @lombok.Builder\n\1"),
    "a constant": _at(_CLASS + r"([^{}]*)\{", r'\1\2{\n    public static final String ADDED = "added" + TYPE.NAME;\n'),
    "a nested type": _at(
        _CLASS + r"([^{}]*)\{", r"\1\2{\n    public static class Added extends TYPE { public TYPE own() { return null; } }\n"
    ),
    "hidden": _at(r"^( +)(?:public|protected) (?=\w)", r"\1private "),
}

_FUNCTION: Final = r"^func (\([^()\n]*\) )?(\w+)(\[[^\]\n]*\])?\(([^()\n]*)\)"

GO: Final[dict[str, Change]] = {
    "another parameter": _at(_FUNCTION, r"func \1\2\3(added TYPE, \4)"),
    "no parameters": _at(_FUNCTION, r"func \1\2\3()"),
    "another result": _at(_FUNCTION + r" [^{\n]*\{", r"func \1\2\3(\4) *TYPE {"),
    "a pointer": _at(r"^func \((\w+) \*?(\w+)\)", r"func (\1 *\2)"),
    "a value": _at(r"^func \((\w+) \*(\w+)\)", r"func (\1 \2)"),
    "another receiver": _at(r"^func \((\w+) \*?\w+\)", r"func (\1 *TYPE)"),
    "an embedded type": _at(r"^(type \w+(?:\[[^\]\n]*\])? (?:struct|interface) \{)", r"\1\n\tTYPE\n"),
    "a method of an interface": _at(r"^(type \w+(?:\[[^\]\n]*\])? interface \{)", r"\1\n\tAdded(value TYPE) TYPE\n"),
    "no method of an interface": _at(r"^\t\w+\([^()\n]*\)(?: [\w*.\[\]]+)?\n", ""),
    "a type of a field": _at(r"^(\t\w+ +)[\w*.\[\]]+$", r"\1*TYPE"),
    "a type parameter": _at(r"^type (\w+) (?=struct|interface|func)", r"type \1[T any] "),
    "a constraint": _at(r"\[(\w+) (?:any|comparable)\b", r"[\1 TYPE"),
    "a generic function": _at(r"^func (\w+)\(", r"func \1[T any]("),
    "an alias": _at(r"^type (\w+) (?:struct|interface) \{", r"type \1Alias = TYPE\n\n\g<0>"),
    "another package": _at(r"^package (\w+)$", r"package \1other"),
    "another import": _at(r"^(\t|import )\"([\w./-]+)\"$", r'\1"\2/other"'),
    "a renamed import": _at(r"^(\t|import )\"([\w./-]+)\"$", r'\1other "\2"'),
    "a dot import": _at(r"^(\t|import )\"([\w./-]+)\"$", r'\1. "\2"'),
    "no import": _at(r"^\t\"[\w./-]+\"\n", ""),
    "another name": _at(r"^(func (?:\([^()\n]*\) )?|type )(\w+)", r"\1\2Else"),
    "a constraint of the build": lambda text, what: f"//go:build {('linux', 'windows')[what % 2]}\n\n{text}",
}

BY_SUFFIX: Final = {".java": JAVA, ".go": GO}
