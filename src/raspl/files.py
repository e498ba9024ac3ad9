"""Files are written whole or not at all: aside first, then renamed into place."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_text(path: str | Path, text: str) -> None:
    """Replace a file by a text in one step."""
    write_bytes(path, text.encode())


def write_bytes(path: str | Path, data: bytes) -> None:
    """Replace a file by bytes in one step; a crash leaves the old file or the new one."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "There is no such folder", str(path.parent))
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, path)
    except OSError as error:
        Path(aside).unlink(missing_ok=True)
        # A full disk is reported without a name, and nobody knows the one that was written aside.
        raise OSError(error.errno, error.strerror, str(path)) from None
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
