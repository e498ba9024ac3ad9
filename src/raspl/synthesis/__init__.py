"""Search for the shortest RASP-L program that explains examples."""

from raspl.synthesis.engine import search
from raspl.synthesis.result import Find, Progress, Result
from raspl.synthesis.settings import Settings, settings_for

__all__ = ["Find", "Progress", "Result", "Settings", "search", "settings_for"]
