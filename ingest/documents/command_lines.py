"""Commands in documents, in spans of code and in blocks for a shell: the program, its commands and flags, and settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from .sections import CodeBlock, Reference

#: Languages of blocks with commands.
_SHELLS: Final = frozenset(
    (
        "sh",
        "bash",
        "shell",
        "console",
        "zsh",
        "shell-session",
        "shellsession",
        "terminal",
        "cmd",
        "powershell",
        "ps1",
        "dotenv",
        "env",
    )
)
#: Languages of blocks in which a `#` at the beginning of a line is the prompt of the superuser, and not a comment.
_SESSIONS: Final = frozenset(("console", "shell-session", "shellsession", "terminal"))
#: Languages of blocks with settings, the form of a reference to such a setting, and a line with a key and perhaps a value.
_KEYED: Final = frozenset(("properties", "yaml", "yml"))
VALUE_OF_SETTING: Final = "setting"
_KEY: Final = re.compile(r"(?P<indent>[ ]{0,80})(?P<key>[A-Za-z][\w.-]{0,80})[ \t]{0,8}[:=](?P<value>[ \t]*[^\s#])?")
#: A command without a prompt, in a block without a language, and the maximum number of such commands.
_PLAIN_COMMAND: Final = re.compile(r"(?P<program>[a-z][\w-]{1,40})[ \t]+(?![=:(\[{])[\w./<>{}\"'$-]")
_MAX_COMMANDS: Final = 12
#: Maximum number of keys around a key.
_MAX_KEYS: Final = 12
#: Languages of blocks that may contain commands after a prompt.
_UNNAMED: Final = frozenset(
    ("", "text", "txt", "none", "plain", "plaintext", "help", "help-message", "help-text", "usage", "output")
)
_PROMPT: Final = re.compile(r"[ \t]*(?:\(\w[\w.-]*\)[ \t]*)?(?:[\w.@~/:-]{0,40}[$%#][ \t]+|PS[^>\n]*>[ \t]*)")
_SEPARATOR: Final = re.compile(r"&&|\|\|?|;")
_COMMENT: Final = re.compile(r"(?:^|[ \t])#.*")
_ASSIGNMENT: Final = re.compile(r"(?:export[ \t]+|set[ \t]+|\$env:)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]?=")
_SETTING: Final = re.compile(r"\$?\{?(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\}?(?:=\S*)?$")
_DOTTED: Final = re.compile(r"(?P<name>[a-z][\w-]*(?:[.:][A-Za-z][\w-]*)+)(?:[ \t]*[=:][ \t]*\S.*)?$")
#: A flag with two dashes, or a flag of several letters with one dash, which programs of Go and Java have.
_FLAG: Final = re.compile(r"(?<![\w-])--?(?P<name>(?<=--)[A-Za-z][\w.-]*|[a-z][\w-]*\w)")
#: The commands of Go that name a package, and the package with its version.
_OF_GO: Final = frozenset(("install", "get", "run"))
_GO_PACKAGE: Final = re.compile(r"(?P<path>[\w.-]+(?:/[\w.~-]+)+)(?:@\S+)?")
#: A line of a help text: the flags, then what they do.
_HELP: Final = re.compile(r"[ \t]*(?P<flags>--?[A-Za-z](?:[^\s]|[ ](?![ \t])){1,100})(?:[ \t]{2}|\t|[ \t]*$)")
#: The variable that sets a flag, in the line of a help text: `[env: SHOP_PORT=]`.
_SETTING_OF_HELP: Final = re.compile(r"\[env(?: var)?: ?\$?(?P<name>[A-Z][A-Z0-9_]+)")
_COMMAND: Final = re.compile(r"[a-z][\w:-]*$")
_WORD: Final = re.compile(r"[\w./:@-]+$")
#: Words that run the program in the next word.
_RUNNERS: Final = frozenset((
    ("sudo",), ("time",), ("exec",), ("npx",), ("bunx",), ("uvx",), ("pipx", "run"), ("uv", "run"), ("poetry", "run"),
    ("pdm", "run"), ("hatch", "run"), ("pipenv", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "dlx"),
    ("python", "-m"), ("python3", "-m"), ("winpty",),
))  # fmt: skip
#: Programs that run the source file in the next word.
_INTERPRETERS: Final = frozenset(
    ("bash", "sh", "zsh", "node", "python", "python3", "ruby", "php", "deno", "bun", "tsx", "ts-node")
)
_SCRIPT_FILE: Final = re.compile(r"[\w./-]+\.\w+$")
_SCRIPT_RUNNERS: Final = frozenset(("npm", "pnpm", "yarn", "bun", "make"))
#: Commands that run a program in a container, those of Compose first, and their flags that have no value.
_CONTAINERS: Final = (("docker", "compose", "run"), ("docker", "compose", "exec"), ("docker", "run"), ("podman", "run"))
_WITHOUT_VALUE: Final = frozenset(
    ("--rm", "--init", "--privileged", "--detach", "-d", "-i", "-t", "-it", "-ti", "-dit", "-itd", "-T")
)
#: Flags that pass a variable to a container, and the variable.
_ENVIRONMENT: Final = frozenset(("-e", "--env"))
_PASSED: Final = re.compile(r"([A-Z][A-Z0-9_]*)(?:=|$)")
#: Maximum number of characters of a line that are read.
_MAX_LINE: Final = 400
#: Maximum number of words of a command that are read.
_MAX_WORDS: Final = 40


class CommandLine(NamedTuple):
    """One command of a line."""

    #: Name of the program; "" if the line only sets variables.
    program: str
    #: The words after the program, without flags, up to the first word that is not a name.
    words: tuple[str, ...]
    #: With the dashes that the line has.
    flags: tuple[str, ...]
    #: The variables that the line sets.
    settings: tuple[str, ...]
    #: Number of flags before the first word that is not a name. Later flags may belong to another program, which this program
    #: runs.
    leading_flags: int = 0
    #: The script of a package that the line runs, such as `build` of `npm run build`, or the target of `make`; "" for none.
    script: str = ""
    #: The path of the package of Go that the line installs or runs; "" for none.
    package: str = ""


def shell_references(blocks: Iterable[CodeBlock]) -> Iterator[Reference]:
    """Yield the lines with commands in the blocks of a document; a command may have several lines."""
    for block in blocks:
        language = block.language.lower()
        if language in _KEYED:
            yield from _keys(block)
            continue
        if language not in _SHELLS and language not in _UNNAMED:
            continue
        lines = block.text.split("\n")
        is_session = language in _SESSIONS
        has_prompts = any(_PROMPT.match(line) and (is_session or not line.lstrip().startswith("#")) for line in lines)
        is_plain = language in _UNNAMED and not has_prompts and _has_one_program(lines)
        place = 0
        while place < len(lines):
            first = place
            text = lines[place].rstrip("\r")
            while text.endswith(("\\", "`")) and place + 1 < len(lines) and len(text) < _MAX_LINE:
                place += 1
                text = f"{text[:-1].rstrip()} {lines[place].strip()}"
            place += 1
            if (helped := _HELP.match(text)) is not None:
                yield Reference("code", helped["flags"], block.line + first, helped.start("flags") + 1)
                for setting in _SETTING_OF_HELP.finditer(text):
                    yield Reference("code", setting["name"], block.line + first, setting.start("name") + 1)
                continue
            if has_prompts:
                prompt = _PROMPT.match(text)
                text = text[prompt.end() :] if prompt is not None else ""
            elif language in _UNNAMED and not is_plain:
                continue
            text = _COMMENT.sub("", text).strip()
            if text:
                yield Reference("shell", text[:_MAX_LINE], block.line + first, 1)


def _has_one_program(lines: Sequence[str]) -> bool:
    """Return whether all lines of a block without a language, apart from comments, are commands of one program."""
    written = [line for line in lines if line.strip() and not line.startswith("#")]
    programs = {found["program"] if (found := _PLAIN_COMMAND.match(line)) is not None else "" for line in written}
    return len(programs) == 1 and "" not in programs and len(written) <= _MAX_COMMANDS


def _keys(block: CodeBlock) -> Iterator[Reference]:
    """Yield the keys with values in a block of properties or YAML, each with the keys around it: `server.port`."""
    around: list[tuple[int, str]] = []
    for place, line in enumerate(block.text.split("\n")):
        found = _KEY.match(line[:_MAX_LINE])
        if found is None:
            continue
        indent = found.end("indent")
        while around and around[-1][0] >= indent:
            around.pop()
        around = [*around[-_MAX_KEYS:], (indent, found["key"])]
        name = ".".join(key for _, key in around)
        if found["value"] and "." in name:
            yield Reference(VALUE_OF_SETTING, name, block.line + place, indent + 1)


def command_lines(text: str) -> Iterator[CommandLine]:
    """Yield the commands of a line."""
    for part in _SEPARATOR.split(text[:_MAX_LINE]):
        found = _read(part.split()[:_MAX_WORDS])
        if found is not None:
            yield found


def _read(words: list[str]) -> CommandLine | None:
    settings: list[str] = []
    while words and words[0] in ("export", "set", "env", "setx"):
        words = words[1:]
    while words and (assigned := _ASSIGNMENT.match(words[0])) is not None:
        settings.append(assigned["name"])
        words = words[1:]
    settings += [found[1] for word, value in pairwise(words) if word in _ENVIRONMENT and (found := _PASSED.match(value))]
    words = _without_runners(_in_container(words))
    if not words or _WORD.match(words[0]) is None:
        return CommandLine("", (), (), tuple(settings)) if settings else None
    program = words[0] if _SCRIPT_FILE.match(words[0]) is not None else words[0].rpartition("/")[2]
    rest = words[1:]
    if program in _SCRIPT_RUNNERS and rest:
        return CommandLine(program, (), (), tuple(settings), 0, _script(program, rest))
    if program == "go" and rest and rest[0] in _OF_GO:
        packages = (_GO_PACKAGE.fullmatch(word) for word in rest[1:])
        package = next((each["path"] for each in packages if each is not None), "")
        return CommandLine(program, (), (), tuple(settings), package=package)
    names: list[str] = []
    flags: list[str] = []
    leading = 0
    is_leading = True
    for word in rest:
        if word == "--":
            break
        flag = _FLAG.match(word)
        if flag is not None:
            flags.append(flag[0].rstrip(".-"))
            leading += is_leading
        elif not flags and is_leading and _COMMAND.match(word):
            names.append(word)
        elif not word.startswith("-"):
            is_leading = False
    return CommandLine(program, tuple(names), tuple(flags), tuple(settings), leading)


def _in_container(words: list[str]) -> list[str]:
    """Return what a container of Docker runs: `docker run --rm -v .:/shop example/shop:2 serve` -> `shop serve`.

    The image is the program, which its entry point is. A service of Compose needs the whole command.
    """
    for start in _CONTAINERS:
        if tuple(words[: len(start)]) != start:
            continue
        rest = words[len(start) :]
        while rest and rest[0].startswith("-"):
            rest = rest[1 if rest[0] in _WITHOUT_VALUE or "=" in rest[0] else 2 :]
        if len(start) == len(_CONTAINERS[0]):
            return rest[1:]
        return [rest[0].rpartition("/")[2].partition(":")[0], *rest[1:]] if rest else rest
    return words


def _without_runners(words: list[str]) -> list[str]:
    """Return the words of a command that begin with its program: `sudo uv run shop` -> `shop`.

    A source file that an interpreter runs is the program itself.
    """
    if len(words) > 1 and words[0] in _INTERPRETERS and _SCRIPT_FILE.match(words[1]) is not None:
        return words[1:]
    for length in (1, 2):
        if tuple(words[:length]) in _RUNNERS and len(words) > length:
            return _without_runners(words[length:])
    return words


def _script(program: str, words: Sequence[str]) -> str:
    """Return the script or target that a program such as npm or make runs; "" for other commands of the program."""
    if words[0] in ("run", "run-script"):
        return words[1] if len(words) > 1 else ""
    is_script = program not in ("npm", "bun") or words[0] in ("test", "start")
    return words[0] if is_script else ""


def setting_of(text: str) -> str:
    """Return the name of a setting in a span such as `SHOP_PORT`, `$SHOP_PORT`, `SHOP_PORT=80` or `server.port`; else ""."""
    text = text.strip()
    found = _SETTING.match(text) or _DOTTED.match(text)
    return found["name"] if found is not None else ""


def declared_flag(written: str) -> str:
    """Return a flag as code declares it, with two dashes: `-port` of a program of Go is `--port`."""
    return f"--{written.lstrip('-')}"


def flags_of(text: str) -> tuple[str, ...]:
    """Return the flags in a span of code that begins with a flag, such as `--port=80` or `-p, --port <number>`; else ()."""
    text = text.strip()
    if not text.startswith("-"):
        return ()
    return tuple(dict.fromkeys(f"--{each['name'].rstrip('.-')}" for each in _FLAG.finditer(text)))
