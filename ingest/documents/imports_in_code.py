"""Imports in the blocks of code of a document, by the forms that Python and JavaScript write them in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .outline import CodeBlock, Reference

#: Name of a language behind the fence -> extension of its files.
_EXTENSIONS: Final = {
    **dict.fromkeys(("python", "py", "python3", "pycon", "ipython"), ".py"),
    **dict.fromkeys(("ts", "typescript", "js", "javascript", "jsx", "tsx", "mjs", "vue", "svelte"), ".ts"),
}
_PROMPT: Final = re.compile(r"(?:>>>|\.\.\.) ?")
_FROM: Final = re.compile(r"[ \t]*from[ \t]+(?P<module>\.*[\w.]*)[ \t]+import[ \t]+\(?(?P<names>[\w \t,]*)")
_IMPORT: Final = re.compile(r"[ \t]*import[ \t]+(?P<modules>\w[\w. \t,]*)$")
_ES_IMPORT: Final = re.compile(
    r"[ \t]*(?:import|export)\b[ \t]*(?:type[ \t]+)?(?P<names>[\w$ \t,{}*]*?)[ \t]*(?:\bfrom\b)?[ \t]*"
    r"['\"](?P<module>[^'\"\n]+)['\"]"
)
_REQUIRE: Final = re.compile(r"(?P<names>[\w$ \t,{}:]*?)=[ \t]*require\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]")
_MAX_LINE: Final = 1_000


def imports_in(block: CodeBlock) -> Iterator[Reference]:
    """Yield the imports of a block of code; none for a language whose imports are not read."""
    extension = _EXTENSIONS.get(block.language.lower(), "")
    if not extension or not ("import" in block.text or "require" in block.text):
        return
    read = _python_imports if extension == ".py" else _script_imports
    for number, line in enumerate(block.text.split("\n"), block.line):
        if len(line) <= _MAX_LINE:
            yield from read(line.rstrip("\r"), number, extension)


def _python_imports(line: str, number: int, extension: str) -> Iterator[Reference]:
    prompt = _PROMPT.match(line)
    code = line[prompt.end() :] if prompt is not None else line
    code = code.partition("#")[0].rstrip()
    taken = _FROM.match(code)
    if taken is not None:
        yield Reference("import", taken["module"], number, 1, _names(taken["names"]), extension)
        return
    plain = _IMPORT.match(code)
    if plain is not None:
        for module in plain["modules"].split(","):
            named = module.split()
            if named:
                yield Reference("import", named[0], number, 1, (), extension)


def _script_imports(line: str, number: int, extension: str) -> Iterator[Reference]:
    found = _ES_IMPORT.match(line) or _REQUIRE.search(line)
    if found is None:
        return
    braced = found["names"].partition("{")[2].partition("}")[0]
    yield Reference("import", found["module"], number, 1, _names(braced), extension)


def _names(written: str) -> tuple[str, ...]:
    parts = (part.replace(":", " ").split() for part in written.split(","))
    return tuple(part[1] if part[0] == "type" and len(part) > 1 else part[0] for part in parts if part)
