"""Names of code in the text of documents: `Cart.total()`, `src::parser::Token`, `pkg.module.function`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

#: A backslash is in names of PHP: `Shop\\Cart::total()`. Before a small letter, it may also escape a sign in Markdown.
_NAME: Final = re.compile(
    r"(?:@|\\(?=[A-Z]))?(?P<path>[A-Za-z_$][\w$]*(?:(?:\.|::|#|->|\\(?=[A-Z]))[A-Za-z_$][\w$]*)*\??)(?P<call>\([^()\n]*\)|!)?;?",
    re.ASCII,
)
_SIGNATURE: Final = re.compile(
    r"(?:(?:new|async|static|await) )?(?P<path>[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)\(.*\)"
    r"[ ]?(?:(?::|=>|->).{0,200})?",
    re.ASCII,
)
#: A member of a value that the text leaves out, perhaps with a member of the member: `.keys`, `.request.headers`, `#empty?`.
_MEMBER: Final = re.compile(r"(?:\.|#(?=\w+[?!(]|\w*_))(?P<name>[A-Za-z_$][\w$]*[?!]?)(?:\.[A-Za-z_$][\w$]*)*", re.ASCII)
#: Arguments of a call, which may contain other calls.
_ARGUMENTS: Final = r"\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)"
#: A chain of calls, in which members follow the result of a call: `Cart.open().add(tea).total`.
_CHAIN: Final = re.compile(
    rf"(?P<start>[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*{_ARGUMENTS})(?P<rest>(?:\??(?:\.|->)[A-Za-z_]\w*(?:{_ARGUMENTS})?)+);?",
    re.ASCII,
)
_CHAINED: Final = re.compile(rf"(?:^|\.|::|->)([A-Za-z_]\w*)(?:{_ARGUMENTS})?", re.ASCII)
#: A name with a value: `page_size = 20`, `allowEmpty: true`.
_SET: Final = re.compile(r"(?P<name>[A-Za-z_]\w*(?:\.\w+)*)(?:[ \t]?=[ \t]?|:[ \t])[^=>\s][^\n]{0,80}", re.ASCII)
#: A key of several words in data.
_KEBAB: Final = re.compile(r"[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}")
_SEPARATOR: Final = re.compile(r"\.|::|#|->|\\")
_TYPE_ARGUMENTS: Final = re.compile(r"<(?:[\w\s,.|&\[\]'?*:]|\(\))*>")
#: A word for a kind of declarations before the name in a title.
OF_KIND: Final = re.compile(
    r"(?:static |async |class |instance )?"
    r"(?:attribute|class|event|function|interface|method|option|parameter|prop|property|type|variable):[ ]",
    re.IGNORECASE,
)
#: The name of a parameter in a span of code, perhaps with its value, and the names of constructors in some languages.
ARGUMENT_SPAN: Final = re.compile(r"\$?(?P<name>[A-Za-z_]\w{1,60})(?:[ ]?=(?!=).{0,80})?")
_CONSTRUCTORS: Final = ("__init__", "constructor", "__construct", "initialize")
#: Maximum length of a span of code that may be a name, in characters.
_MAX_LENGTH: Final = 120
#: Number of names that are kept after they were read. Documents repeat names.
_KEPT_NAMES: Final = 8_192
#: Words that are common in code of many languages. Alone, such a word does not refer to a declaration of the repository.
_WORDS: Final = (
    "true false null none nil undefined nan self this super string number boolean bool int float double char byte "
    "bytes long short void any never unknown object array list dict map set tuple date error exception promise "
    "function class symbol integer str type async await return yield import export default public private protected "
    "static const let var regexp buffer console window document process iterator iterable generator callable "
    "optional union json math "
)
_COMMON: Final = frozenset(_WORDS.split())
#: Endings of files that are no sources and that documents link to.
_FILE_ENDING_WORDS: Final = "html htm pdf txt png svg jpg jpeg gif webp json yaml yml toml csv xml zip sh exe"
FILE_ENDINGS: Final = frozenset(_FILE_ENDING_WORDS.split())
#: Signs at the end of names of Ruby.
_SIGNS: Final = ("?", "!")


class CodeName(NamedTuple):
    """A name of code as a document writes it."""

    #: The parts of the name, the outermost first.
    parts: tuple[str, ...]
    is_call: bool
    #: Whether a dot before the name says that it is a member of a value: `.keys`.
    is_member: bool = False
    #: Whether an at sign says that it is a decorator: `@cached`.
    is_decorator: bool = False
    #: Whether the parts after the first call belong to the results of calls: `Cart.open().add(tea)`.
    is_chain: bool = False

    @property
    def is_distinct(self) -> bool:
        """Whether the name cannot be a plain word, because it is a call, or has several parts, an underscore or mixed case."""
        last = self.parts[-1]
        if len(self.parts) > 1 or self.is_call or self.is_member:
            return True
        is_compound = "_" in last.strip("_") or (last != last.lower() and last != last.upper())
        return last.endswith(_SIGNS) or (last.lower() not in _COMMON and is_compound)

    @property
    def has_compound_end(self) -> bool:
        """Whether the last part of the name consists of several words: `load_cart`, `loadCart`, `CartService`."""
        return has_several_words(self.parts[-1])

    @property
    def is_compound(self) -> bool:
        """Whether the name is recognizable as code without markup, because it is a call, or has several parts or words."""
        return len(self.parts) > 1 or self.is_call or self.has_compound_end

    @property
    def is_common(self) -> bool:
        """Whether the name is a common word in code of many languages."""
        return len(self.parts) == 1 and not self.is_member and self.parts[0].lower() in _COMMON


def has_several_words(name: str) -> bool:
    """Return whether a name consists of several words: `load_cart`, `loadCart`, `CartService`."""
    name = name.strip("_$")
    rest = name[1:]
    return "_" in name or (rest != rest.lower() and name != name.upper())


def read_title(text: str) -> CodeName | None:
    """Return a title of a reference as a name; None for other titles.

    A title may have the whole signature of a function: `cart.add(item: Item, count?: number): Cart`, `new Cart(items[])`.
    A question mark after a name says that a member is optional.
    """
    text = text.strip().removesuffix("?")
    found = _SIGNATURE.fullmatch(text.replace("\\", ""))
    return read_name(text if found is None else f"{found['path']}()")


def set_name(text: str) -> CodeName | None:
    """Return the name to which a span of code gives a value: `page_size = 20`, `allowEmpty: true`. None for other code, and for
    a single word or a name in capitals.
    """
    found = _SET.fullmatch(text.strip()) if len(text) <= _MAX_LENGTH else None
    if found is None or not has_several_words(found["name"].rpartition(".")[2]) or found["name"] == found["name"].upper():
        return None
    return read_name(found["name"])


def constructors_in(text: str) -> tuple[str, ...]:
    """Return the names of the constructors to which a span of code may give a parameter: `page_size=20`; () for other code."""
    return _CONSTRUCTORS if "=" in text and ARGUMENT_SPAN.fullmatch(text.strip()) is not None else ()


@lru_cache(_KEPT_NAMES)
def title_name(title: str) -> str | None:
    """Return the single name that is a title, perhaps with words for its kind: "`size`", "Property: `size` (readonly)"."""
    name = read_title(OF_KIND.sub("", title).partition(" (")[0].strip("`*_"))
    return name.parts[0] if name is not None and len(name.parts) == 1 else None


@lru_cache(_KEPT_NAMES)
def title_key(title: str) -> str | None:
    """Return the key in kebab case that is a title, with underscores: `page_size` of "`page-size`"; None for other titles."""
    found = _KEBAB.fullmatch(OF_KIND.sub("", title).partition(" (")[0].strip("`*_"))
    return found[0].replace("-", "_") if found is not None else None


@lru_cache(_KEPT_NAMES)
def read_name(text: str) -> CodeName | None:
    """Return a span of code as a name; None for other code."""
    text = text.strip()
    if not text or len(text) > _MAX_LENGTH:
        return None
    plain = _TYPE_ARGUMENTS.sub("", text) if "<" in text else text
    plain = f".{plain[2:]}" if plain.startswith("->") else plain
    is_call_of_member = plain.startswith((".", "#")) and plain.endswith(")")
    found = _NAME.fullmatch(plain[1:] if is_call_of_member else plain)
    if found is None and (chain := _CHAIN.fullmatch(plain)) is not None:
        return CodeName(tuple(_CHAINED.findall(chain[0])), chain[0].rstrip(";").endswith(")"), is_chain=True)
    if found is None:
        member = _MEMBER.fullmatch(plain)
        return CodeName((member["name"],), is_call=False, is_member=True) if member is not None else None
    return CodeName(
        tuple(_SEPARATOR.split(found["path"])), found["call"] is not None, is_decorator=text.startswith("@") and len(text) > 1
    )
