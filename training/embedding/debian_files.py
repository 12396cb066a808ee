"""Decide which files of a Debian package are read, and compute their paths in a checkout of the project."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.retrieval.ranking.ranker.features import is_example
from astrolabe.schema.languages import is_document_path, language_of

#: Groups of languages for each registry. Only the group with the most files of a package is read, so that bindings to other
#: languages and build scripts are left out.
_TOGETHER = {
    "debian": [{"go"}, {"rust"}, {"python"}, {"ruby"}, {"php"}, {"lua"}],
    "debian-source": [{"c", "cpp"}, {"java", "kotlin", "scala"}, {"csharp"}],
}
_MIN_BYTES, _MAX_BYTES = 80, 300_000

#: Folder of a binary package that corresponds to the root of a checkout. In Go, a host and mostly owner and project follow.
_ROOTS = re.compile(
    r"usr/share/gocode/src/(?:(?:git|bitbucket|codeberg)[^/]*/[^/]+/[^/]+|[^/]+/x/[^/]+|[^/]+/[^/]+)/"
    r"|usr/share/cargo/registry/[^/]+/|usr/lib/python3/dist-packages/|usr/lib/ruby/vendor_ruby/|usr/share/php/"
    r"|usr/share/lua/[\d.]+/|usr/share/rubygems-integration/[^/]+/gems/[^/]+/"
)
#: Paths of copies of other projects, of code that is no part of a library, and of generated code.
_NOT_OWN = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[_-]?party|thirdparty|3rdparty|external|extern|deps|node_modules|dist|fuzz|benches"
    r"|benchmarks?|fixtures?|website|examples?|_examples|samples?|demos?|testing|testdata|contrib|Godeps|debian|mocks?)(?:/|$)"
    r"|(?:^|/)(?:setup|conf|version|_version|versioneer|build)\.(?:py|rs)$"
    r"|\.pb(?:\.gw)?\.go$|_pb2(?:_grpc)?\.py$|zz_generated|\.gen\.go$|_string\.go$|bindings?\.rs$|\.designer\.cs$|\.g\.cs$|/ffi/",
    re.IGNORECASE,
)
#: Paths of copies of the projects on which search is measured, which must not be used for training.
_MEASURED_ON = re.compile(
    r"(?:^|/)(?:scrapy|httpx|httpcore|celery|kombu|billiard|vine|amqp|bbolt|boltdb|caddy|certmagic|asynq|flask|click|aiohttp"
    r"|_?pytest|marshmallow|django|fastapi|starlette|requests|pydantic|urllib3|jsoup|mybatis|gin-gonic|logrus|cobra|viper)/",
    re.IGNORECASE,
)


def installed_path(inside: str) -> str:
    """Return the path in a checkout for an installed file of a binary package; "" for a file outside of library folders."""
    found = _ROOTS.match(inside)
    if not found:
        return ""
    short = inside[found.end() :]
    return f"lib/{short}" if found[0] == "usr/lib/ruby/vendor_ruby/" else short


def is_read(path: str, size: int) -> bool:
    """Return whether a file is source of the project itself, according to its path and its size in bytes."""
    if not _MIN_BYTES <= size <= _MAX_BYTES or language_of(path) is None or is_document_path(path) or ".." in path.split("/"):
        return False
    return not (is_test_path(path) or is_example(path) or _NOT_OWN.search(path) or _MEASURED_ON.search(path))


def in_main_languages(registry: str, paths: Iterable[str]) -> list[str]:
    """Return the paths whose languages are in the registry's group with the most files."""
    languages = {path: language_of(path) for path in paths}
    counts = Counter(languages.values())
    main = max(_TOGETHER[registry], key=lambda together: sum(counts[language] for language in together))
    return [path for path, language in languages.items() if language in main]
