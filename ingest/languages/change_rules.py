"""The demands of the compiler or the interpreter of a language on code that uses a changed declaration."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


class Receiver:
    """Whether the parameters of a method list the object that it is called on."""

    ABSENT: Final = 0
    #: The receiver is the first parameter, and no call passes it.
    FIRST: Final = 1
    #: The receiver is the first parameter, and calls on the class pass it.
    FIRST_OR_PASSED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRules:
    """The rules of a language for breakage."""

    #: Whether wrong numbers of arguments are refused, and a call with wrong arguments still leads to the function.
    counts_arguments: bool = False
    #: A value of `Receiver`.
    receiver: int = Receiver.ABSENT
    #: The decorators that leave the parameters of a function as they are; None if all decorators do.
    plain_decorators: frozenset[str] | None = None
    #: Whether `misfits` of the language's engine finds values and calls that do not fit a declaration.
    has_misfits: bool = False
    #: The bases and decorators of classes that demand members from other classes, as protocols and abstract classes of Python do.
    #: Empty for a language in which every class may demand members.
    demanding: frozenset[str] = frozenset()
    #: Whether a method cannot take the place of a field that holds no function, nor such a field the place of a method.
    has_distinct_fields: bool = False
    #: The mark of a method that must override another method; None for a language without such a mark.
    override_mark: re.Pattern[bytes] | None = None
