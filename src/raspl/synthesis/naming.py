"""Finds in the words of their task: a literal that stands for a token becomes its name.

A search works with numbers, and many of them are no tokens: one is added, positions are counted.
Which values are tokens, `token_nodes` decides. A literal stands for a token if such a value is
compared with it, or if it is passed on as one.
"""

from __future__ import annotations

from dataclasses import replace

from raspl.language.ir.graph import Graph
from raspl.language.ir.scalar import COMPARISONS
from raspl.language.ir.tokens import token_nodes
from raspl.language.vocabulary import Token
from raspl.synthesis.components import SAME, Rule, Term
from raspl.synthesis.graphs import Maker
from raspl.synthesis.names import Names


def named(term: Term, bits: int, names: Names | None) -> Term:
    """A term that is equal to the given one, with names for its tokens."""
    return term if names is None else _Namer(term, bits, names).root(term)


class _Namer:
    """Names the literals of one program, each by the place where it stands."""

    def __init__(self, term: Term, bits: int, names: Names) -> None:
        self._vocabulary = names.tokens
        maker = Maker(bits)
        output = maker.node(term)
        graph = Graph("found", (maker.tokens,), output, bits, vocabulary=names.tokens)
        tokens = token_nodes(graph, outputs_tokens=not names.labels)
        self._tokens = {part for part, node in maker.known.items() if node in tokens}
        self._known: dict[Term, Term] = {}

    def root(self, term: Term) -> Term:
        return self._part(term, term in self._tokens)

    def _part(self, term: Term, is_token: bool) -> Term:
        """A literal is a token in one place and a number in another, anything else is one term."""
        if term.rule.name == "literal":
            (number,) = term.rule.literals
            return Term(replace(term.rule, literals=(self._name(number, is_token),)))
        if term not in self._known:
            places = self._token_places(term)
            args = zip(term.args, places, strict=True)
            rule = self._rule(term)
            self._known[term] = Term(rule, tuple(self._part(*each) for each in args))
        return self._known[term]

    def _name(self, number: int, is_token: bool) -> int:
        name = self._vocabulary.name(number) if is_token else ""
        return Token(number, name) if name else number

    def _token_places(self, term: Term) -> list[bool]:
        """For each operand, whether a literal there stands for a token."""
        rule, args = term.rule, term.args
        is_token = term in self._tokens
        if rule.name == "where":
            return [False, is_token, is_token]
        places = [False] * len(args)
        if rule.name == "pair" or (rule.name == "map" and rule.op in COMPARISONS):
            places[:2] = self._is_token(args[1]), self._is_token(args[0])
        if rule.value is not None:
            places[-1] = is_token
        return places

    def _is_token(self, term: Term) -> bool:
        """Whether a value that is no literal is a token."""
        return term.rule.name != "literal" and term in self._tokens

    def _rule(self, term: Term) -> Rule:
        """The rule with names for those of its own literals that stand for tokens."""
        rule, is_token = term.rule, term in self._tokens
        match rule.name:
            case "compare" | "replace" | "gate":
                of_token = self._is_token(term.args[0])
                literals = tuple(self._name(number, of_token) for number in rule.literals)
                rule = replace(rule, literals=literals)
            case "balance":  # weights of the input's tokens
                rule = replace(rule, entries=self._entries(rule, [True, False]))
            case "table":
                of_tokens = [*map(self._is_token, term.args), is_token]
                rule = replace(rule, entries=self._entries(rule, of_tokens))
        has_default = rule.is_head or (rule.name == "table" and rule.op != SAME)
        return replace(rule, default=self._name(rule.default, is_token and has_default))

    def _entries(self, rule: Rule, are_tokens: list[bool]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(map(self._name, entry, are_tokens)) for entry in rule.entries)
