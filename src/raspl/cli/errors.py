"""A user's mistake in a sentence."""

import sys


def explain(error: Exception) -> None:
    """Say on stderr what was wrong."""
    words = str(error)
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename or 'a file'}: {error.strerror.lower()}"
    print(f"raspl: {words}", file=sys.stderr)
