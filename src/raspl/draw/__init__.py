"""Expressions that draw themselves: at a prompt, outside of any program.

>>> from raspl import equals, indices, select
>>> from raspl.draw import x
>>> indices(x) - 1
x               Int   │  3 1 4 1 5
indices(x) - 1  Index │ -1 0 1 2 3

`x` stands for the tokens of an example, and so does whatever is made of it. A notebook draws
sequences as squares and selectors as grids. Another example is `example("hello")`.
"""

from raspl.draw.expression import Expression, example

__all__ = ["Expression", "example", "x"]

x = example([3, 1, 4, 1, 5])
