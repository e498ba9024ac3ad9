"""Tokens that a user gives to the compiler or to a network: whole numbers and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from raspl.errors import RasplError

if TYPE_CHECKING:
    from raspl.analysis.values import Alphabet
    from raspl.language.vocabulary import Vocabulary


WIDEST = 1 << 62
"""Tokens are numbers of NumPy and PyTorch, which have 64 bits."""


class NetworkError(RasplError):
    """An input that the network is not exact on, or can't read."""


def whole_numbers(given: Any, rule: str) -> list[int]:
    """The tokens as integers. Raises NetworkError where one is not; nothing is rounded."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise NetworkError(f"{rule}, and {given!r} is not one")
    tokens = list(given)
    for token in tokens:
        # Tensors and arrays hold their integers as scalars of their own.
        if not isinstance(_plain(token), int | np.integer):
            raise NetworkError(f"{rule}, which are whole numbers, and {token!r} is not one")
        if not -WIDEST <= int(token) < WIDEST:
            raise NetworkError(f"{rule}, and no token has {int(token).bit_length()} bits")
    return [int(token) for token in tokens]


def _plain(token: Any) -> Any:
    return token.item() if hasattr(token, "item") and not isinstance(token, np.generic) else token


def checked_alphabet(alphabet: Any, names: Vocabulary | None = None) -> Alphabet | None:
    """An alphabet that is one: tokens, or tokens for each input by its name.

    Without one, the tokens that the program has names for; None if it has none.
    """
    rule = "an alphabet is a list of tokens, such as range(10)"
    if alphabet is None:
        return None if names is None else sorted(names.numbers.values())
    if isinstance(alphabet, Mapping):
        return {name: _tokens(tokens, names, rule) for name, tokens in alphabet.items()}
    return _tokens(alphabet, names, rule)


def _tokens(given: Any, names: Vocabulary | None, rule: str) -> list[int]:
    """Tokens that may be given by name, each letter of a string being one."""
    if names is None or not isinstance(given, Iterable):
        return _not_empty(whole_numbers(given, rule), rule)
    tokens = list(given)
    for place, token in enumerate(tokens):
        if isinstance(token, str):
            found = names.read(token)
            if found is None:
                raise NetworkError("; ".join(names.unknown(token)))
            tokens[place] = found
    return _not_empty(whole_numbers(tokens, rule), rule)


def _not_empty(tokens: list[int], rule: str) -> list[int]:
    """No program has an output where there is no token to read."""
    if not tokens:
        raise NetworkError(f"{rule}, and this one is empty")
    return tokens
