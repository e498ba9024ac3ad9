"""HTML from Jinja2 templates, which stand in the folder `templates` of the room that uses them.

Whatever is put on a page is escaped, unless a template says otherwise. Data for a script goes
through `tojson`, whose text can't end the script element that it stands in.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def render(package: str, template: str, **values: Any) -> str:
    """Fill a template of a package; a name that the template uses and nobody gave is an error."""
    return _environment(package).get_template(template).render(values)


@cache
def _environment(package: str) -> Environment:
    # Imported here: most users of raspl never write a page.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Compact, and in the order given: Jinja2 would sort the keys.
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment
