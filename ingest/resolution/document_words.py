"""The words of a document that support the meaning of a name in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from ...schema.name_words import name_words
from ...schema.paths import parent_of, stem_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import DIAGRAM_KINDS, TYPE_KINDS
from ..documents.command_lines import VALUE_OF_SETTING
from ..documents.names import OF_KIND, CodeName, has_several_words, read_name, read_title
from ..documents.plain_names import WORD
from ..documents.shown_declarations import DERIVED
from ..documents.titles import TITLE
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from .mentioned import BLOCK_FORMS

_WORD: Final = re.compile(r"[a-z][\w$-]*")
#: Forms of mentions in blocks of code whose module is known.
_EXPLAINED: Final = tuple(form for form in BLOCK_FORMS if form not in ("use", "value", "free value"))
_WORDS: Final = re.compile(r"[\w$]+")
#: Words in names of folders of documents that say nothing about the code which the documents describe, in the singular.
_ANY_SUBJECT_WORDS: Final = (
    "advanced api basic concept config configuration content doc documentation feature guide manual option page reference "
    "setting src tutorial usage"
)
_ANY_SUBJECT: Final = frozenset(_ANY_SUBJECT_WORDS.split())
#: A title that is the name of a function: `take_cart`, `takeCart()`.
_FUNCTION: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?:\(.*\))?|[a-z]\w*\(.*\)", re.ASCII)


class DocumentWords:
    """The words of a document that support the meaning of a name in it."""

    def __init__(self, path: str, facts: FileFacts, symbols: Sequence[Symbol]) -> None:
        #: The folder of the document; "" for the root.
        self.folder = parent_of(path)
        self.path = path
        self._stem = stem_of(path)
        self._facts = facts
        self._symbols = symbols
        #: The symbols that the blocks denote by each name, with the sections around these blocks.
        self._shown: dict[str, dict[str, set[int]]] = defaultdict(dict)
        self._shown_ids: set[str] = set()
        #: Those of these symbols that are types of one word inside of other types, such as `Builder`.
        self._inner: set[str] = set()

    def note_shown(self, mention: MentionFact, symbol: Symbol | None) -> None:
        """Record that a block of the document names a symbol."""
        written = mention.names or (read_name(mention.text) or CodeName((), False)).parts
        if symbol is not None and symbol.name in written:
            self.note_used(symbol, mention.symbol)

    def note_used(self, symbol: Symbol, section: int) -> None:
        """Record that a block in a section uses a symbol."""
        self._shown[symbol.name].setdefault(symbol.id, set()).update(self._around(section))
        self._shown_ids.add(symbol.id)
        if symbol.kind in TYPE_KINDS and symbol.depth and not has_several_words(symbol.name):
            self._inner.add(symbol.id)

    def shows(self, symbols: Iterable[Symbol]) -> bool:
        """Return whether a block of the document names one of some symbols."""
        return any(symbol.id in self._shown_ids for symbol in symbols)

    def shown(self, name: CodeName, section: int) -> str:
        """Return the id of the symbol that a single name denotes in the blocks of the document; "" for none or several.

        A plain word denotes what it denotes in a block of the same section, or of a section inside of it or beside it.
        """
        if len(name.parts) > 1 or name.is_common:
            return ""
        found = self._shown.get(name.parts[-1], {})
        if not name.is_distinct or not self._inner.isdisjoint(found):
            near = {section, self._facts.symbols[section].parent if section >= 0 else -1}
            found = {each: sections for each, sections in found.items() if not near.isdisjoint(sections - {-1, self._whole})}
        return next(iter(found)) if len(found) == 1 else ""

    def is_step(self, symbol: int) -> bool:
        """Return whether a part of the document is a step of a workflow, which leads to the code that does it."""
        return symbol >= 0 and self._symbols[symbol].kind == "step"

    @cached_property
    def of_code(self) -> frozenset[str]:
        """The words in code, links and diagrams, in lower case, without plain words that stand alone."""
        texts = (mention.text for mention in self._facts.mentions if mention.form not in (WORD, VALUE_OF_SETTING))
        several = (words for text in texts if len(words := _WORD.findall(text.lower())) > 1 or text[:1].isupper())
        return frozenset(word for words in several for word in words)

    @cached_property
    def parts(self) -> frozenset[str]:
        """The parts of compound names in code, the words of headings, and those of the path, in lower case."""
        texts = [mention.text for mention in self._facts.mentions if mention.form in ("code", "link")]
        titles = [symbol.name for symbol in self._symbols if symbol.kind not in DIAGRAM_KINDS]
        return frozenset(word for text in (*texts, *titles, self.path) for word in name_words(text))

    def concerns(self, example: str) -> bool:
        """Return whether the document belongs to an example, is in a folder around it, or names its folder."""
        own = f"{self.folder}/"
        if f"{example}/".startswith(own) or own.startswith(f"{example}/"):
            return True
        named = "/".join(example.split("/")[-2:])
        return any(named in mention.text for mention in self._facts.mentions if "/" in mention.text)

    def names_type(self, symbol: Symbol) -> bool:
        """Return whether the document names the type around a member, in code, in a title or as its own name."""
        owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
        own = set(name_words(owner))
        return owner.lower() in self.of_code or bool(own and (own <= self.parts or own <= set(name_words(self._stem))))

    def names_word(self, name: str) -> bool:
        """Return whether the text of the document has a name as code, in a title, or before a member."""
        return name in self._of_text

    def beside(self, line: int) -> frozenset[str]:
        """Return the names of code in the text of a line."""
        return self._beside.get(line, frozenset())

    def in_section(self, section: int) -> frozenset[str]:
        """Return the names of code in the text of a section, without the sections inside of it."""
        return self._in_sections.get(section, frozenset())

    def derives_from(self, name: str) -> bool:
        """Return whether a type in a block of the document takes members from a type with a name."""
        return name in self._ancestors

    def uses(self, name: str, section: int) -> bool:
        """Return whether a block of the document imports or calls a name, or the section calls it, links to it or is about it."""
        return name in self._in_blocks or name in self._used.get(section, ()) or self.is_titled(name, section)

    def uses_in_code(self, name: str, section: int) -> bool:
        """Return whether a block of the document imports or calls a name, or the section is about it."""
        return name in self._in_blocks or self.is_titled(name, section)

    def is_titled(self, name: str, section: int) -> bool:
        """Return whether a name is in the title of a section or of a section around it, as code or as the whole title."""
        return any(name in self._titled.get(each, ()) for each in self._around(section))

    def titles_around(self, section: int) -> Iterator[frozenset[str]]:
        """Yield the words in the singular of the titles around a place, the nearest title first, and of the names of the file
        and the folders around it: `docs/solid/guide.md` is about `packages/solid-form`.

        The title of the whole document is left out, because it is often the name of the project, and so is a title that is the
        name of a function.
        """
        for each in self._around(section):
            title = self._symbols[each].name
            is_whole = self._facts.symbols[each].parent < 0 and self._has_one_root
            if not is_whole and _FUNCTION.fullmatch(title) is None:
                yield singular_words(title)
        yield singular_words(self._stem)
        for folder in reversed(self.folder.split("/")):
            yield singular_words(folder) - _ANY_SUBJECT

    def is_about(self, name: str) -> bool:
        """Return whether the file of the document has the name: `fallback.md`."""
        return name == self._stem

    def has_member(self, name: str) -> bool:
        """Return whether the text of the document uses a name as a member of a value: `app.close()` for `close`."""
        return name in self._of_values

    @cached_property
    def _whole(self) -> int:
        """The section that contains all others; -1 for none."""
        return (
            next((place for place, each in enumerate(self._facts.symbols) if each.parent < 0), -1) if self._has_one_root else -1
        )

    @cached_property
    def _has_one_root(self) -> bool:
        """Whether one section contains all others."""
        return sum(symbol.parent < 0 for symbol in self._facts.symbols) == 1

    @cached_property
    def _of_values(self) -> frozenset[str]:
        names = (read_name(each.text) for each in self._facts.mentions if each.form == "code")
        return frozenset(name.parts[-1] for name in names if name is not None and len(name.parts) > 1)

    @cached_property
    def _of_text(self) -> frozenset[str]:
        """The names in spans of code, titles and imports, with the names before their members."""
        found: set[str] = set()
        for each in self._facts.mentions:
            if each.form == "import":
                found.update(each.names)
            elif each.form in ("code", TITLE) and (name := read_name(each.text)) is not None:
                found.update(name.parts)
        return frozenset(found)

    @cached_property
    def _beside(self) -> Mapping[int, frozenset[str]]:
        return self._names_by(lambda mention: mention.line)

    @cached_property
    def _in_sections(self) -> Mapping[int, frozenset[str]]:
        return self._names_by(lambda mention: mention.symbol)

    def _names_by(self, place: Callable[[MentionFact], int]) -> Mapping[int, frozenset[str]]:
        """Return the names in spans of code by the place of the span."""
        found: dict[int, set[str]] = defaultdict(set)
        for each in self._facts.mentions:
            if each.form == "code" and (name := read_name(each.text)) is not None:
                found[place(each)].update(name.parts)
        return {at: frozenset(names) for at, names in found.items()}

    @cached_property
    def _ancestors(self) -> frozenset[str]:
        return frozenset(name for each in self._facts.mentions if each.form == DERIVED for name in each.names[1:])

    @cached_property
    def _in_blocks(self) -> frozenset[str]:
        return frozenset(name for each in self._facts.mentions if each.form in _EXPLAINED for name in each.names)

    @cached_property
    def imports(self) -> Mapping[str, MentionFact]:
        """The imports in the blocks of the document by the names that they import; of several, the first one."""
        found: dict[str, MentionFact] = {}
        for mention in self._facts.mentions:
            if mention.form == "import":
                for name in mention.names:
                    found.setdefault(name, mention)
        return found

    @cached_property
    def _used(self) -> Mapping[int, set[str]]:
        """The names that the text of each section calls, or to which it links."""
        found: dict[int, set[str]] = defaultdict(set)
        for mention in self._facts.mentions:
            if mention.form == "link":
                found[mention.symbol].add(mention.text.partition("#")[2])
            elif mention.form == "code" and mention.text.endswith(")") and (name := read_name(mention.text)) is not None:
                found[mention.symbol].add(name.parts[-1])
        return found

    def is_headed(self, name: str, section: int) -> bool:
        """Return whether the title of a section, or of a section around it, begins with a name, perhaps after a word for its
        kind: "level (string)", "Property: level".
        """
        titles = (OF_KIND.sub("", self._symbols[each].name) for each in self._around(section))
        return any(title.lstrip("`*_.").partition(" ")[0].rstrip("`*_:,?").partition("(")[0] == name for title in titles)

    def is_parameter(self, name: str, section: int) -> bool:
        """Return whether a title around a section has a name among parameters: `start(options, [callback])`."""
        titles = (self._symbols[each].name for each in self._around(section))
        return any(name in _WORDS.findall(title.partition("(")[2]) for title in titles if name in title)

    def _around(self, section: int) -> Iterator[int]:
        """Yield a section and the sections around it, the nearest first."""
        while section >= 0:
            yield section
            section = self._facts.symbols[section].parent

    @cached_property
    def _titled(self) -> Mapping[int, set[str]]:
        """The names in the title of each section: the whole title, or spans of code in it."""
        found: dict[int, set[str]] = defaultdict(set)
        for place, symbol in enumerate(self._symbols):
            if symbol.kind not in DIAGRAM_KINDS and (name := read_title(symbol.name)) is not None:
                found[place].add(name.parts[-1])
        for mention in self._facts.mentions:
            is_title = mention.form == "code" and mention.line == self._symbols[mention.symbol].declaration_line
            if is_title and (name := read_name(mention.text)) is not None:
                found[mention.symbol].add(name.parts[-1])
        return found


def singular_words(name: str) -> frozenset[str]:
    """Return the words of a name, each without an `s` at its end."""
    return frozenset(word.removesuffix("s") for word in name_words(name))
