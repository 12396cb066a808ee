"""Which files of a Debian package are read, and the paths that they have in a checkout of their project."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.retrieval.ranking.ranker.features import is_example
from astrolabe.schema.languages import is_document_path, language_of

#: Languages that are read together: a package is read in those that most of its files have, so that neither what binds a library
#: to another language nor the scripts that build it stand for it. By what a registry's packages were chosen for.
_TOGETHER = {
    "debian": [{"go"}, {"rust"}, {"python"}, {"ruby"}, {"php"}, {"lua"}],
    "debian-source": [{"c", "cpp"}, {"java", "kotlin", "scala"}, {"csharp"}],
}
_MIN_BYTES, _MAX_BYTES = 80, 300_000

#: Where binary packages have the root of a checkout. Paths of Go begin with a host, mostly followed by owner and project.
_ROOTS = re.compile(
    r"usr/share/gocode/src/(?:(?:git|bitbucket|codeberg)[^/]*/[^/]+/[^/]+|[^/]+/x/[^/]+|[^/]+/[^/]+)/"
    r"|usr/share/cargo/registry/[^/]+/|usr/lib/python3/dist-packages/|usr/lib/ruby/vendor_ruby/|usr/share/php/"
    r"|usr/share/lua/[\d.]+/|usr/share/rubygems-integration/[^/]+/gems/[^/]+/"
)
#: Copies of other projects, what is no part of a library, and generated code.
_NOT_OWN = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[_-]?party|thirdparty|3rdparty|external|extern|deps|node_modules|dist|fuzz|benches"
    r"|benchmarks?|fixtures?|website|examples?|_examples|samples?|demos?|testing|testdata|contrib|Godeps|debian|mocks?)(?:/|$)"
    r"|(?:^|/)(?:setup|conf|version|_version|versioneer|build)\.(?:py|rs)$"
    r"|\.pb(?:\.gw)?\.go$|_pb2(?:_grpc)?\.py$|zz_generated|\.gen\.go$|_string\.go$|bindings?\.rs$|\.designer\.cs$|\.g\.cs$|/ffi/",
    re.IGNORECASE,
)
#: Packages contain copies of these projects, which search is measured on, so that nothing may be learnt from them.
_MEASURED_ON = re.compile(
    r"(?:^|/)(?:scrapy|httpx|httpcore|celery|kombu|billiard|vine|amqp|bbolt|boltdb|caddy|certmagic|asynq|flask|click|aiohttp"
    r"|_?pytest|marshmallow|django|fastapi|starlette|requests|pydantic|urllib3|jsoup|mybatis|gin-gonic|logrus|cobra|viper)/",
    re.IGNORECASE,
)


def installed_path(inside: str) -> str:
    """The path in a checkout of a file that a binary package installs; "" for what is no source of a library."""
    found = _ROOTS.match(inside)
    if not found:
        return ""
    short = inside[found.end() :]
    return f"lib/{short}" if found[0] == "usr/lib/ruby/vendor_ruby/" else short


def is_read(path: str, size: int) -> bool:
    """Whether a file of so many bytes is one of a project's own sources, going by its path."""
    if not _MIN_BYTES <= size <= _MAX_BYTES or language_of(path) is None or is_document_path(path) or ".." in path.split("/"):
        return False
    return not (is_test_path(path) or is_example(path) or _NOT_OWN.search(path) or _MEASURED_ON.search(path))


def in_main_languages(registry: str, paths: Iterable[str]) -> list[str]:
    """The paths in the languages that most of them have, of those that a registry's packages are read for."""
    languages = {path: language_of(path) for path in paths}
    counts = Counter(languages.values())
    main = max(_TOGETHER[registry], key=lambda together: sum(counts[language] for language in together))
    return [path for path, language in languages.items() if language in main]
