"""Random programs as text, typed by rules of their own; plain lists say what each must give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.text_terms import (
    BOOL,
    COMPARISONS,
    INDEX,
    INT,
    WORDS,
    Columns,
    Failed,
    Kind,
    Outcome,
    Scalar,
    Term,
    Value,
    as_int,
    evaluated,
    named,
    random_literal,
    random_scalar,
)


@dataclass
class Text:
    """A program while it is written, and what it means."""

    rng: Random
    bits: int
    inputs: tuple[str, ...]
    lines: list[tuple[str, Term]] = field(default_factory=list)
    known: list[Term] = field(default_factory=list)
    families: int = 0

    # Values

    def checked(self, value: int) -> int:
        if not -(1 << (self.bits - 1)) <= value < 1 << (self.bits - 1):
            raise Failed("R401")
        return int(value)

    def pick(self, *kinds: str) -> Term:
        fitting = [term for term in self.known if term.kind[0] in kinds]
        return self.rng.choice(fitting[-6:] if self.rng.random() < 0.6 else fitting)

    def integer(self, depth: int) -> Term:
        return self.term("Int", depth) if depth and self.rng.random() < 0.3 else self.int_name()

    def int_name(self) -> Term:
        return self.pick("Int", "Bool")

    # Expressions

    def term(self, kind: str, depth: int = 2) -> Term:
        makers: dict[str, list[Callable[[int], Term]]] = {
            "Int": [
                self.arithmetic, self.arithmetic, self.with_literal, self.negative, self.tok_map,
                self.seq_map, self.choice, self.head, self.head, self.lookup, self.shifted,
                self.extreme, self.full,
            ],
            "Bool": [self.comparison, self.comparison, self.logic, self.inverse, self.seen,
                     self.index_comparison],
            "Index": [self.positions, self.found, self.found, self.moved, self.index_head,
                      self.index_choice],
            "Count": [self.count, self.width, self.moved_count],
        }  # fmt: skip
        return self.rng.choice(makers[kind])(depth - 1)

    def arithmetic(self, depth: int) -> Term:
        return self.binary(self.integer(depth), self.integer(depth))

    def with_literal(self, depth: int) -> Term:
        value = random_literal(self.rng)
        literal = Term(f"({value})" if value < 0 else str(value), lambda i, c: value, INT)
        sides = [self.integer(depth), literal]
        self.rng.shuffle(sides)
        return self.binary(*sides)

    def binary(self, x: Term, y: Term) -> Term:
        op = self.rng.choice(("+", "-", "+", "-", "*", "//", "%"))

        def at(i: int, c: Columns) -> Value:
            a, b = as_int(x.at(i, c)), as_int(y.at(i, c))
            if op in ("//", "%") and b == 0:
                raise Failed("R402")
            by = {"+": a + b, "-": a - b, "*": a * b}
            return self.checked(by[op] if op in by else a // b if op == "//" else a % b)

        return Term(f"({x.text} {op} {y.text})", at, INT, x.names | y.names)

    def negative(self, depth: int) -> Term:
        x = self.integer(depth)
        return Term(f"(-{x.text})", lambda i, c: self.checked(-as_int(x.at(i, c))), INT, x.names)

    def full(self, depth: int) -> Term:
        value, x = random_literal(self.rng), self.pick("Int", "Index", "Count", "Bool")
        # Only how long the sequence is matters, so nothing depends on it.
        return Term(f"full({x.text}, {value})", lambda i, c: value, INT)

    def tok_map(self, depth: int) -> Term:
        x = self.integer(depth)
        body = random_scalar(self.rng, {"a": x.kind == BOOL}, 3)
        return self.mapped(f"tok_map({x.text}, lambda a: {body.text})", body, x)

    def seq_map(self, depth: int) -> Term:
        x, y = self.integer(depth), self.int_name()
        body = random_scalar(self.rng, {"a": x.kind == BOOL, "b": y.kind == BOOL}, 3)
        return self.mapped(f"seq_map({x.text}, {y.text}, lambda a, b: {body.text})", body, x, y)

    def mapped(self, text: str, body: Scalar, *terms: Term) -> Term:
        code = compile(body.python, "<scalar>", "eval")

        def at(i: int, c: Columns) -> Value:
            arguments = dict(zip("ab", (term.at(i, c) for term in terms), strict=False))
            return self.checked(evaluated(code, arguments))

        kind = BOOL if body.is_truth else INT
        return Term(text, at, kind, frozenset().union(*(term.names for term in terms)))

    def choice(self, depth: int) -> Term:
        return self.where(self.integer(depth), self.integer(depth))

    def index_choice(self, depth: int) -> Term:
        other = self.pick("Index")
        if self.rng.random() < 0.3:
            other = Term(f"full({other.text}, None)", lambda i, c: None, INDEX)
        return self.where(self.pick("Index"), other)

    def where(self, a: Term, b: Term) -> Term:
        condition = self.int_name()

        def at(i: int, c: Columns) -> Value:
            # Both arms are computed, whichever is taken.
            test, first, second = condition.at(i, c), a.at(i, c), b.at(i, c)
            return first if test else second

        kind = a.kind if a.kind == b.kind and a.kind != BOOL else INT
        names = condition.names | a.names | b.names
        return Term(f"where({condition.text}, {a.text}, {b.text})", at, kind, names)

    def comparison(self, depth: int) -> Term:
        return self.compared(self.integer(depth), self.int_name())

    def index_comparison(self, depth: int) -> Term:
        x = self.pick("Index", "Count")
        return self.compared(x, self.rng.choice([t for t in self.known if t.kind == x.kind]))

    def compared(self, x: Term, y: Term) -> Term:
        op = self.rng.choice(list(COMPARISONS))

        def at(i: int, c: Columns) -> Value:
            a, b = x.at(i, c), y.at(i, c)
            return int(op == "!=" if a is None or b is None else COMPARISONS[op](a, b))

        return Term(f"({x.text} {op} {y.text})", at, BOOL, x.names | y.names)

    def logic(self, depth: int) -> Term:
        x, y, op = self.pick("Bool"), self.pick("Bool"), self.rng.choice("&|")

        def at(i: int, c: Columns) -> Value:
            a, b = x.at(i, c), y.at(i, c)
            return int(bool(a and b) if op == "&" else bool(a or b))

        return Term(f"({x.text} {op} {y.text})", at, BOOL, x.names | y.names)

    def inverse(self, depth: int) -> Term:
        x = self.pick("Bool")
        return Term(f"(~{x.text})", lambda i, c: int(not x.at(i, c)), BOOL, x.names)

    # Indices and counts

    def positions(self, depth: int) -> Term:
        return Term(f"indices({self.int_name().text})", lambda i, c: i, INDEX)

    def moved(self, depth: int) -> Term:
        return self.shift(self.pick("Index"))

    def moved_count(self, depth: int) -> Term:
        counts = [term for term in self.known if term.kind[0] == "Count"]
        return self.shift(self.rng.choice(counts)) if counts else self.count(depth)

    def shift(self, x: Term) -> Term:
        by, op = self.rng.choice((0, 1, 1, 2, 5)), self.rng.choice("+-")

        def at(i: int, c: Columns) -> Value:
            value = x.at(i, c)
            return None if value is None else value + by if op == "+" else value - by

        return Term(f"({x.text} {op} {by})", at, x.kind, x.names)

    def new_count(self) -> Kind:
        self.families += 1
        return ("Count", self.families)

    def count(self, depth: int) -> Term:
        x = self.int_name()

        def at(i: int, c: Columns) -> Value:
            return sum(x.at(j, c) != 0 for j in range(i + 1))

        return Term(f"cumsum({x.text})", at, self.new_count(), x.names)

    def width(self, depth: int) -> Term:
        text, row, names = self.selector()

        def at(i: int, c: Columns) -> Value:
            return sum(row(i, c))

        return Term(f"sel_width({text})", at, self.new_count(), names)

    def seen(self, depth: int) -> Term:
        x, q = self.int_name(), self.int_name()

        def at(i: int, c: Columns) -> Value:
            return int(any(x.at(j, c) == q.at(i, c) for j in range(i + 1)))

        return Term(f"has_seen({x.text}, {q.text})", at, BOOL, x.names | q.names)

    def found(self, depth: int) -> Term:
        x, q, which = self.int_name(), self.int_name(), self.rng.choice(("firsts", "lasts"))

        def at(i: int, c: Columns) -> Value:
            places = [j for j in range(i + 1) if x.at(j, c) == q.at(i, c)]
            return None if not places else places[0] if which == "firsts" else places[-1]

        return Term(f"{which}({x.text}, {q.text})", at, INDEX, x.names | q.names)

    def lookup(self, depth: int) -> Term:
        x, place, default = self.int_name(), self.pick("Index"), random_literal(self.rng)

        def at(i: int, c: Columns) -> Value:
            index = place.at(i, c)
            return x.at(index, c) if index is not None and 0 <= index <= i else default

        text = f"index_select({x.text}, {place.text}, default={default})"
        return Term(text, at, INT, x.names | place.names)

    def shifted(self, depth: int) -> Term:
        x, by = self.int_name(), self.rng.choice((1, 1, 2, 3))
        text = f"shift_right({x.text}, {by})"
        return Term(text, lambda i, c: x.at(i - by, c) if i >= by else 0, INT, x.names)

    def extreme(self, depth: int) -> Term:
        x, least = self.int_name(), self.rng.random() < 0.5

        def at(i: int, c: Columns) -> Value:
            values = [as_int(x.at(j, c)) for j in range(i + 1)]
            return min(values) if least else max(values)

        return Term(f"{'minimum' if least else 'maximum'}({x.text})", at, INT, x.names)

    # Heads

    def selector(self) -> tuple[str, Callable[[int, Columns], list[bool]], frozenset[str]]:
        """The text of a select, which keys it selects, and the names that it mentions."""
        k = self.pick("Int", "Bool", "Index", "Count")
        if k.kind in (INT, BOOL):
            q = self.int_name()
        else:
            q = self.rng.choice([term for term in self.known if term.kind == k.kind])
        if k.kind in (INT, BOOL) and self.rng.random() < 0.5:
            body = random_scalar(self.rng, {"a": k.kind == BOOL, "b": q.kind == BOOL}, 2)
            code = compile(body.python, "<scalar>", "eval")

            def row(i: int, c: Columns) -> list[bool]:
                query = q.at(i, c)
                keys = [k.at(j, c) for j in range(i + 1)]
                return [bool(evaluated(code, {"a": key, "b": query})) for key in keys]

            text = f"select({k.text}, {q.text}, lambda a, b: {body.text})"
            return text, row, k.names | q.names
        word = self.rng.choice(list(WORDS))

        def compared(i: int, c: Columns) -> list[bool]:
            query, compare = q.at(i, c), COMPARISONS[WORDS[word]]
            keys = [k.at(j, c) for j in range(i + 1)]
            return [key is not None and query is not None and compare(key, query) for key in keys]

        return f"select({k.text}, {q.text}, {word})", compared, k.names | q.names

    def head(self, depth: int) -> Term:
        text, row, names = self.selector()
        v, default = self.int_name(), random_literal(self.rng)
        reduction = self.rng.choice(("mean", "max", "min"))

        def at(i: int, c: Columns) -> Value:
            chosen = [as_int(v.at(j, c)) for j, yes in enumerate(row(i, c)) if yes]
            if not chosen:
                return default
            total, number = sum(chosen), len(chosen)
            mean = abs(total) // number * (1 if total >= 0 else -1)
            return {"mean": mean, "max": max(chosen), "min": min(chosen)}[reduction]

        call = f"aggr({text}, {v.text}, default={default}, reduction='{reduction}')"
        return Term(call, at, INT, names | v.names)

    def index_head(self, depth: int) -> Term:
        text, row, names = self.selector()
        v, reduction = self.pick("Index"), self.rng.choice(("max", "min"))

        def at(i: int, c: Columns) -> Value:
            held = [v.at(j, c) for j, yes in enumerate(row(i, c)) if yes]
            present = [value for value in held if value is not None]
            return (max if reduction == "max" else min)(present, default=None)

        call = f"aggr({text}, {v.text}, reduction='{reduction}')"
        return Term(call, at, INDEX, names | v.names)

    # The whole

    def write(self, size: int) -> None:
        self.known += [named(name, INT) for name in self.inputs]
        self.bind(self.comparison(0))
        self.bind(self.positions(0))
        while len(self.lines) < size:
            kind = self.rng.choice(("Int", "Int", "Int", "Bool", "Index", "Count"))
            self.bind(self.term(kind))

    def bind(self, term: Term) -> None:
        name = f"v{len(self.lines)}"
        self.lines.append((name, term))
        self.known.append(named(name, term.kind))

    @property
    def source(self) -> str:
        """The text of the file: the first line of the body is line 3."""
        body = "".join(f"    {name} = {term.text}\n" for name, term in self.lines)
        declared = f"@program(bits={self.bits})\n"
        return f"{declared}def f({', '.join(self.inputs)}):\n{body}    return {self.result}\n"

    @property
    def result(self) -> str:
        """Of the last lines the one to which most lead up, so that few are in vain."""
        return max((name for name, _ in self.lines[-4:]), key=lambda name: len(self.live(name)))

    def live(self, result: str) -> set[str]:
        """The names on which a line depends, its own included."""
        needed = {result}
        for name, term in reversed(self.lines):
            if name in needed:
                needed |= term.names
        return needed

    def expected(self, columns: Sequence[Sequence[int]]) -> Outcome:
        """The output, or the code, the position and the line of the failure."""
        values: Columns = {
            name: list(given) for name, given in zip(self.inputs, columns, strict=True)
        }
        live = self.live(self.result)
        lines = [(n + 3, name, term) for n, (name, term) in enumerate(self.lines) if name in live]
        values |= {name: [] for _, name, _ in lines}
        for i in range(len(columns[0])):
            for line, name, term in lines:
                try:
                    values[name].append(term.at(i, values))
                except Failed as failed:
                    return str(failed), i, line
        return values[self.result]
