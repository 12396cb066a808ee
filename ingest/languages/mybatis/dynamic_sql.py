"""The texts that a statement of MyBatis may have. The content of its elements is read, and their conditions are not evaluated.

SELECT * FROM posts <where> <if test="tag != null"> AND tag = #{tag} </if> </where>
becomes     SELECT * FROM posts WHERE tag = ?
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from ...data.xml_elements import Element
from ...facts.data import PLACEHOLDER

#: Maximum numbers: texts of a statement, branches of a choice, nested fragments, characters of a text, and elements that are
#: searched for choices and conditions. Fragments may include each other many times.
_MAX_TEXTS: Final = 40
_MAX_BRANCHES: Final = 8
_MAX_NESTED: Final = 10
_MAX_LENGTH: Final = 20_000
_MAX_ELEMENTS: Final = 2_000
#: A parameter in a statement.
_PARAMETER: Final = re.compile(r"#\{[^{}]*+\}")
#: A text that the code inserts in a statement.
_INSERTED: Final = re.compile(r"\$\{\s*([\w.]*)[^{}]*+\}")
#: A mark for a fragment of another file, and the words after which a statement needs something in its place.
_FOREIGN: Final = "\0"
_NEEDED: Final = re.compile(rf"(\b(?:SELECT|DISTINCT|FROM|JOIN|BY|WHERE|AND|OR|ON|SET|IN)\b|[,(=])\s*+{_FOREIGN}", re.IGNORECASE)
_LEADING: Final = re.compile(r"\s*(?:and|or)\b", re.IGNORECASE)
_CONDITIONAL: Final = "if"


class DynamicSql:
    """The texts of the statements of a file. `fragments` has the elements `sql` of the file by their ids."""

    def __init__(self, fragments: Mapping[str, Element], namespace: str) -> None:
        self._fragments = fragments
        self._namespace = namespace
        #: Number of the branch that is taken in all choices.
        self._branch = 0
        #: The only conditional elements that count; None if all count.
        self._chosen: Sequence[Element] | None = None
        #: The placeholder for a text that code inserts.
        self._inserted = PLACEHOLDER
        #: Number of characters of the current text.
        self._length = 0
        #: Number of elements that may still be searched.
        self._elements_left = 0

    def texts(self, statement: Element) -> Iterator[str]:
        """Yield texts in which all conditions are true. The texts differ in the chosen branches of the choices."""
        self._chosen, self._inserted, self._elements_left = None, PLACEHOLDER, _MAX_ELEMENTS
        for branch in range(max(1, min(_MAX_BRANCHES, self._branches(statement, 0)))):
            self._branch = branch
            yield self._text(statement)

    def simpler_texts(self, statement: Element) -> Iterator[str]:
        """Yield simpler texts.

        The first text lacks the parts that code inserts. In the second text, no condition is true. In each further text, only one
        condition and its enclosing conditions are true.
        """
        self._branch, self._chosen, self._inserted, self._elements_left = 0, None, "", _MAX_ELEMENTS
        yield self._text(statement)
        for chosen in [[], *islice(self._conditions(statement, (), 0), _MAX_TEXTS - 1)]:
            self._chosen = chosen
            yield self._text(statement)

    def is_dynamic(self, statement: Element) -> bool:
        """Return whether a statement has elements that MyBatis evaluates, or texts that code inserts."""
        return any(each.name not in ("include", "selectKey") for each in statement.elements()) or any(
            isinstance(each, str) and "${" in each for each in statement.children
        )

    def foreign_fragments(self, element: Element) -> list[str]:
        """Return the qualified names of the fragments of other files that an element and its fragments include."""
        self._elements_left = _MAX_ELEMENTS
        return list(dict.fromkeys(self._foreign(element, 0)))

    def _foreign(self, element: Element, nested: int) -> Iterator[str]:
        for each in self._elements(element):
            if (fragment := self._fragment(each, nested)) is not None:
                yield from self._foreign(fragment, nested + 1)
            elif each.name == "include" and "." in each.get("refid") and "$" not in each.get("refid"):
                yield each.get("refid")
            yield from self._foreign(each, nested)

    def _text(self, statement: Element) -> str:
        self._length = 0
        text = _NEEDED.sub(rf"\1 {PLACEHOLDER}", self._inner(statement, {}, 0))
        return text.replace(_FOREIGN, "").strip().rstrip(";")

    def _inner(self, element: Element, values: Mapping[str, str], nested: int) -> str:
        return " ".join(self._of(each, values, nested) for each in element.children)

    def _of(self, part: Element | str, values: Mapping[str, str], nested: int) -> str:
        if self._length > _MAX_LENGTH:
            return ""
        self._length += 1 if isinstance(part, Element) else len(part)
        if isinstance(part, str):
            filled = _INSERTED.sub(lambda found: values.get(found[1], self._inserted), part)
            return _PARAMETER.sub("?", filled)
        if part.name in ("selectKey", "bind", "property"):
            return ""
        if part.name == "include":
            return self._included(part, values, nested)
        if part.name == _CONDITIONAL and self._chosen is not None and not any(part is each for each in self._chosen):
            return ""
        if part.name == "choose":
            branches = [each for each in part.elements() if each.name in ("when", "otherwise")]
            return self._inner(branches[min(self._branch, len(branches) - 1)], values, nested) if branches else ""
        inner = self._inner(part, values, nested)
        if part.name == "foreach":
            return f"{part.get('open')} {inner} {part.get('close')}"
        if part.name == "where":
            return _enclosed(_LEADING.sub("", inner, count=1), "WHERE", "")
        if part.name == "set":
            return _enclosed(inner.strip().removesuffix(","), "SET", "")
        if part.name == "trim":
            return _trimmed(part, inner)
        return inner

    def _included(self, part: Element, values: Mapping[str, str], nested: int) -> str:
        """Return the text of a fragment of the file; a mark for a fragment of another file."""
        fragment = self._fragment(part, nested)
        if fragment is None:
            return _FOREIGN
        given = {each.get("name"): each.get("value") for each in part.elements() if each.name == "property"}
        return self._inner(fragment, {**values, **given}, nested + 1)

    def _fragment(self, part: Element, nested: int) -> Element | None:
        """Return the fragment that an element includes; None for other elements, deep nesting and other files."""
        if part.name != "include" or nested >= _MAX_NESTED:
            return None
        return self._fragments.get(part.get("refid").removeprefix(f"{self._namespace}."))

    def _branches(self, element: Element, nested: int) -> int:
        """Return the largest number of branches of a choice in a statement and its fragments."""
        most = 1
        for each in self._elements(element):
            if (fragment := self._fragment(each, nested)) is not None:
                most = max(most, self._branches(fragment, nested + 1))
            own = len(each.elements()) if each.name == "choose" else 1
            most = max(most, own, self._branches(each, nested))
        return most

    def _elements(self, element: Element) -> Iterator[Element]:
        """Yield the elements directly inside, as long as more elements may be searched."""
        for each in element.elements():
            self._elements_left -= 1
            if self._elements_left >= 0:
                yield each

    def _conditions(self, element: Element, around: Sequence[Element], nested: int) -> Iterator[list[Element]]:
        for each in self._elements(element):
            if (fragment := self._fragment(each, nested)) is not None:
                yield from self._conditions(fragment, around, nested + 1)
            if each.name == _CONDITIONAL:
                yield [*around, each]
                yield from self._conditions(each, (*around, each), nested)
            else:
                yield from self._conditions(each, around, nested)


def _enclosed(inner: str, prefix: str, suffix: str) -> str:
    return f" {prefix} {inner} {suffix} " if inner.strip() else ""


def _trimmed(part: Element, inner: str) -> str:
    text = inner.strip()
    for override in part.get("prefixOverrides").split("|"):
        if override.strip() and text.upper().startswith(override.strip().upper()):
            text = text[len(override.strip()) :]
            break
    for override in part.get("suffixOverrides").split("|"):
        if override.strip() and text.upper().endswith(override.strip().upper()):
            text = text[: len(text) - len(override.strip())]
            break
    return _enclosed(text, part.get("prefix"), part.get("suffix"))
