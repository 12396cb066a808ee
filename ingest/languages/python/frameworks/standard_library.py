"""Parts of Python's standard library that call methods by name, such as `ast.NodeVisitor`, and similar tools."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, names

_TEST = names(r"test\w*|setUp\w*|tearDown\w*|asyncSetUp|asyncTearDown|runTest|shortDescription|id|run|countTestCases|addCleanup")

UNITTEST = Framework(
    "unittest",
    ("unittest", "unittest2", "twisted", "testtools", "absl", "tornado", "aiohttp", "nose", "asynctest"),
    {},
    (Bases(names(r"\w*TestCase"), "test", _TEST), Bases(names(r"\w*TestResult|\w*TestRunner"), "", names(r"[a-z]\w+"))),
)

PYTHON = Framework(
    "Python",
    (
        "http",
        "html",
        "ast",
        "json",
        "logging",
        "threading",
        "argparse",
        "cmd",
        "asyncio",
        "socketserver",
        "multiprocessing",
        "code",
        "string",
        "functools",
        "atexit",
        "contextlib",
        "enum",
        "pickle",
        "configparser",
        "xml",
        "optparse",
        "setuptools",
        "distutils",
        "pluggy",
        "hatchling",
        "libcst",
        "lark",
        "docutils",
        "sphinx",
        "importlib",
        "smtpd",
        "email",
        "zope",
        "selectors",
        "io",
        "codecs",
        "tokenize",
        "pdb",
        "bdb",
        "trace",
        "doctest",
        "queue",
        "concurrent",
        "signal",
        "pydoc",
    ),
    {
        "handler": names(r"singledispatch(?:method)?\(\)\.register | register | HookimplMarker\(\) | hookimpl"),
    },
    (
        Bases(
            names("BaseHTTPRequestHandler|SimpleHTTPRequestHandler"),
            "",
            names(
                r"do_\w+|log_\w+|handle\w*|address_string|version_string|send_error|end_headers|finish|setup|server_version|sys_version|protocol_version"
            ),
        ),
        Bases(
            names(r"HTMLParser|ContentHandler|XMLParser|ErrorHandler|LexicalHandler"),
            "",
            names(r"handle_\w+|unknown_decl|error|start\w*|end\w*|characters|data|close|comment|pi|\w+"),
        ),
        Bases(
            names(r"NodeVisitor|NodeTransformer|CSTTransformer|CSTVisitor|\w*NodeVisitor|Transformer|Visitor|Interpreter"),
            "",
            names(r"\w+"),
        ),
        Bases(names(r"JSONEncoder|JSONDecoder"), "", names("default|iterencode|encode|decode")),
        Bases(
            names(r"\w*Handler|Formatter|LogRecord|Logger|LoggerAdapter|Filter"),
            "",
            names(
                r"emit|format\w*|filter|handle\w*|close|flush|process|makeRecord|findCaller|finish|setup|createLock|shouldRollover|doRollover|get_value|get_field|convert_field|check_unused_args|error|add_\w+|start_section|end_section"
            ),
        ),
        Bases(names(r"Thread|Process|Timer"), "", names("run|join|start|terminate")),
        Bases(
            names(r"\w*Formatter|ArgumentParser|OptionParser|Action|Option|\w*HelpFormatter"),
            "",
            names(r"format_\w+|error|exit|parse_\w+|print_\w+|convert_arg_line_to_args|_\w+|take_action|check_\w+|get_\w+"),
        ),
        Bases(
            names("Cmd|Pdb|Bdb|InteractiveConsole|InteractiveInterpreter"),
            "",
            names(r"do_\w+|help_\w+|complete_\w+|default|emptyline|precmd|postcmd|preloop|postloop|onecmd|user_\w+|\w+"),
        ),
        Bases(names(r"\w*Protocol|AbstractEventLoopPolicy|\w*Transport"), "", names(r"\w+")),
        Bases(
            names(r"\w*Server|\w*TCPServer|StreamRequestHandler|BaseRequestHandler"),
            "",
            names(
                r"handle\w*|finish\w*|process_\w+|server_\w+|service_actions|verify_request|get_request|shutdown_request|close_request|setup"
            ),
        ),
        Bases(
            names(
                r"Command|build_ext|build_py|sdist|install|develop|egg_info|test|BuildHookInterface|bdist_wheel|MetadataHookInterface"
            ),
            "hook",
            names(r"run|initialize\w*|finalize\w*|build_\w+|user_options|boolean_options|get_\w+|make_\w+|update|clean"),
        ),
        Bases(
            names(
                r"Directive|SphinxDirective|Builder|Domain|Transform|Documenter|\w*Translator|\w*Documenter|SphinxRole|Autodoc\w*|ObjectDescription"
            ),
            "",
            names(r"\w+"),
        ),
        Bases(names(r"Enum|IntEnum|StrEnum|Flag|IntFlag|EnumMeta|EnumType"), "", names(r"_generate_next_value_|_missing_|_\w+_")),
        Bases(
            names(r"Loader|MetaPathFinder|PathEntryFinder|\w*Importer|\w*Finder|SourceLoader|FileLoader"),
            "",
            names(
                r"find_\w+|load_module|exec_module|create_module|get_\w+|is_package|invalidate_caches|module_repr|path_stats|set_data"
            ),
        ),
        Bases(
            names(r"Unpickler|Pickler|Incremental\w+|Codec|Stream\w+"),
            "",
            names(r"find_class|persistent_\w+|reducer_override|encode|decode|reset|getstate|setstate"),
        ),
        Bases(
            names(r"IOBase|RawIOBase|TextIOBase|BufferedIOBase|TextIOWrapper|BytesIO|StringIO|BufferedReader"),
            "",
            names(r"read\w*|write\w*|seek\w*|tell|close|flush|fileno|isatty|truncate|detach|peek|getvalue"),
        ),
        Bases(names(r"\w*ConfigParser|RawConfigParser"), "", names(r"optionxform|get|_\w+")),
        Bases(names(r"\w*Executor|Future"), "", names(r"submit|shutdown|map|result|cancel")),
    ),
    (
        Calls(names("register|signal|add_signal_handler"), "handler"),
        Calls(names("Thread|Process|Timer"), "task"),
        Calls(names("setup"), "entry point"),
        # `parser.set_defaults(run=add)`: the program calls `args.run()` after the command of the parser was given.
        Calls(names(r"(?:\w+\(\)\.)+set_defaults"), "command"),
    ),
)
