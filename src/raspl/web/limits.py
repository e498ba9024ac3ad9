"""How much one request may ask for. Together they let the server stand on a public host."""

from __future__ import annotations

MAX_BODY = 64 * 1024
"""Bytes of a request."""
MAX_ANSWER = 16 * 1024 * 1024
"""Bytes of a worker's answer."""
MAX_HEAD = 16 * 1024
"""Bytes of a request's head."""
MAX_TEXT = 20_000
"""Characters of a program."""
MAX_INPUT = 2_000
"""Characters of a program's input."""
MAX_POSITIONS = 200
"""Tokens of a sequence that is traced, written ones included."""
MAX_CELLS = 40_000
"""Values of a trace: a program of many lines is shown on fewer positions."""
MAX_NETWORK_TOKENS = 32
MAX_ALPHABET = 32
"""Tokens that a network is compiled for."""
MAX_NETWORK_WIDTH = 4_096
MAX_NAME = 24
"""Characters of a name on the record board."""
MAX_PROGRAMS = 20
"""Programs of a text that are measured."""

SECONDS_HEAD = 5.0
"""To send a request's head."""
SECONDS_BODY = 5.0
"""To send its body."""
SECONDS_STARTING = 120.0
"""For a worker to start."""
SECONDS_WAITING = 10.0
"""To wait for a worker."""
SECONDS = {
    "check": 5.0,
    "complete": 5.0,
    "hover": 5.0,
    "trace": 10.0,
    "network": 30.0,
    "attempt": 30.0,
}
"""To work on a call, after which its worker is replaced."""
MAX_WAITING = 64
"""Calls that wait for a worker; more are turned away."""
MAX_CONNECTIONS = 256
MEMORY = 2 * 1024**3
"""Bytes that a worker may take."""
HEAVY_MEMORY = 8 * 1024**3
"""Of a worker that needs torch, which maps gigabytes that it never touches."""
