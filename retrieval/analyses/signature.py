"""Signatures: the text of a declaration in a uniform form, and its parts.

`export const identity = async <T,>(value: T): Promise<T> => value` has the signature `identity<T>(value: T): Promise<T>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...schema.languages import is_resolved_path
from ...schema.records import Symbol
from ...schema.signatures import SignatureParameter, TypeParameter
from ..source.signature_parts import assignment, closing, parameters_of, split, type_parameters_of
from ..source.written_signatures import written_parts
from .subject import Analysis, Subject

#: Modifiers that a signature may show. All other modifiers are internal marks of the parser.
_SHOWN = frozenset(
    (
        "public",
        "private",
        "protected",
        "static",
        "abstract",
        "readonly",
        "async",
        "override",
        "declare",
        "default",
        "exported",
        "generator",
        "accessor",
    )
)
_KEYWORDS = re.compile(
    r"(?:(?:public|private|protected|static|abstract|readonly|async|override|declare|accessor)\s+(?=[\w$#\['\"*(]))+"
)
_CALLABLE = frozenset(("function", "method", "component"))
_VALUES = frozenset(("const", "variable", "property"))
#: Kinds of symbols with a type, or with parameters and a result.
_WITH_PARTS = _CALLABLE | _VALUES | {"constructor", "getter", "setter", "callSignature", "constructSignature"}
#: Kinds of symbols that are exported only with the symbol that encloses them.
_PARTS = frozenset(
    (
        "method",
        "property",
        "getter",
        "setter",
        "constructor",
        "enumMember",
        "indexSignature",
        "callSignature",
        "constructSignature",
    )
)
_FUNCTION = re.compile(r"(?:async\s+)?(?:function\b\s*)?\*?\s*")
#: The text before the type parameters of a declaration.
_HEAD = re.compile(r"""(?:(?:class|interface|type)\s+)?(?:\[[^\]]*\]|'[^']*'|"[^"]*"|[\w$#.-]+)?\??\s*""")
_NAME = re.compile(r"(?:const|let|var|using)?\s*")


@dataclass(frozen=True, slots=True)
class DeclarationSignature:
    """The signature of one declaration."""

    symbol: Symbol
    #: The signature, such as `name<T>(value: T): Result`, `class A<T> extends B` or `const name: Type`.
    signature: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[TypeParameter, ...]
    #: Parameters of a callable; empty for other symbols.
    parameters: tuple[SignatureParameter, ...]
    #: Annotated type of the result, or of a getter, variable or property; None without an annotation.
    type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureInfo(Analysis):
    """Signatures of a symbol, one for each of its declarations."""

    subject: Subject
    declarations: tuple[DeclarationSignature, ...] = ()

    @property
    def signature(self) -> str:
        """Signature of the main declaration; "" if there is none."""
        return self.declarations[0].signature if self.declarations else ""

    @property
    def modifiers(self) -> tuple[str, ...]:
        """Modifiers of the main declaration."""
        return self.declarations[0].modifiers if self.declarations else ()

    def lines(self) -> list[str]:
        """Return one line with modifiers, kind and signature for each declaration."""
        return [f"  {' '.join([*found.modifiers, found.symbol.kind])}: {found.signature}" for found in self.declarations]


def signature_of(subject: Subject) -> SignatureInfo:
    """Return the signatures of the declarations of a symbol."""
    return SignatureInfo(
        subject=subject,
        nothing=subject.nothing,
        declarations=tuple(declaration_signature(symbol) for symbol in subject.declarations),
    )


def declaration_signature(symbol: Symbol) -> DeclarationSignature:
    """Return the signature of one declaration, from its header in the index."""
    text = _written(symbol)
    written = written_parts(symbol) if symbol.kind in _WITH_PARTS else None
    if written is not None:
        return DeclarationSignature(
            symbol, text, modifiers_of(symbol), written.type_parameters, written.parameters, written.return_type
        )
    parameters, type = _parts(symbol.kind, text)
    return DeclarationSignature(symbol, text, modifiers_of(symbol), type_parameters(text), parameters, type)


def modifiers_of(symbol: Symbol) -> tuple[str, ...]:
    """Return the keyword modifiers in source order. "exported" comes first if the module or namespace directly exports the
    symbol.
    """
    exported = symbol.exported and symbol.kind not in _PARTS
    written = [modifier for modifier in symbol.modifiers if modifier in _SHOWN and modifier != "exported"]
    return ("exported", *written) if exported else tuple(written)


def type_parameters(signature: str) -> tuple[TypeParameter, ...]:
    """Return the type parameters that follow the name in a signature."""
    head = _HEAD.match(signature)
    start = head.end() if head else 0
    if signature[start : start + 1] != "<":
        return ()
    return type_parameters_of(signature[start + 1 : closing(signature, start)])


def _written(symbol: Symbol) -> str:
    text = symbol.signature
    is_own_syntax = is_resolved_path(symbol.relative_path)  # headers in other languages stay unchanged
    if symbol.kind in _CALLABLE and not is_own_syntax:
        return text
    if symbol.kind in _CALLABLE:
        return f"{symbol.name}{_callable_part(symbol, text)}".replace(",>(", ">(") if "(" in text else text
    text = _KEYWORDS.sub("", text, count=1) if _KEYWORDS.match(text) else text
    if symbol.kind in ("const", "variable") and is_own_syntax and not re.match(r"(const|let|var|using|await)\b", text):
        text = f"{'const' if symbol.kind == 'const' else 'let'} {text}"
    if symbol.kind in _VALUES:
        colon = _annotation(text)
        value = assignment(text, colon + 1) if colon >= 0 else -1
        return text[:value].rstrip() if value >= 0 else text
    return text


def _callable_part(symbol: Symbol, text: str) -> str:
    """Return the type parameters, parameters and result of a function in any form of declaration."""
    rest = _KEYWORDS.sub("", text, count=1) if _KEYWORDS.match(text) else text
    rest = _NAME.sub("", rest, count=1)
    rest = _FUNCTION.sub("", rest, count=1) if not rest.startswith(symbol.name) else rest
    if symbol.name and rest.startswith(symbol.name):
        rest = rest[len(symbol.name) :]
    rest = rest.lstrip()
    if rest[:1] in ("'", '"', "[", "#"):  # the spelling in the source differs
        rest = re.sub(r"""^(?:'[^']*'|"[^"]*"|\[[^\]]*\]|#[\w$]+)\s*""", "", rest)
    optional = "?" if rest.startswith("?") else ""
    rest = rest.removeprefix("?").lstrip()
    if rest[:1] in ("=", ":"):
        value = assignment(rest)
        rest = _FUNCTION.sub("", rest[value + 1 if value >= 0 else 1 :].lstrip(), count=1)
        rest = re.sub(r"^[\w$]+(?=[<(])", "", rest)
    return optional + rest


def _annotation(text: str) -> int:
    """Return the position of the colon before the type of a variable or property; -1 without an annotation."""
    value = assignment(text)
    pieces = split(text[: value if value >= 0 else len(text)], ":")
    return len(text[: text.index(pieces[0]) + len(pieces[0])]) if len(pieces) > 1 else -1


def _parts(kind: str, text: str) -> tuple[tuple[SignatureParameter, ...], str | None]:
    if kind in _VALUES:
        colon = text.find(":", _annotation(text)) if _annotation(text) >= 0 else -1
        return (), text[colon + 1 :].strip() if colon >= 0 else None
    if kind not in _WITH_PARTS:
        return (), None
    start = _parenthesis(text)
    if start < 0:
        return (), None
    end = closing(text, start)
    result = re.match(r"\s*(?::|=>|->)\s*(.+)", text[end + 1 :], re.DOTALL)
    return parameters_of(text[start + 1 : end]), result[1].strip() if result else None


def _parenthesis(text: str) -> int:
    """Return the position of the opening parenthesis of the parameters, after the type parameters."""
    angle, plain = text.find("<"), text.find("(")
    if 0 <= angle < plain:
        return text.find("(", closing(text, angle))
    return plain
