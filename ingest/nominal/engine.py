"""Computes the types of values lazily, and each type only once.

A question is a request for the type of an expression, a declaration or an annotation. A question that depends on itself is cut
off, and the number of steps is limited.
"""

from __future__ import annotations

import sys
from typing import Final

from ..facts.faults import fault_in
from ..facts.given import GivenLookup
from ..languages.typescript.resolve.model.unit import Unit
from . import declared_values, expressions, written_types
from .call_sites.read_parameters import MANY_READS, NO_READS, ReadParameters, Reads, joined_reads
from .overloading import answers
from .overloading.names import CORE, ImportTable
from .program import NominalProgram
from .stub_types import Named
from .types import (
    UNKNOWN,
    ClassInfo,
    ClassValue,
    Instance,
    Outside,
    Type,
    union,
)
from .wired_files import WiredFiles

#: Steps that the questions of one call site may take.
FUEL: Final = 30_000
#: Steps of one outermost question, after which the questions inside it that depend on each other are answered only once. In
#: celery, the largest number of steps is 1,300. Where all attributes of a class depend on each other, as in the console of
#: ranger, the number of steps would otherwise grow exponentially.
_PATIENCE: Final = 3_000
#: Steps in one file after which answers that lack what is too deep are kept for that file.
_PATIENCE_WITH_FILE: Final = 100_000
#: Maximum depth of questions inside questions. Calls in `django/db/models/query.py` reach a depth of 163. An answer that the
#: limit affects is not kept, because it depends on the outermost question. In compiled code, a question takes up to 1 KB of the
#: stack.
_MAX_DEPTH: Final = 300
#: Maximum depth of Python's call stack during a question if the engine is not compiled.
_DEEPEST_CALLS: Final = 12 * _MAX_DEPTH
#: Key of temporary answers that depend only on the limit of steps or of depth.
_STARVED: Final = -1
#: Number of kinds of questions.
_KINDS: Final = 7
#: A question as one number, because a tuple takes four times the memory. The lowest bits have the kind and the level, the bits
#: above them the index plus 1, and the highest bits the number of the file.
QuestionKey = int
_KIND_BITS: Final = 4


class _OpenAnswer:
    """An answer that depends on parameters whose types call sites may determine."""

    __slots__ = ("found", "reads")

    def __init__(self, found: Type, reads: Reads) -> None:
        self.found: Final = found
        self.reads: Final = reads


class _TemporaryAnswer:
    """An answer that was found while a question that it depends on was still open."""

    __slots__ = ("cut", "found", "reads")

    def __init__(self, found: Type, reads: Reads, cut: int) -> None:
        self.found: Final = found
        self.reads: Final = reads
        #: The open questions that the answer depends on, as bits.
        self.cut: Final = cut


class NominalEngine:
    """The types of one program."""

    def __init__(self, program: NominalProgram) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST_CALLS))
        self.program: Final = program
        self._has_overloads: Final = program.rules.has_overloads
        self.remaining_steps = FUEL
        #: The number of remaining steps at which the patience with the current outermost question ends.
        self._patient_until = 0
        #: Questions that failed, each with its file.
        self.faults: list[str] = []
        self._depth = 0
        #: Open questions, with the depth at which they began.
        self._open: dict[QuestionKey, int] = {}
        #: The open questions on which the current answer depends, as bits: bit `depth + 1` for the question at that depth. Bit 0
        #: is set if the limit of steps or of depth was reached. An answer is final only if no bit of another question is set.
        self._cut = 0
        #: The protocols with whose members the members of a type are being compared, with the type, in the current question.
        self.open_protocols: tuple[tuple[ClassInfo, Type], ...] = ()
        #: Temporary answers, and their keys by the depth of the innermost open question that an answer depends on. An answer is
        #: valid until that question ends. An answer that depends on a limit is valid until the outermost question ends, and so is
        #: each answer after the end of patience.
        self._temporary: dict[QuestionKey, _TemporaryAnswer] = {}
        self._passing_at: dict[int, list[QuestionKey]] = {}
        #: Within the current outermost question: the depth of the outermost question on which any temporary answer depends, and
        #: whether the limit of steps or of depth was reached.
        self._outermost_cut = _MAX_DEPTH
        self._is_starved = False
        #: Answers to outermost questions of circles after the end of patience, which are valid in one file: they depend on the
        #: order of the questions before them.
        self._heads_here: dict[QuestionKey, _OpenAnswer] = {}
        #: Steps of the outermost questions in the current file whose answers could not be kept.
        self._steps_here = 0
        self._known: dict[QuestionKey, Type] = {}
        #: Answers that depend on parameters whose types call sites may determine: without these types, and with them.
        self._unsure: dict[QuestionKey, _OpenAnswer] = {}
        self._inferred: dict[QuestionKey, _OpenAnswer] = {}
        #: Answers that depend on more parameters than are tracked: without these types, and with them. They are valid in one
        #: file.
        self._inferred_here: dict[QuestionKey, _OpenAnswer] = {}
        #: The file for which questions use inferred types, and the level of questions: 1 with inferred types, else 0.
        self._inferring: Unit | None = None
        self.level = 0
        #: Arguments of parameters from call sites, by path of the file that declares the parameters; None while they are not
        #: known.
        self.given: GivenLookup | None = None
        self.parameters: Final = ReadParameters()
        #: For each file, the paths of the files that declare the sources of its inferred types: parameters, and the types of
        #: their arguments. Dependencies of the declarations of a file follow from its imports.
        self.sources: dict[str, set[str]] = {}
        self._read: set[str] = set()
        self._noted: set[int] = set()
        #: The parameters that the current answer depends on, and whose types call sites may determine.
        self.reads: Reads = NO_READS
        #: For each file, the class and declaration of each function that a class body declares.
        self.home_tables: dict[int, dict[int, tuple[int, int]]] = {}
        #: For each file, the annotated result of the function around each `yield`.
        self.result_tables: dict[int, dict[int, int]] = {}
        #: For each file with a stub file, and for each stub file: its declarations by dotted name.
        self.named_tables: dict[int, Named] = {}
        #: For each file, the nodes of lambdas that are arguments, by function.
        self.lambda_tables: dict[int, dict[int, int]] = {}
        #: For each file, the names that its `__all__` lists.
        self.public_names: dict[int, frozenset[str] | None] = {}
        #: In languages with overloads: the imports of each file, the meaning of each type name in a file, and the names of
        #: nested types whose look-up has begun.
        self.import_tables: dict[int, ImportTable] = {}
        self.named_types: dict[tuple[int, int, str], Type] = {}
        self.open_names: set[tuple[int, str]] = set()
        #: In languages with overloads: the declaration of each type variable, whose bounds are read when they are needed.
        self.type_variables: dict[tuple[str, int], tuple[Unit, int]] = {}
        self._core: dict[str, Instance | None] = {}
        #: The files as the rules of frameworks see them.
        self.wired: Final = WiredFiles(self)

    def release(self) -> None:
        """Free the memory of the engine. The engine cannot be used afterwards.

        Types, files and the engine refer to each other in cycles, which only the garbage collector would find.
        """
        self.program.release()
        self.wired.release()
        self._known.clear()
        self._unsure.clear()
        self._inferred.clear()
        self._inferred_here.clear()
        self._heads_here.clear()
        self._temporary.clear()
        self._core.clear()
        self.named_types.clear()
        self.type_variables.clear()
        self.import_tables.clear()
        self.named_tables.clear()

    def begin_file(self) -> None:
        """Forget the answers that are valid in one file, so that the edges of a file do not depend on the files before it."""
        self._heads_here = {}
        self._steps_here = 0

    def refuel(self) -> None:
        """Reset the number of steps, for the questions of another call site."""
        self.remaining_steps = FUEL

    def begin_round(self, given: GivenLookup) -> None:
        """Begin another round of inference, in which parameters have other types."""
        before, self.given = self.given, given
        self.parameters.begin_round(given)
        self._inferring = None
        self.begin_file()
        differ = self.parameters.differ
        self._inferred = {key: answer for key, answer in self._inferred.items() if not differ(answer.reads, before)}

    def begin_inference(self, unit: Unit) -> None:
        """From now on, answer questions with the types that were inferred for a file."""
        if self._inferring is not unit:
            self._inferring = unit
            self._inferred_here = {}
            self._noted = set()
            self._read = self.sources.setdefault(unit.path, set())

    def enter_level(self, level: int) -> int:
        """From now on, answer questions at another level. Return the previous level."""
        before, self.level = self.level, level
        return before

    def read_parameter(self, unit: Unit, function: int, place: int) -> int:
        """Record that the current answer depends on the arguments of a parameter, and return the parameter's number."""
        number = self.parameters.number(unit, function, place)
        self._note(self.parameters.reads_of(number))
        return number

    def _note(self, reads: Reads) -> None:
        self.reads = joined_reads(self.reads, reads)
        if self.level and not self._noted.issuperset(reads):
            for number in reads:
                if number >= 0:
                    self._read.update(self.parameters.sources(number))
            self._noted.update(reads)

    def type_of(self, unit: Unit, node: int) -> Type:
        """Return the type of an expression."""
        return self._ask(0, unit, node) if node >= 0 else UNKNOWN

    def declared(self, unit: Unit, decl: int) -> Type:
        """Return the value of a declaration."""
        return self._ask(1, unit, decl)

    def binding(self, unit: Unit, binding: int) -> Type:
        """Return the values that a name may have anywhere in its scope."""
        return self._ask(2, unit, binding)

    def returned(self, unit: Unit, function: int) -> Type:
        """Return the result of a call of a function, before type variables are replaced."""
        return self._ask(3, unit, function)

    def annotation(self, unit: Unit, node: int) -> Type:
        """Return the type that an annotation means."""
        return self._ask(4, unit, node) if node >= 0 else UNKNOWN

    def selected(self, unit: Unit, call: int) -> Type:
        """Return the method or constructor that a call means, in a language with overloads."""
        return self._ask(5, unit, call)

    def expected(self, unit: Unit, node: int) -> Type:
        """Return the type that the context of an expression expects, in a language with overloads."""
        return self._ask(6, unit, node)

    def _ask(self, kind: int, unit: Unit, index: int) -> Type:
        key = unit.number + ((index + 1) << _KIND_BITS) + kind
        known = self._known.get(key)
        if known is not None:
            return known
        level = self.level
        asked = key + _KINDS * level
        answer = self._open_answer(key, asked, level)
        if answer is not None:
            self._note(answer.reads)
            return answer.found
        begun = self._open.get(asked)
        if begun is not None:
            self._cut |= 2 << begun
            self._outermost_cut = min(self._outermost_cut, begun)
            return UNKNOWN
        temporary = self._temporary.get(asked)
        if temporary is not None:
            self._cut |= temporary.cut
            self._note(temporary.reads)
            return temporary.found
        head = self._heads_here.get(asked)
        if head is not None:
            self._cut |= 1
            self._note(head.reads)
            return head.found
        self.remaining_steps -= 1
        if self.remaining_steps < 0 or self._depth >= _MAX_DEPTH:
            # The number of remaining steps depends on earlier questions, so the answers to all open questions are temporary.
            self._cut |= 1
            self._is_starved = True
            return UNKNOWN
        depth = self._depth
        if not depth:
            self._patient_until = self.remaining_steps - _PATIENCE
            self._outermost_cut, self._is_starved = _MAX_DEPTH, False
        self._open[asked] = depth
        self._depth += 1
        reads, self.reads = self.reads, NO_READS
        outer, self._cut = self._cut, 0
        protocols, self.open_protocols = self.open_protocols, ()
        try:
            if self._has_overloads and kind not in (2, 3):
                found = answers.answer(self, kind, unit, index)
            elif kind == 0:
                found = expressions.expression_type(self, unit, index)
            elif kind == 1:
                found = declared_values.declared_value(self, unit, index)
            elif kind == 2:
                found = declared_values.bound_value(self, unit, index)
            elif kind == 3:
                found = declared_values.returned_value(self, unit, index)
            else:
                found = written_types.annotated_type(self, unit, index)
        except Exception as fault:  # noqa: BLE001 - a bug costs one answer, not the index, and is reported
            self.faults.append(fault_in(unit.path, fault))
            found = UNKNOWN
        finally:
            self._depth = depth
            self.level = level
            self.open_protocols = protocols
            del self._open[asked]
        if not self._cut:
            self._keep(key, asked, found)
            self._cut = outer
        else:
            self._cut = outer | self._end_circle(key, asked, found)
        self.reads = joined_reads(reads, self.reads)
        return found

    def _end_circle(self, key: QuestionKey, asked: QuestionKey, found: Type) -> int:
        """Keep an answer that depends on open questions. Return the questions among these that are still open, as bits."""
        depth = self._depth
        cut = self._cut & ((2 << depth) - 1)  # without the answered question
        if not cut:
            self._keep(key, asked, found)
        elif cut == 1 and depth <= self._outermost_cut and self._is_good_enough():
            self._heads_here[asked] = _OpenAnswer(found, self.reads)
            # Answers inside the circle lack the answer to this question.
            self._outermost_cut = _MAX_DEPTH
            for each in self._passing_at.pop(_STARVED, ()):
                del self._temporary[each]
        elif self.remaining_steps < self._patient_until:
            self._temporary[asked] = _TemporaryAnswer(found, self.reads, 1)
            self._passing_at.setdefault(_STARVED, []).append(asked)
            cut |= 1
        else:
            self._temporary[asked] = _TemporaryAnswer(found, self.reads, cut)
            self._passing_at.setdefault(cut.bit_length() - 2, []).append(asked)
        for each in self._passing_at.pop(depth, ()):
            del self._temporary[each]
        if not depth:
            self._steps_here += self._patient_until + _PATIENCE - self.remaining_steps
            for each in self._passing_at.pop(_STARVED, ()):
                del self._temporary[each]
        return cut

    def _is_good_enough(self) -> bool:
        """Return whether to keep an answer that depends on no open question, but on limits or on answers that were kept for them.

        What is only too deep may have a better answer if it is asked by itself.
        """
        return not self._is_starved or self._outermost_cut < _MAX_DEPTH or self._steps_here > _PATIENCE_WITH_FILE

    def _keep(self, key: QuestionKey, asked: QuestionKey, found: Type) -> None:
        """Keep an answer: for all levels, or for the current level."""
        if not self.reads:
            self._known[key] = found
        elif not self.level:
            self._unsure[asked] = _OpenAnswer(found, self.reads)
        elif self.reads is MANY_READS:
            self._inferred_here[asked] = _OpenAnswer(found, self.reads)
        else:
            self._inferred[asked] = _OpenAnswer(found, self.reads)

    def _open_answer(self, key: QuestionKey, asked: QuestionKey, level: int) -> _OpenAnswer | None:
        """Return a known answer that depends on parameters, or None.

        If call sites pass nothing to these parameters, the answer is the same with and without inferred types.
        """
        if not level:
            return self._unsure.get(asked)
        answer = self._inferred.get(asked) or self._inferred_here.get(asked)
        if answer is None:
            answer = self._unsure.get(key)
            if answer is not None and self.parameters.has_types(answer.reads):
                return None
        return answer

    def builtin_value(self, name: str) -> Type:
        unit = self.program.runtime("builtins")
        binding = unit.scopes[0].names.get(name) if unit is not None else None
        return self.binding(unit, binding) if unit is not None and binding is not None else Outside(f"builtins.{name}")

    def builtin(self, name: str, arguments: tuple[Type, ...] = (), module: str = "builtins") -> Type:
        """Return an instance of a class of the runtime."""
        unit = self.program.runtime(module)
        binding = unit.scopes[0].names.get(name) if unit is not None else None
        kind = self.binding(unit, binding) if unit is not None and binding is not None else UNKNOWN
        return Instance(kind.instance.cls, arguments) if isinstance(kind, ClassValue) else UNKNOWN

    def core_type(self, name: str) -> Instance | None:
        """Return a type of the package that every file imports implicitly, such as `java.lang`, or None."""
        if name not in self._core:
            self._core[name] = None
            unit = self.program.runtime(CORE)
            binding = unit.scopes[0].names.get(name) if unit is not None else None
            kind = self.binding(unit, binding) if unit is not None and binding is not None else UNKNOWN
            self._core[name] = kind.instance if isinstance(kind, ClassValue) else None
        return self._core[name]

    def array_of(self, kind: Type) -> Type:
        """Return the type of arrays of a type."""
        made = self.core_type("$array")
        return Instance(made.cls, (kind,)) if made is not None else UNKNOWN

    def tuple_of(self, items: list[Type]) -> Type:
        """Return a tuple of known length."""
        made = self.builtin("tuple", (union(items),))
        return Instance(made.cls, made.arguments, tuple(items)) if isinstance(made, Instance) else UNKNOWN
