"""Convert the function name of a frame to the name in the source: without packages, arguments, closures and mangling."""

from __future__ import annotations

import re

#: Names that runtimes print for code without a name.
_UNNAMED = frozenset(
    (
        "<module>",
        "<lambda>",
        "<listcomp>",
        "<dictcomp>",
        "<setcomp>",
        "<genexpr>",
        "<anonymous>",
        "anonymous",
        "<main>",
        "<clinit>",
        "<cfunc>",
        "{main}",
        "{closure}",
        "{{closure}}",
        "Anonymous",
    )
)
#: `Foo.bar [as baz]` of V8, `foo (arguments)` and `[T]` of other runtimes.
_ALIAS = re.compile(r" \[as [^\]]*\]$")
_TYPE_ARGUMENTS = re.compile(r"\[[^\][]*\]|<[^<>]*>(?=::|$)")
_GO_CLOSURE = re.compile(r"\.func\d+(?:\.\d+)*$|-fm$|\.gowrap\d+$")
_RUST_HASH = re.compile(r"::h[0-9a-f]{16}$")
_CSHARP_STATE_MACHINE = re.compile(r"<(\w+)>[dbg]__[\w.|]*$")
_JVM_LAMBDA = re.compile(r"lambda\$(\w+)\$\d+$")
_JVM_SYNTHETIC = re.compile(r"\$(?:\d+|default|\$\w*)(?=$|\.)")
_RUBY_BLOCK = re.compile(r"^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+")
_WORD = re.compile(r"[A-Za-z_$][\w$]*[?!=]?")
_PREFIXES = ("async ", "new ", "function ", "method ", "local ", "field ", "upvalue ", "created by ")


def names_of(function: str) -> tuple[str, ...]:
    """Return the last two names of a function's name in a trace; an empty tuple for code without a name."""
    written = _ALIAS.sub("", function.strip().strip("'`\"<>" if function.strip()[:1] in "'`\"" else ""))
    for prefix in _PREFIXES:
        written = written.removeprefix(prefix)
    written = _RUBY_BLOCK.sub("", written)
    if (
        written in _UNNAMED
        or written == "main chunk"
        or written.startswith(("<top ", "<class:", "<module:"))
        or written.endswith(".<anonymous>")
    ):
        return ()
    written = _without_arguments(written).rpartition("/")[2]
    if machine := _CSHARP_STATE_MACHINE.search(written):
        owner = written[: machine.start()].rstrip(".+").replace("+", ".")
        return _last([*_WORD.findall(owner.rpartition(".")[2])[-1:], machine[1]])
    written = _GO_CLOSURE.sub("", _RUST_HASH.sub("", written)).replace("(*", "").replace(")", "")
    if written.startswith("<") and " as " in written:  # `<T as Trait>::method` of Rust
        subject, _, rest = written[1:].partition(" as ")
        written = f"{subject}::{rest.rpartition('>::')[2]}"
    written = _JVM_SYNTHETIC.sub("", _JVM_LAMBDA.sub(r"\1", written))
    written = _TYPE_ARGUMENTS.sub("", written)
    parts = [part for part in re.split(r"::|->|[.#\\:]|(?<=\w)\$(?=[A-Z])", written) if part and part not in _UNNAMED]
    if parts and parts[-1] in ("<init>", "ctor", "cctor"):
        parts.pop()
    found = [word[0] for part in parts if (word := _WORD.match(part.strip("<>{}'` ")))]
    return _last(found)


def _without_arguments(written: str) -> str:
    """Return a function without its list of arguments; a receiver in parentheses such as `(*T)` stays."""
    if not written.endswith(")"):
        return written
    depth = 0
    for place in range(len(written) - 1, -1, -1):
        depth += (written[place] == ")") - (written[place] == "(")
        if depth == 0:
            return written[:place] or written
    return written


def _last(names: list[str]) -> tuple[str, ...]:
    kept = [name for name in names if name not in ("Object", "exports", "module", "prototype", "Module", "window", "globalThis")]
    return tuple((kept or names)[-2:]) if names and names[-1] not in ("Object",) else ()
