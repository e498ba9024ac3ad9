"""Keep freed memory in the process.

A training step frees and takes again the same few megabytes. By default the C library hands such
blocks back to the system each time, and the system zeroes and maps them anew, page by page: 600
page faults a step at width 64 and 10,000 or more at 256.
"""

import ctypes
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Names of glibc's malloc.h."""
LARGE = 2**30


def keep_memory() -> None:
    """Ask glibc to keep what is freed; other C libraries are left alone."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGE)
        mallopt(TRIM_THRESHOLD, LARGE)
