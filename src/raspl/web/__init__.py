"""The playground: a page in the browser, and the server behind it (`raspl play`).

The page knows nothing of the language. It sends texts to the server's JSON interface, whose calls
are in `models.py`; the server parses them, and never executes anything of a user's.
"""
