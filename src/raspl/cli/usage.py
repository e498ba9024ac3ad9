"""What is wrong with a command line, in one sentence: typer's words are those of its parts."""

from __future__ import annotations

import re
from typing import Any

import typer

from raspl.words import either, guesses

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""The base of all mistakes in a command line, which typer does not name in public."""
WORDS = (
    (r"Input should be a valid integer.*", "must be a whole number"),
    (r"Input should be a valid number.*", "must be a number"),
    (r"Input should be greater than or equal to (\S+)", r"must be at least \1"),
    (r"Input should be less than or equal to (\S+)", r"must be at most \1"),
    (r"(?:Value error, )?(.*) is not one of (.*?)\.?", r"must be one of \2, not \1"),
    (r"Field required", "is missing"),
)
"""What typer says of a value, and how raspl says it."""


def is_call_for_help(error: Exception) -> bool:
    """Whether a group was named without a command, which shows its help."""
    return type(error).__name__ == "NoArgsIsHelpError"


def sentence(error: Any) -> str:
    """What is wrong, and what to do about it."""
    path = error.ctx.command_path if error.ctx else "raspl"
    if option := getattr(error, "option_name", None):
        return no_option(error.ctx, option)
    if isinstance(error, typer.BadParameter) and error.param is not None and error.message:
        return f"{_called(error.param)} {_said(error.message)}."
    message = error.format_message().rstrip(".")
    if found := re.fullmatch(r"No such command '(.*?)'.*", message):
        return f"There is no command {found[1]}; {_guess(found[1], error.ctx.command.commands)}"
    if found := re.fullmatch(r"Got unexpected extra argument\S* \((.*)\)", message):
        return f"`{path}` takes no argument {found[1]}; `-h` shows how it is called."
    return f"{message}; `{path} -h` shows how it is called."


def no_option(context: typer.Context, given: str) -> str:
    """That a command has no such option, and which one may have been meant."""
    known = [name for option in context.command.params for name in option.opts]
    guess = _guess(given, [name for name in known if name.startswith("--")])
    return f"`{context.command_path}` has no option {given}; {guess}"


def _guess(given: str, known: Any) -> str:
    close = guesses(given, list(known))
    return f"did you mean {either(close)}?" if close else "`-h` lists those that it has."


def _called(parameter: Any) -> str:
    """An option by its long name, an argument by what the help calls it."""
    names = [name for name in parameter.opts if name.startswith("-")]
    return str(max(names, key=len) if names else parameter.metavar or parameter.name)


def _said(message: str) -> str:
    for pattern, words in WORDS:
        if found := re.fullmatch(pattern, message):
            return found.expand(words)
    return f"can't be used: {message.rstrip('.')}"
