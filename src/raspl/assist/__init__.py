"""What an editor asks of the language: completion, hover, diagnostics, fixes, definitions.

Pure functions of a text and a place in it, with answers that go into JSON as they are. The
playground and the language server both stand on them. Lines and columns count from 1, columns in
characters, as in diagnostics; a text may be unfinished, and is never executed.
"""

from raspl.assist.completion import complete, signature
from raspl.assist.hovering import definition, hover
from raspl.assist.repairs import diagnostics, fixes, with_fixes

__all__ = ["complete", "definition", "diagnostics", "fixes", "hover", "signature", "with_fixes"]
