"""Signatures: the text of a declaration in one form for each kind, and its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...schema.records import Symbol
from ..source.signature_parts import (
    SignatureParameter,
    TypeParameter,
    assignment,
    closing,
    parameters_of,
    split,
    type_parameters_of,
)
from .subject import Analysis, Subject

#: Modifiers that a signature may show. All others are marks that the parser sets for its own use.
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
#: What is a part of something else is exported with it, not by itself.
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
#: What stands before the type parameters of a declaration.
_HEAD = re.compile(r"""(?:(?:class|interface|type)\s+)?(?:\[[^\]]*\]|'[^']*'|"[^"]*"|[\w$#.-]+)?\??\s*""")
_NAME = re.compile(r"(?:const|let|var|using)?\s*")


@dataclass(frozen=True, slots=True)
class DeclarationSignature:
    """The signature of one declaration."""

    symbol: Symbol
    #: `name<T>(value: T): Result`, `class A<T> extends B`, `const name: Type` …
    signature: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[TypeParameter, ...]
    #: Of what can be called, else empty.
    parameters: tuple[SignatureParameter, ...]
    #: The written type of the result, of a getter its type, of a variable or property its own; None where none is written.
    type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureInfo(Analysis):
    """Signatures of a symbol, one for each of its declarations."""

    subject: Subject
    declarations: tuple[DeclarationSignature, ...] = ()

    @property
    def signature(self) -> str:
        """That of the main declaration; "" when there is none."""
        return self.declarations[0].signature if self.declarations else ""

    @property
    def modifiers(self) -> tuple[str, ...]:
        """Those of the main declaration."""
        return self.declarations[0].modifiers if self.declarations else ()

    def lines(self) -> list[str]:
        """A line of modifiers and one of the signature for each declaration."""
        return [f"  {' '.join([*found.modifiers, found.symbol.kind])}: {found.signature}" for found in self.declarations]


def signature_of(subject: Subject) -> SignatureInfo:
    """The signatures of a symbol's declarations."""
    return SignatureInfo(
        subject=subject,
        nothing=subject.nothing,
        declarations=tuple(declaration_signature(symbol) for symbol in subject.declarations),
    )


def declaration_signature(symbol: Symbol) -> DeclarationSignature:
    """The signature of one declaration, from its header as it was indexed."""
    text = _written(symbol)
    parameters, type = _parts(symbol.kind, text)
    return DeclarationSignature(symbol, text, modifiers_of(symbol), type_parameters(text), parameters, type)


def modifiers_of(symbol: Symbol) -> tuple[str, ...]:
    """Keyword modifiers in source order, behind "exported" for what the module or namespace exports by itself."""
    exported = symbol.exported and symbol.kind not in _PARTS
    written = [modifier for modifier in symbol.modifiers if modifier in _SHOWN and modifier != "exported"]
    return ("exported", *written) if exported else tuple(written)


def type_parameters(signature: str) -> tuple[TypeParameter, ...]:
    """The type parameters of a signature: those behind its name."""
    head = _HEAD.match(signature)
    start = head.end() if head else 0
    if signature[start : start + 1] != "<":
        return ()
    return type_parameters_of(signature[start + 1 : closing(signature, start)])


def _written(symbol: Symbol) -> str:
    text = symbol.signature
    if symbol.kind in _CALLABLE:
        return f"{symbol.name}{_callable_part(symbol, text)}".replace(",>(", ">(") if "(" in text else text
    text = _KEYWORDS.sub("", text, count=1) if _KEYWORDS.match(text) else text
    if symbol.kind in ("const", "variable") and not re.match(r"(const|let|var|using|await)\b", text):
        text = f"{'const' if symbol.kind == 'const' else 'let'} {text}"
    if symbol.kind in ("const", "variable", "property"):
        colon = _annotation(text)
        value = assignment(text, colon + 1) if colon >= 0 else -1
        return text[:value].rstrip() if value >= 0 else text
    return text


def _callable_part(symbol: Symbol, text: str) -> str:
    """Type parameters, parameters and result of a function, however it is declared."""
    rest = _KEYWORDS.sub("", text, count=1) if _KEYWORDS.match(text) else text
    rest = _NAME.sub("", rest, count=1)
    rest = _FUNCTION.sub("", rest, count=1) if not rest.startswith(symbol.name) else rest
    if symbol.name and rest.startswith(symbol.name):
        rest = rest[len(symbol.name) :]
    rest = rest.lstrip()
    if rest[:1] in ("'", '"', "[", "#"):  # a name that is written otherwise than it is called
        rest = re.sub(r"""^(?:'[^']*'|"[^"]*"|\[[^\]]*\]|#[\w$]+)\s*""", "", rest)
    optional = "?" if rest.startswith("?") else ""
    rest = rest.removeprefix("?").lstrip()
    if rest[:1] in ("=", ":"):
        value = assignment(rest)
        rest = _FUNCTION.sub("", rest[value + 1 if value >= 0 else 1 :].lstrip(), count=1)
        rest = re.sub(r"^[\w$]+(?=[<(])", "", rest)
    return optional + rest


def _annotation(text: str) -> int:
    """Place of the colon before a variable's or property's type; -1 where none is written."""
    value = assignment(text)
    pieces = split(text[: value if value >= 0 else len(text)], ":")
    return len(text[: text.index(pieces[0]) + len(pieces[0])]) if len(pieces) > 1 else -1


def _parts(kind: str, text: str) -> tuple[tuple[SignatureParameter, ...], str | None]:
    if kind in ("const", "variable", "property"):
        colon = text.find(":", _annotation(text)) if _annotation(text) >= 0 else -1
        return (), text[colon + 1 :].strip() if colon >= 0 else None
    if kind not in _CALLABLE | {"constructor", "getter", "setter", "callSignature", "constructSignature"}:
        return (), None
    start = _parenthesis(text)
    if start < 0:
        return (), None
    end = closing(text, start)
    result = re.match(r"\s*(?::|=>)\s*(.+)", text[end + 1 :], re.DOTALL)
    return parameters_of(text[start + 1 : end]), result[1].strip() if result else None


def _parenthesis(text: str) -> int:
    """Place of the parenthesis that opens the parameters: behind the type parameters."""
    angle, plain = text.find("<"), text.find("(")
    if 0 <= angle < plain:
        return text.find("(", closing(text, angle))
    return plain
