"""How much of a text the checker reads before it says that the text is too large.

Every limit is a count, never a clock, so a text gets the same answer on every machine. Together
they keep a check of any file below a few seconds and 1 GB. They lie far above what people write:
the longest program that ships takes a few hundred steps.
"""

from __future__ import annotations

MAX_BYTES = 16 * 2**20
"""Of a file. More than this is no program, and is not even decoded."""
MAX_LINES = 200_000
MAX_TOKENS = 300_000
"""Words and signs of a text. Python's syntax tree takes about 700 bytes for each of them."""
MAX_STEPS = 120_000
"""Expressions that one check reads, again wherever a function is inlined: about 30 µs each."""
STEPS_A_PROGRAM = 6
"""What it takes to make a program of a function, however short it is."""
MAX_CALL_DEPTH = 48
"""Functions that call functions: each level takes about a dozen frames of Python's stack."""
MAX_LITERAL = 2**256 - 1
"""The greatest literal. An Int has 16 bits, so this is more than a product of a dozen of them."""
MAX_TEXT = 100
"""Characters of a string that are kept: reductions and the names of tokens are short."""
MAX_FILES = 32
"""Files beside the first that one check reads."""
MAX_VOCABULARY = 2**16
"""Tokens that have a name: as many as 16 bits can tell apart."""
MAX_FUNCTION_DEPTH = 100
"""Operators within operators of one scalar function: every reader of it recurses."""
MAX_FUNCTION_NODES = 10_000
"""Operators and operands of one scalar function, after inlining."""
NODES_A_STEP = 10
"""Nodes of a scalar function that take as long as one step."""
MAX_LISTED = 1_000
"""Violations that are listed, and as many warnings: nobody reads on."""
MAX_GUESSES = 25
"""Unknown names for which a similar one is looked for; that takes time for each known name."""
MAX_GUESSED_LENGTH = 60
"""Characters of a name for which similar ones are looked for, and of those."""
MAX_GUESSED_AMONG = 2_000
"""Known names among which a similar one is looked for."""
MAX_MESSAGE = 400
"""Characters of a message: names and literals of any length may be in it."""
MAX_SHOWN_LINE = 160
"""Characters of a source line that a diagnostic shows, around the place it points at."""
