"""Token names: what a string in a program stands for.

A program reads and writes tokens, which are integers. Its *vocabulary* names them, so that one can
write `x == ">"` for `x == 1`. A text states it as `TOKENS = ["SoS", ">", "EoS", …]`, which numbers
the names from 0, or as `TOKENS = {"START": -1, …}`; whoever reads a text may give it too. Nothing
is guessed: a string without a number is refused (rule R208).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from raspl.errors import RasplError
from raspl.language.limits import MAX_TEXT, MAX_VOCABULARY

STATED_AS = "TOKENS"
"""The name under which a text states its vocabulary."""
FEW = 8
"""Names that a message lists."""
SHORTEST_RUN = 3
"""Names in a row that are written as one item of a list."""


class Token(int):
    """The number of a token that was written by its name: an integer that remembers it.

    It is equal to the plain integer, and calculating with it gives plain integers.
    """

    name: str

    def __new__(cls, number: int, name: str) -> Token:
        made = super().__new__(cls, number)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Token], tuple[int, str]]:
        return Token, (int(self), self.name)


def quoted(name: str) -> str:
    """A name as a program writes it."""
    return json.dumps(name, ensure_ascii=False)


def literal_text(value: int | None) -> str:
    """A literal as the author of the program wrote it: a token by its name."""
    return quoted(value.name) if isinstance(value, Token) else str(value)


@dataclass(frozen=True)
class Vocabulary:
    """The names of a program's tokens. Every name has one number, every number one name."""

    numbers: Mapping[str, int]

    @staticmethod
    def of(names: Iterable[str] | Mapping[str, int]) -> Vocabulary:
        """From names that are numbered from 0, or from names with their numbers."""
        if isinstance(names, Mapping):
            pairs = list(names.items())
        else:
            pairs = [(name, number) for number, name in enumerate(names)]
        return checked(pairs)

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names by number."""
        return {number: name for name, number in self.numbers.items()}

    def token(self, name: str) -> Token | None:
        """The token of a name, or None if there is none."""
        number = self.numbers.get(name)
        return None if number is None else Token(number, name)

    def name(self, value: int | None) -> str:
        """The name of a token, or nothing."""
        return "" if value is None else self.names.get(value, "")

    def show(self, value: int) -> str:
        """A token for people; a number that is no token stands after a #."""
        return self.names.get(value) or f"#{value}"

    def read(self, text: str) -> int | None:
        """The inverse of `show`, or None for what is no token."""
        if text in self.numbers:
            return self.numbers[text]
        digits = text.removeprefix("#")
        is_number = digits != text and digits.removeprefix("-").isdecimal() and len(digits) < 10
        return int(digits) if is_number else None

    def listed(self) -> str:
        """The first names, and the last."""
        names = list(self.numbers)
        shown = names if len(names) <= FEW else [*names[: FEW - 2], "…", names[-1]]
        return " ".join(shown)

    def unknown(self, name: str) -> tuple[str, str]:
        """Why a name is no token's, and what may have been meant."""
        close = self._folded.get(name.casefold())
        meant = "" if close is None else f"did you mean {quoted(close)}?"
        return f"there is no token {quoted(name)}", meant or f"the tokens are {self.listed()}"

    @cached_property
    def _folded(self) -> Mapping[str, str]:
        return {name.casefold(): name for name in self.numbers}

    def with_names(self, other: Vocabulary) -> Vocabulary:
        """Both vocabularies in one. Raises RasplError where they contradict each other."""
        for name, number in other.numbers.items():
            here = self.numbers.get(name)
            if here is not None and here != number:
                raise RasplError(f"the token {quoted(name)} is {here} and also {number}")
            taken = self.names.get(number)
            if taken is not None and taken != name:
                raise RasplError(f"the token {number} is {quoted(taken)} and also {quoted(name)}")
        return Vocabulary({**self.numbers, **other.numbers})

    def to_source(self) -> str:
        """The statement that gives a text this vocabulary."""
        if list(self.numbers.values()) == list(range(len(self.numbers))):
            return f"{STATED_AS} = [{', '.join(_runs(list(self.numbers)))}]"
        pairs = (f"{quoted(name)}: {number}" for name, number in self.numbers.items())
        return f"{STATED_AS} = {{{', '.join(pairs)}}}"


UNREADABLE = Vocabulary({})
"""Stands for a vocabulary that was refused, so that no name is blamed for it."""


def checked(pairs: Iterable[tuple[str, int]]) -> Vocabulary:
    """A vocabulary of names with their numbers. Raises RasplError for what is none."""
    numbers: dict[str, int] = {}
    names: dict[int, str] = {}
    for name, number in pairs:
        if not isinstance(name, str) or not 0 < len(name) <= MAX_TEXT:
            what = "a token's name is a string of 1 to"
            raise RasplError(f"{what} {MAX_TEXT} characters, and {str(name)[:MAX_TEXT]!r} is none")
        if isinstance(number, bool) or not isinstance(number, int):
            raise RasplError(f"a token is an integer, and that of {quoted(name)} is none")
        if name in numbers:
            raise RasplError(f"the token {quoted(name)} is named twice")
        if number in names:
            raise RasplError(
                f"the token {number} is {quoted(names[number])} and also {quoted(name)}"
            )
        numbers[name], names[number] = number, name
        if len(numbers) > MAX_VOCABULARY:
            raise RasplError(f"a vocabulary has at most {MAX_VOCABULARY:,} tokens")
    if not numbers:
        raise RasplError("a vocabulary without tokens names nothing")
    return Vocabulary(numbers)


def _runs(names: list[str]) -> Iterator[str]:
    """The items of the list, with `*range(…)` for numbers in order and `*"…"` for letters."""
    rest = names
    while rest:
        numbers, letters = _leading(rest, _counts_on), _leading(rest, _is_letter)
        if numbers >= SHORTEST_RUN:
            first = int(rest[0])
            yield f"*range({first}, {first + numbers})" if first else f"*range({numbers})"
        elif letters >= SHORTEST_RUN:
            yield f"*{quoted(''.join(rest[:letters]))}"
        else:
            yield quoted(rest[0])
        longest = max(numbers, letters)
        rest = rest[longest if longest >= SHORTEST_RUN else 1 :]


def _leading(names: list[str], fits: Callable[[list[str], int], bool]) -> int:
    return next((i for i in range(len(names)) if not fits(names, i)), len(names))


def _counts_on(names: list[str], i: int) -> bool:
    first = names[0]
    return first.isascii() and first.isdecimal() and names[i] == str(int(first) + i)


def _is_letter(names: list[str], i: int) -> bool:
    return len(names[i]) == 1 and not names[i].isdecimal()
