"""What has happened so far, as values that a table can read: tests, balances, counts, events.

These are the values that finite-state tasks are made of. Each stands for a term of the components:

- a *flag* is a truth value: the token is t; a balance, that is a weighted sum of token counts, is
  at least 0; something has been seen; of two tokens, this one came last;
- a *count* is a number that falls as something is seen more often: of the positions at which a flag
  holds, and the anchor, the mean of a value that is not 0 at the anchor alone. An anchor is a token
  that stands at the first position, and nowhere else;
- with positions, the token so many places back, or beside the latest token t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.balances import MOST_TOKENS, OVERHEAD, balance_rule, weighed, weightings
from raspl.synthesis.columns import Block, Bools, Ids
from raspl.synthesis.components import INDICES, TOKENS, Rule, Term, literal
from raspl.synthesis.examples import Example

ANCHORED = 100
"""The value at the anchor of a count: its quotients by 1, 2, …, 12 all differ."""
BACK = tuple(range(1, 13))
"""How far back a look-up by position goes."""
BOUNDS = tuple(range(4, 13))
"""By how much one token may outnumber another, where that is told by a balance. Smaller numbers
are among the weights of all balances."""
CHUNK = 1024
NO_PLACE = -1


@dataclass(frozen=True)
class Grid:
    """Examples as rows of one matrix of positions, with what is asked of them."""

    tokens: NDArray[np.int64]
    asked: Bools
    wanted: Block
    dtype: np.dtype[np.signedinteger]

    @staticmethod
    def of(examples: Sequence[Example], dtype: np.dtype[np.signedinteger]) -> Grid:
        length = max(len(example.tokens) for example in examples)
        tokens = np.full((len(examples), length), NO_PLACE, dtype=np.int64)
        asked = np.zeros(tokens.shape, dtype=np.bool_)
        wanted = []
        for row, example in enumerate(examples):
            tokens[row, : len(example.tokens)] = example.tokens
            for place, output in enumerate(example.wanted):
                if output is not None:
                    asked[row, place] = True
                    wanted.append(output)
        return Grid(tokens, asked, np.array(wanted, dtype=dtype), dtype)

    @property
    def alphabet(self) -> list[int]:
        """The tokens that occur, the most frequent ones if there are too many."""
        found, counts = np.unique(self.tokens[self.tokens != NO_PLACE], return_counts=True)
        return sorted(int(t) for t in found[np.argsort(-counts, kind="stable")][:MOST_TOKENS])

    @property
    def anchor(self) -> int | None:
        """The token that is first everywhere and occurs nowhere else, if there is one."""
        first = self.tokens[0, 0]
        is_first = self.tokens == first
        only = is_first[:, 0].all() and not is_first[:, 1:].any()
        return int(first) if only else None


@dataclass(frozen=True)
class Family:
    """Values of one kind: what each costs, is made of, and is at all positions."""

    costs: Ids
    columns: Callable[[Ids], Block]
    """Of some of them, by number: an array of examples, places and values."""
    term: Callable[[int], Term]
    flags: Bools
    """Which of them are truth values."""

    def __len__(self) -> int:
        return len(self.costs)

    def asked(self, grid: Grid) -> Block:
        """The values at the asked positions, one column each."""
        parts = [
            self.columns(np.arange(start, min(len(self), start + CHUNK)))[grid.asked]
            for start in range(0, len(self), CHUNK)
        ]
        return np.concatenate([part.astype(grid.dtype) for part in parts], axis=1)

    def part(self, kept: Ids) -> Family:
        """Some of them, computed once and for all."""
        columns = self.columns(kept)
        numbers = kept.tolist()
        return Family(
            self.costs[kept],
            lambda at: columns[:, :, at],
            lambda at: self.term(numbers[at]),
            self.flags[kept],
        )


def joined(families: Sequence[Family]) -> Family:
    """Several families as one."""
    starts = np.cumsum([0, *(len(family) for family in families)])

    def columns(at: Ids) -> Block:
        owner = np.searchsorted(starts, at, side="right") - 1
        parts = [
            families[number].columns(at[owner == number] - starts[number])
            for number in np.unique(owner).tolist()
        ]
        order = np.argsort(owner, kind="stable")
        together = np.concatenate(parts, axis=2) if parts else np.zeros((0, 0, 0), np.int8)
        result = np.empty_like(together)
        result[:, :, order] = together
        return result

    def term(at: int) -> Term:
        owner = int(np.searchsorted(starts, at, side="right")) - 1
        return families[owner].term(at - int(starts[owner]))

    costs = np.concatenate([family.costs for family in families])
    return Family(costs, columns, term, np.concatenate([family.flags for family in families]))


def _listed(columns: Sequence[Block | Bools], terms: Sequence[Term]) -> Family:
    stacked = np.stack([column.astype(np.int16) for column in columns], axis=2)
    return Family(
        np.array([term.cost for term in terms]),
        lambda at: stacked[:, :, at],
        lambda at: terms[at],
        np.array([term.rule.result == "Bool" for term in terms]),
    )


def test(token: int) -> Term:
    """Whether the token is this one."""
    return Term(Rule("compare", "Bool", ("Int",), "==", (token,)), (TOKENS,))


def tests(grid: Grid) -> Family:
    alphabet = grid.alphabet
    return _listed([grid.tokens == t for t in alphabet], [test(t) for t in alphabet])


def seen_tokens(grid: Grid) -> Family:
    """Whether each token has occurred."""
    rule = Rule("pair", "Bool", ("Int", "Int"), "==", reduction="has")
    alphabet = grid.alphabet
    return _listed(
        [np.logical_or.accumulate(grid.tokens == t, axis=1) for t in alphabet],
        [Term(rule, (TOKENS, literal(t))) for t in alphabet],
    )


def balances(grid: Grid) -> Family:
    """Whether a weighted sum of token counts is at least 0, each behaviour once."""
    # Of weights that behave alike the first count, so tokens that are rare stand first.
    frequency = {t: int((grid.tokens == t).sum()) for t in grid.alphabet}
    alphabet = sorted(grid.alphabet, key=lambda t: (frequency[t], t))
    weights = weightings(len(alphabet))
    counts = np.stack(
        [np.cumsum(grid.tokens == t, axis=1, dtype=np.int16) for t in alphabet], axis=2
    )
    anchor = grid.anchor
    # Of a large alphabet only the frequent tokens are weighed, and the anchor may not be one.
    if anchor is not None and anchor in alphabet:
        weights = np.concatenate((weights, _bounds(alphabet, anchor)), axis=1)
    every = Family(
        OVERHEAD + np.count_nonzero(weights, axis=0),
        lambda at: weighed(counts, weights[:, at]),
        lambda at: Term(balance_rule(alphabet, weights[:, at].tolist())),
        np.ones(weights.shape[1], dtype=np.bool_),
    )
    return every.part(first_of_each(every, grid))


def _bounds(alphabet: list[int], anchor: int) -> NDArray[np.int16]:
    """Weights that tell whether one token outnumbers another by so many: the anchor occurs once."""
    others = [at for at, token in enumerate(alphabet) if token != anchor]
    columns = []
    for more, fewer in permutations(others, 2):
        for bound in BOUNDS:
            weights = np.zeros(len(alphabet), dtype=np.int16)
            weights[[more, fewer, alphabet.index(anchor)]] = 1, -1, -bound
            columns.append(weights)
    return np.array(columns, dtype=np.int16).reshape(len(columns), len(alphabet)).T


def hash_factors(rows: int) -> NDArray[np.float64]:
    """Factors whose sums with small numbers are exact, so that equal columns have equal sums."""
    rng = np.random.default_rng(0x5EED)
    return rng.integers(1, 2**30, size=(3, rows)).astype(np.float64)


def first_of_each(family: Family, grid: Grid) -> Ids:
    """The numbers of the first values of each behaviour, the cheapest first."""
    inside = grid.tokens != NO_PLACE
    factors = hash_factors(int(inside.sum()))
    order = np.argsort(family.costs, kind="stable")
    hashes = [
        factors @ family.columns(order[start : start + CHUNK])[inside].astype(np.float64)
        for start in range(0, len(order), CHUNK)
    ]
    _, first = np.unique(np.concatenate(hashes, axis=1), axis=1, return_index=True)
    return order[np.sort(first)]


def _anchored(anchor: int) -> Term:
    """A value that is not 0 at the anchor alone."""
    rule = Rule("table", "Int", ("Int",), entries=((anchor, ANCHORED),))
    return Term(rule, (TOKENS,))


def _count_term(selected: Term | None, anchor: int) -> Term:
    """The number that falls as more is selected; everything is if nothing is given."""
    value = _anchored(anchor)
    if selected is None:
        return Term(Rule("all", "Int", ("Int",), value="Int", reduction="mean"), (value,))
    rule = Rule("true_key", "Int", ("Bool", "Int"), value="Int", reduction="mean")
    return Term(rule, (selected, value))


def _falling(selected: Block) -> Block:
    """What `_count_term` is: the anchor is selected, so there is something to divide by."""
    counts = np.cumsum(selected, axis=1, dtype=np.int16)
    quotients = ANCHORED // np.maximum(1, np.arange(int(counts.max(initial=1)) + 1))
    return quotients.astype(np.int8)[counts]


def token_counts(grid: Grid, anchor: int) -> Family:
    """How often each token has occurred, and how many positions there are."""
    others = [t for t in grid.alphabet if t != anchor]
    at_anchor = grid.tokens == anchor
    columns = [_falling(np.ones(grid.tokens.shape, dtype=np.bool_))]
    terms = [_count_term(None, anchor)]
    for t in others:
        entries = tuple(sorted(((t, 1), (anchor, 1))))
        selected = Term(Rule("table", "Bool", ("Int",), entries=entries), (TOKENS,))
        columns.append(_falling(at_anchor | (grid.tokens == t)))
        terms.append(_count_term(selected, anchor))
    return _listed(columns, terms)


def _both(flag: Term, token: int) -> Term:
    """Whether a flag holds and the token is this one."""
    return Term(
        Rule("table", "Bool", ("Int", "Int"), entries=((1, token, 1),)), (_int(flag), TOKENS)
    )


def _int(flag: Term) -> Term:
    return Term(Rule("truth", "Int", ("Bool",)), (flag,))


def events(grid: Grid, flags: Family) -> Iterator[Family]:
    """Whether a flag has held before, alone or at a token, and how often."""
    anchor = grid.anchor
    has = Rule("true_key", "Bool", ("Bool",), reduction="has")

    def seen(at: Ids, mask: Bools | None) -> Block:
        columns = flags.columns(at).astype(np.bool_)
        return np.logical_or.accumulate(
            columns if mask is None else columns & mask[:, :, None], axis=1
        ).astype(np.int8)

    def seen_term(number: int, token: int | None) -> Term:
        flag = flags.term(number)
        return Term(has, (flag if token is None else _both(flag, token),))

    def counted(at: Ids, mask: Bools | None) -> Block:
        columns = flags.columns(at).astype(np.bool_)
        if mask is not None:
            columns = columns & mask[:, :, None]
        return _falling(columns | (grid.tokens == anchor)[:, :, None])

    def counted_term(number: int, token: int | None) -> Term:
        assert anchor is not None
        flag = flags.term(number)
        here = flag if token is None else _both(flag, token)
        either = Term(Rule("map", "Bool", ("Bool", "Bool"), "|"), (here, test(anchor)))
        return _count_term(either, anchor)

    every = np.ones(len(flags), dtype=np.bool_)
    for token in (None, *grid.alphabet):
        mask = None if token is None else grid.tokens == token
        more = 1 + (token is not None)
        yield Family(
            flags.costs + more, partial(seen, mask=mask), partial(seen_term, token=token), every
        )
        if anchor is not None:
            yield Family(
                flags.costs + more + 3,
                partial(counted, mask=mask),
                partial(counted_term, token=token),
                ~every,
            )


def backs(grid: Grid) -> Family:
    """The token so many places back."""
    columns, terms = [], []
    for number in BACK:
        if number < grid.tokens.shape[1]:
            moved = np.zeros_like(grid.tokens)
            moved[:, number:] = grid.tokens[:, :-number]
            rule = Rule("back", "Int", ("Int",), literals=(number,), value="Int", reduction="mean")
            columns.append(moved)
            terms.append(Term(rule, (TOKENS,)))
    return _listed(columns, terms)


def _latest(token: int) -> Term:
    rule = Rule("pair", "Index", ("Int", "Int", "Index"), "==", value="Index", reduction="max")
    return Term(rule, (TOKENS, literal(token), INDICES))


def orders(grid: Grid) -> Family:
    """Of two tokens that have occurred, whether this one came last."""
    places = np.arange(grid.tokens.shape[1])
    last = {
        t: np.maximum.accumulate(np.where(grid.tokens == t, places, NO_PLACE), axis=1)
        for t in grid.alphabet
    }
    rule = Rule("map", "Bool", ("Index", "Index"), ">")
    pairs = [(t, u) for t in last for u in last if t != u and u != grid.anchor]
    return _listed(
        [(last[t] > last[u]) & (last[u] > NO_PLACE) for t, u in pairs],
        [Term(rule, (_latest(t), _latest(u))) for t, u in pairs],
    )


def seeds(grid: Grid, positions: bool) -> list[Family]:
    """What there is before any event."""
    found = [seen_tokens(grid), tests(grid), balances(grid)]
    found.append(_listed([grid.tokens], [TOKENS]))
    if grid.anchor is not None:
        found.append(token_counts(grid, grid.anchor))
    if positions:
        found += [backs(grid), orders(grid)]
    return found
