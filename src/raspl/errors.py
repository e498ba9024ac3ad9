"""What a user is told instead of a traceback."""


class RasplError(Exception):
    """Any error whose message is meant for the user and needs no traceback."""


class Stopped(Exception):
    """Work was interrupted and saved; its message says how to go on."""
