"""Templates: what is put on a page is text, and a forgotten value is an error."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from jinja2 import UndefinedError

from raspl.templates import render

PACKAGE = "room_with_templates"


@pytest.fixture(scope="module", autouse=True)
def _package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package with templates, made for these tests; environments are cached, so made once."""
    parent = tmp_path_factory.mktemp("packages")
    folder = parent / PACKAGE / "templates"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "text.html").write_text('<p title="{{ text }}">{{ text }}</p>\n')
    (folder / "data.html").write_text("<script>{{ data | tojson }}</script>")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(parent)
        yield


def test_values_are_text() -> None:
    hostile = "\"><script>alert('&')</script>{{ text }}"
    escaped = "&#34;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;{{ text }}"
    assert render(PACKAGE, "text.html", text=hostile) == f'<p title="{escaped}">{escaped}</p>\n'


def test_data_cannot_end_its_script() -> None:
    data = {"z": "</script><!-- & 'quoted' ", "a": [1, None, True]}
    inside = render(PACKAGE, "data.html", data=data)[len("<script>") : -len("</script>")]
    assert not set("<>&'") & set(inside)
    assert json.loads(inside) == data
    assert inside.startswith('{"z":"'), "keys stay in the order given"
    assert inside.endswith('"a":[1,null,true]}')


def test_a_value_that_nobody_gave_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'text' is undefined"):
        render(PACKAGE, "text.html")


def test_jinja_is_loaded_by_the_first_page_only() -> None:
    script = (
        "import sys, raspl, raspl.trace.page\n"
        "assert 'jinja2' not in sys.modules\n"
        "raspl.trace.page.page(raspl.parse('def f(x):\\n    return x\\n')['f'].trace([1]))\n"
        "assert 'jinja2' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
