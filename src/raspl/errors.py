"""The one kind of error that is meant for a user: a sentence, and no traceback."""


class RasplError(Exception):
    """Any error whose message is meant for the user and needs no traceback."""
