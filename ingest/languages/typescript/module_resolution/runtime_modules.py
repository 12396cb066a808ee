"""The built-in modules of JavaScript runtimes."""

from __future__ import annotations

_NODE_MODULE_NAMES = """
    assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
    dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix
    path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
    stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm
    wasi worker_threads zlib
"""
_NODE_MODULES = frozenset(_NODE_MODULE_NAMES.split())

#: Schemes of built-in modules. "node" is not listed, because `node:fs` and `fs` are the same module, `fs`.
_RUNTIME_SCHEMES = frozenset({"bun", "cloudflare", "deno", "electron", "workerd"})


def runtime_module(specifier: str) -> str | None:
    """Return the name of the built-in module of a specifier, or None: `node:fs` and `fs` -> `fs`.

    Node prefers its own modules to packages of the same name. A specifier with a trailing slash (`punycode/`) names the package.
    """
    if specifier in _NODE_MODULES:
        return specifier
    scheme, colon, name = specifier.partition(":")
    if not colon:
        return "bun" if specifier == "bun" else None
    if scheme == "node":
        return name
    return specifier if scheme in _RUNTIME_SCHEMES else None
