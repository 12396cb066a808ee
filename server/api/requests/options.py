"""Errors for unknown options of methods of the Python API."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def names_nearest_option(method: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Make a method suggest the nearest option for an unknown option.

    The decorated method raises a TypeError with the nearest option, or with all options if none is near. Python 3.11 only says
    that the keyword is unexpected.
    """
    options = [name for name in inspect.signature(method).parameters if name != "self"]

    @wraps(method)
    def checked(*positional: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        for name in keywords:
            if name not in options:
                near = get_close_matches(name, options, 1)
                advice = f"Did you mean `{near[0]}`?" if near else f"Its options are {', '.join(options)}."
                raise TypeError(f"{method.__name__}() has no option `{name}`. {advice}")
        return method(*positional, **keywords)

    return checked
