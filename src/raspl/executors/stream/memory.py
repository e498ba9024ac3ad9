"""What heads remember of the keys so far where a number or a dictionary is not enough.

Each structure takes one key at a time and answers without looking at all of them. What it keeps
for a key is one integer, so counts, sums and extremes are handled alike: a mean is kept as
`packed` sum and count, and added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

COUNT_BITS = 40
"""Low bits of a packed mean, which hold the count: enough for a trillion tokens."""
COUNT_MASK = (1 << COUNT_BITS) - 1

Combine = Callable[[int, int], int]


def mean(packed: int) -> int:
    """The mean of a packed sum and count, truncated toward zero."""
    count, total = packed & COUNT_MASK, packed >> COUNT_BITS
    return total // count if total >= 0 else -(-total // count)


class OrderTree:
    """Combines what is kept for all keys below or above a query, in the log of their range.

    A binary trie without pointers: at level l, one entry stands for the 2^l keys that share all
    bits but the last l. Level `top` holds at most two, the negative keys and the others. All keys
    below a query are one entry for each 1 among its bits, all keys above one for each 0.
    """

    def __init__(self, combine: Combine, saturates: bool) -> None:
        """`saturates`: what leaves an entry as it is leaves those above it too (max and min)."""
        self._combine = combine
        self._saturates = saturates
        self._levels: list[dict[int, int]] = [{}]

    def add(self, key: int, kept: int) -> None:
        """Take one more key."""
        levels, combine = self._levels, self._combine
        while not -1 <= key >> (len(levels) - 1) <= 0:
            # The two halves at the top stay two halves one level up.
            levels.append(dict(levels[-1]))
        for level in levels:
            old = level.get(key)
            if old is None:
                level[key] = kept
            else:
                new = combine(old, kept)
                if new == old and self._saturates:
                    return
                level[key] = new
            key >>= 1

    def below(self, query: int) -> int | None:
        """All keys less than the query, combined; None if there are none."""
        top = len(self._levels) - 1
        query = min(query, 1 << top)
        if query < -(1 << top):
            return None
        result: int | None = None
        for level in self._levels[:-1]:
            if query & 1:
                part = level.get(query - 1)
                if part is not None:
                    result = part if result is None else self._combine(result, part)
            query >>= 1
        # What remains of the query is -1, 0 or 1: how many of the two halves lie below it.
        for half in range(-1, query):
            part = self._levels[top].get(half)
            if part is not None:
                result = part if result is None else self._combine(result, part)
        return result

    def above(self, query: int) -> int | None:
        """All keys greater than the query, combined; None if there are none."""
        top = len(self._levels) - 1
        query = max(query, -(1 << top) - 1)
        if query >= 1 << top:
            return None
        result: int | None = None
        for level in self._levels[:-1]:
            if not query & 1:
                part = level.get(query + 1)
                if part is not None:
                    result = part if result is None else self._combine(result, part)
            query >>= 1
        for half in range(query + 1, 1):
            part = self._levels[top].get(half)
            if part is not None:
                result = part if result is None else self._combine(result, part)
        return result


class Others:
    """The greatest value among the keys that differ from a query.

    The greatest of all and the greatest of those under another key are enough: whatever the
    query, one of the two is the answer.
    """

    def __init__(self, is_max: bool) -> None:
        self._sign = 1 if is_max else -1
        self._key: int | None = None
        self._best = self._second = 0
        self._has_second = False

    def add(self, key: int, value: int) -> None:
        """Take one more key."""
        value *= self._sign
        if self._key is None:
            self._key, self._best = key, value
        elif key == self._key:
            self._best = max(self._best, value)
        elif value > self._best:
            self._key, self._best, self._second, self._has_second = key, value, self._best, True
        elif not self._has_second or value > self._second:
            self._second, self._has_second = value, True

    def best(self, query: int) -> int | None:
        """The greatest value under another key, or None."""
        if self._key is None:
            return None
        if query != self._key:
            return self._best * self._sign
        return self._second * self._sign if self._has_second else None


class Matches:
    """The distinct keys that match a query, by a predicate that has no other structure.

    Rows are kept for the queries seen, and grow by the keys seen since; past `LIMIT` entries they
    are forgotten and made again, so that the memory stays bounded for 16-bit programs too.
    """

    LIMIT = 1 << 20

    def __init__(self, predicate: Callable[[int, int], object]) -> None:
        self._predicate = predicate
        self._keys: set[int] = set()
        self._distinct: list[int] = []
        self._rows: dict[int, tuple[list[int], list[int]]] = {}
        self._size = 0

    def add(self, key: int) -> None:
        """Take one more key."""
        if key not in self._keys:
            self._keys.add(key)
            self._distinct.append(key)

    def row(self, query: int) -> list[int]:
        """The keys that match. Raises ZeroDivisionError if the predicate does on any."""
        row, seen = self._rows.setdefault(query, ([], [0]))
        if seen[0] < len(self._distinct):
            predicate = self._predicate
            new = [key for key in self._distinct[seen[0] :] if predicate(key, query)]
            seen[0] = len(self._distinct)
            row += new
            self._size += len(new)
            if self._size > self.LIMIT:
                self._rows.clear()
                self._size = 0
        return row


def gathered(kept: dict[int, int], keys: Iterable[int], combine: Combine) -> int | None:
    """What is kept for several keys, combined; None if nothing is."""
    result: int | None = None
    for key in keys:
        part = kept.get(key)
        if part is not None:
            result = part if result is None else combine(result, part)
    return result
