"""One run in a process of its own: `python -m raspl.fleet.worker ROOT DEVICE SECONDS`.

The run's configuration is the first line of standard input. The driver then holds that pipe open;
when it closes, because the driver has ended in whatever way, the worker saves and stops.
"""

import json
import os
import signal
import sys
from pathlib import Path
from threading import Thread

DONE, REFUSED, BUSY, STOPPED = 0, 2, 3, 130
"""Exit codes: finished; can't be done, and why is on stderr; another process has it; saved."""


def main() -> int:
    record = json.loads(sys.stdin.readline())
    Thread(target=stop_with_driver, daemon=True).start()

    from raspl.errors import RasplError, Stopped
    from raspl.runs.execute import execute_on_one_thread
    from raspl.runs.folder import BusyError
    from raspl.training.configuration import Configuration
    from raspl.training.loop import Session

    root, device, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    session = Session(device, seconds, say=lambda text: print(text, file=sys.stderr))
    try:
        execute_on_one_thread(Configuration(**record), root, session)
    except Stopped:
        return STOPPED
    except BusyError:
        return BUSY
    except RasplError as error:
        print(error, file=sys.stderr)
        return REFUSED
    return DONE


def stop_with_driver() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
