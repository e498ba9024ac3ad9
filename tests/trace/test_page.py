"""The page carries the values of the reference, and nothing on it can become markup."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import raspl
from raspl.executors.reference import Machine
from raspl.trace import page as trace_html
from raspl.trace import recording as tracing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TEXT = '''
END = -2

def copy(x):
    """Ends a script: </script><script>alert("&amp;")</script><!-- {{ data }} {% raw %}"""
    before = shift_right(x, 1, default=END)
    same = select(x, before, equals)
    width = sel_width(same)
    seen = width == width
    following = induct(x, x, offset=1, default=END)
    return where(seen & (x > END), following, before - 1)
'''
COPY = raspl.parse(TEXT)["copy"]
VOID = {"meta", "input", "link", "img", "br"}


class Page(HTMLParser):
    """Reads a page: its elements, its visible text, and what its scripts hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    @property
    def data(self) -> dict[str, Any]:
        decoded: dict[str, Any] = json.loads(self.texts["script"][0])
        return decoded


def whole(trace: tracing.Trace) -> tracing.Trace:
    return trace.with_source(COPY.source, 4)


def selected(bits: str, query: int, key: int) -> int:
    """The bit of the packed triangle, read as the script of the page reads it."""
    bit = query * (query + 1) // 2 + key
    return b64decode(bits)[bit >> 3] >> (bit & 7) & 1


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=20))
def test_the_payload_is_what_the_reference_computes(x: list[int]) -> None:
    data = Page(trace_html.page(COPY.trace(x))).data
    trace, machine = COPY.trace(x), Machine(COPY.graph)
    for query, token in enumerate(x):
        machine.step(token)
        for packed, selection in zip(data["selectors"], trace.selections, strict=True):
            row = [bool(selected(packed["bits"], query, key)) for key in range(query + 1)]
            assert row == machine.rows[selection.node]
            assert packed["keys"][query] == machine.values[selection.node.k][query]
            assert packed["queries"][query] == machine.values[selection.node.q][query]
    assert data["tokens"] == [x]
    for row, column in zip(data["rows"], trace.columns, strict=True):
        assert row["values"] == machine.values[column.node]
        assert (row["name"], row["type"]) == (column.name, str(column.type))
        assert row["line"] == column.line


def test_strings_of_the_program_stay_text() -> None:
    name = '</title><script>alert("t")</script>{{ data }}'
    trace = whole(COPY.trace([1, 2]))
    page = trace_html.page(replace(trace, graph=replace(trace.graph, name=name)))
    read = Page(page)
    assert read.open == []
    assert [tag for tag, _ in read.tags].count("script") == 2
    assert "".join(read.texts["title"]) == f"{name} — raspl"
    assert "".join(read.texts["h1"]) == name
    assert [line for _, line in read.data["listing"]] == COPY.source.split("\n")
    assert page.count("<!--") == 0


def test_the_page_needs_nothing_else() -> None:
    read = Page(trace_html.page(COPY.trace([1, 2])))
    outside = {"src", "href", "srcset", "action", "data"}
    assert not [tag for tag, attributes in read.tags if outside & attributes.keys()]
    policies = [attributes.get("content") for tag, attributes in read.tags if tag == "meta"]
    assert any(policy and policy.startswith("default-src 'none'") for policy in policies)


def test_without_scripts_the_table_is_there() -> None:
    trace = COPY.trace([1, 2, 1])
    assert "".join(Page(trace_html.page(trace)).texts["pre"]) == trace.table(width=120)


def test_what_a_value_comes_from() -> None:
    data = trace_html.payload(COPY.trace([1, 2, 1]))
    rows = {row["name"]: row for row in data["rows"]}
    number = {row["name"]: i for i, row in enumerate(data["rows"])}
    label = [selector["label"] for selector in data["selectors"]]
    # A map reads its operands here; a head reads keys and values elsewhere, and its query here.
    assert rows["seen"]["here"] == [number["width"]]
    assert rows["seen"]["heads"] == []
    assert rows["width"]["here"] == [number["before"]]
    assert rows["width"]["heads"] == [(label.index("same"), [number["x"]], True)]
    # An induction head fetches through one selector what another has found.
    (fetch, from_x, direct), (find, _, found) = rows["following"]["heads"]
    assert (from_x, direct, found) == ([number["x"]], True, False)
    assert label[fetch] == "select(k=indices, q=firsts(…) + 1, k == q)"
    assert label[find] == "select(k=x, q=x, k == q)"
    output = data["rows"][-1]
    assert output["here"] == [number[name] for name in ("x", "before", "seen", "following")]


def test_a_generation_carries_its_prompt_and_the_token_after_its_values() -> None:
    trace = tracing.generation(COPY.graph, [7, 4, 9, 7], limit=3)
    data = trace_html.payload(trace)
    assert data["prompt"] == 4
    assert data["tokens"] == [(7, 4, 9, 7, 4, 9, 7)]
    assert data["length"] == 6
    assert data["rows"][-1]["values"][3:] == (4, 9, 7)
    assert data["rows"][-1]["name"] == "→ next"


def opened(browser: Browser, text: str) -> tuple[str, list[str]]:
    """The step at which a page opens, and the values that it points at."""
    shown = browser.new_page()
    shown.set_content(text)
    step = shown.locator(".steps output").inner_text()
    pointed = shown.locator("td.here").all_inner_texts()
    shown.close()
    return step, pointed


def test_a_generation_opens_at_its_first_step_with_the_output_selected(browser: Browser) -> None:
    page = trace_html.page(tracing.generation(COPY.graph, [7, 4, 9, 7], limit=3))
    assert opened(browser, page) == ("step 1 of 3: position 3 writes 4", ["4"])


def test_a_generation_that_failed_opens_where_it_did(browser: Browser) -> None:
    double = raspl.parse("def f(x):\n    return x * 2\n")["f"].graph
    page = trace_html.page(tracing.generation(double, [20], limit=9))
    step, _ = opened(browser, page)
    assert step == "step 2 of 2: position 1 writes 80"


def test_the_page_is_stepped_through_looked_into_and_explained(browser: Browser) -> None:
    text = "def f(x):\n    last = argmax(x)\n    return index_select(x, last) + 1\n"
    program = raspl.parse(text)["f"]
    trace = program.trace_generation([3, 1, 4], limit=4)
    shown = browser.new_page(viewport={"width": 390, "height": 800})
    wrong: list[str] = []
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.set_content(trace_html.page(trace))
    dock = shown.locator(".dock")
    assert "→ next at position 2 is 5" in dock.inner_text()
    shown.keyboard.press("ArrowRight")
    assert shown.locator(".steps output").inner_text() == "step 2 of 4: position 3 writes 6"
    assert shown.locator("td.attended").all_inner_texts() == ["5"]
    assert shown.locator(".code .lit").inner_text().endswith("return index_select(x, last) + 1")

    shown.click('[aria-label="Step into last"]')
    assert shown.locator("tr.inner").count() == 3
    shown.locator("tr.inner td").first.click()
    assert "position 0 looks at 1 position: 0" in dock.inner_text()
    shown.keyboard.press("ArrowRight")
    assert "position 1 looks at 2 positions: 0, 1" in dock.inner_text()

    pictures = shown.locator("figure svg.grid")
    assert pictures.count() == len(trace.selections)
    pictures.first.focus()
    shown.keyboard.press("ArrowLeft")
    assert re.search(r"position 3 (does not look|looks) at position 2", dock.inner_text())
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown.close()
    assert wrong == []


def test_only_tokens_with_one_name_are_named() -> None:
    assert trace_html.payload(COPY.trace([-2, 3]))["names"] == {"-2": "END"}


def test_a_failure_is_on_the_page_with_the_token_it_failed_at() -> None:
    graph = raspl.parse("def f(x):\n    y = x * 2\n    return y\n")["f"].graph
    data = Page(trace_html.page(tracing.trace(graph, [1, 100, 2]))).data
    assert "R401" in data["error"]
    assert data["error"].endswith("it read x = 100")
    assert data["tokens"] == [[1, 100]]
    assert data["rows"][1]["values"] == [2]


def test_the_empty_sequence_gives_a_page() -> None:
    data = Page(trace_html.page(COPY.trace([]))).data
    assert data["length"] == 0
    assert data["tokens"] == [[]]


@pytest.mark.parametrize("count", [200, 300])
def test_long_traces_stay_small_and_say_what_is_left_out(count: int) -> None:
    page = trace_html.page(COPY.trace([i * 7 % 50 for i in range(count)]))
    data = Page(page).data
    assert len(page) < 1_000_000
    assert data["grids"] == (count <= tracing.MAX_GRID)
    assert any("left out" in note for note in data["notes"]) == (count > tracing.MAX_GRID)
    assert len(data["rows"][0]["values"]) == count


def test_a_page_has_a_greatest_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_html, "MAX_POSITIONS", 5)
    data = trace_html.payload(COPY.trace(list(range(9))))
    assert data["length"] == 5
    assert data["tokens"] == [(0, 1, 2, 3, 4)]
    assert all(len(row["values"]) == 5 for row in data["rows"])
    assert data["notes"] == ["Only the first 5 of 9 positions are shown."]


def test_a_notebook_gets_the_page_in_a_frame() -> None:
    trace = whole(COPY.trace([1, 2]))
    read = Page(trace._repr_html_())
    ((tag, attributes),) = read.tags
    assert tag == "iframe"
    assert attributes["srcdoc"] == trace_html.page(trace)
