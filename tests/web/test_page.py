"""The page in Chromium: write, err, mend, trace, step, solve, share; at a desk and on a phone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from raspl.web.puzzles.judging import PROGRAMS
from tests.web.running import Playground

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = {"desk": (1400, 900), "phone": (390, 844)}
SLOW = 90_000
"""Milliseconds that a busy machine may take."""


@pytest.fixture(params=SIZES)
def page(request: Any, browser: Browser, playground: Playground) -> Iterator[Page]:
    """The page as a newcomer gets it. No script fails, and nothing is asked of other hosts."""
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height})
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    opened.on(
        "request",
        lambda asked: None if asked.url.startswith(playground.address) else wrong.append(asked.url),
    )
    opened.set_default_timeout(SLOW)
    opened.goto(playground.address)
    opened.wait_for_selector("#trace td.here")
    yield opened
    context.close()
    assert wrong == []


def write(page: Page, text: str) -> None:
    """Put a program in the place of what is there."""
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def values(page: Page, row: str) -> list[str]:
    """The visible values of a row of the trace."""
    found = page.locator("#trace tbody tr").filter(
        has=page.locator(".label", has_text=re.compile(f"^{row}$"))
    )
    return found.first.locator("td:not(.hidden):not(.later)").all_inner_texts()


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something. The page's policy forbids the strings that Playwright would evaluate."""
    ended = time.monotonic() + SLOW / 1000
    while not is_so():
        assert time.monotonic() < ended
        time.sleep(0.05)


def has_no_overflow(page: Page) -> bool:
    """Whether the page is as wide as the window: only its tables scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def is_beside(page: Page) -> bool:
    """Whether editor and trace stand side by side."""
    return page.viewport_size is not None and page.viewport_size["width"] > 1000


def test_an_error_is_underlined_explained_and_mended(page: Page) -> None:
    write(page, "def f(x):\n    before = shift_rigt(x, 1)\n    return before + x\n")
    page.wait_for_selector(".cm-lintRange-error")
    assert page.inner_text(".cm-lintRange-error") == "shift_rigt"
    assert "is not known here" in page.inner_text("#problems")
    assert "No program runs" in page.inner_text("#measures")

    page.click("#problems .fix")
    page.wait_for_selector("#problems li", state="detached")
    assert "shift_right(x, 1)" in page.inner_text(".cm-content")
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    page.fill("#input", "3 1 4")
    until(lambda: page.locator("#trace thead th").count() == 4)
    assert values(page, "before") == ["0", "3", "1"]
    assert values(page, "output") == ["3", "4", "5"]
    assert "1 attention head" in page.inner_text("#measures")
    assert has_no_overflow(page)


def test_attention_is_drawn_and_calls_can_be_stepped_into(page: Page) -> None:
    write(page, "def f(x):\n    last = argmax(x)\n    return index_select(x, last)\n")
    page.fill("#input", "3 1 4 1 5 2")
    until(lambda: page.locator("#trace thead th").count() == 7)
    # The last output is looked at from the start: it was fetched from position 4.
    assert page.inner_text(".dock b") == "output"
    assert page.locator("#trace tr.tokens td.attended").all_inner_texts() == ["5"]
    assert page.locator(".arcs path.arc").count() >= 2

    page.click('[aria-label="Step into last"]')
    inner = page.locator("#trace tr.inner")
    assert inner.count() == 3
    assert {"maximum", "lasts"} == set(page.locator("#trace tr.inner .via").all_inner_texts())
    inner.nth(1).locator("td").nth(3).click()
    assert "def maximum(x):" in page.inner_text(".dock")
    # By keyboard from there: one to the left.
    page.keyboard.press("ArrowLeft")
    assert "at position 2 is 4" in page.inner_text(".dock")


def test_stepping_through_generation(page: Page) -> None:
    page.select_option("#examples", "sort")
    page.wait_for_selector(".steps output b")
    assert values(page, "x")[-6:] == ["2", "4", "5", "7", "9", "-3\nEND"]
    page.click('[aria-label="First step"]')
    assert "step 1 of 6" in page.inner_text(".steps output")
    assert values(page, "x")[-2:] == ["-2\nGO", "2"]
    page.click('[aria-label="Next step"]')
    assert page.inner_text(".steps output b") == "4"
    page.focus(".steps input")
    page.keyboard.press("End")
    assert page.inner_text(".steps output b") == "-3 END"


def test_a_puzzle_is_solved_and_shared(
    page: Page, browser: Browser, playground: Playground
) -> None:
    page.click("#first-puzzle")
    assert page.inner_text("#puzzle h1") == "Previous token"
    page.click("#hint")
    page.click("#check")
    page.wait_for_selector(".result .bad")
    assert page.input_value("#input") == "1"
    page.wait_for_selector("#trace tr.wanted td.wrong")
    if not is_beside(page):  # the trace is below, so it is scrolled to
        until(lambda: page.evaluate("scrollY") > 0)

    write(page, "def previous(x):\n    return shift_right(x, 1)\n")
    page.click("#check")
    page.wait_for_selector(".result .good")
    assert "As good as the best known" in page.inner_text(".result")
    assert page.input_value("#input") == "3 1 4 1 5"  # its own example again
    assert has_no_overflow(page)

    page.click("#share")
    until(lambda: page.inner_text("#share") != "Share")  # it says where the link is now
    link = page.url
    context = browser.new_context(viewport=page.viewport_size)
    fresh = context.new_page()
    fresh.set_default_timeout(SLOW)
    fresh.goto(link)
    fresh.wait_for_selector("#trace td.here")
    assert "shift_right(x, 1)" in fresh.inner_text(".cm-content")
    assert fresh.inner_text("#puzzle h1") == "Previous token"
    assert fresh.input_value("#input") == "3 1 4 1 5"
    context.close()

    page.click("#next")
    assert page.inner_text("#puzzle h1") == "Going up"
    page.click("nav [data-view=puzzles]")
    assert page.inner_text(".puzzle.solved .state") == "★ as good as the best known"
    assert has_no_overflow(page)


def test_the_record_board(page: Page) -> None:
    page.click("#first-puzzle")
    page.click(".uses summary")
    page.click("#hint")
    assert page.locator(".uses dl").is_visible()  # what is unfolded stays so
    name = f"Ada {page.viewport_size['width']}" if page.viewport_size else "Ada"
    write(page, "def previous(x):\n    return shift_right(x, 1)\n")
    page.click("#check")
    page.fill(".claim input", name)
    page.click("#claim")
    page.wait_for_selector(".board td")
    assert name in page.locator(".board tbody tr").all_inner_texts()[-1]
    assert "On the board it is number" in page.inner_text(".result")
    assert page.locator("#next").is_visible()
    assert has_no_overflow(page)


def test_solutions_are_exported_and_imported(page: Page, tmp_path: Path) -> None:
    solutions = {
        name: (PROGRAMS / f"{name.replace('-', '_')}.py").read_text("utf-8")
        for name in ("going-up", "sort")
    }
    file = tmp_path / "solutions.json"
    wrong = {"first-token": "def f(x):\n    return x\n"}
    file.write_text(
        json.dumps({"format": "raspl-solutions-1", "solutions": {**solutions, **wrong}}), "utf-8"
    )
    page.click("nav [data-view=puzzles]")
    page.set_input_files(".hiddenfile", file)
    until(lambda: "imported" in page.inner_text("#imported"))
    assert page.locator(".puzzle.solved").count() == 2
    said = "2 solutions imported. 1 other did not pass the check."
    assert page.inner_text("#imported") == said
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    exported = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert exported == {"format": "raspl-solutions-1", "solutions": solutions}


def test_completion_offers_signatures(page: Page) -> None:
    write(page, "def f(x):\n    return ")
    page.keyboard.type("has_s")
    page.wait_for_selector(".cm-tooltip-autocomplete li")
    assert "has_seen(x, queries)" in page.inner_text(".cm-tooltip-autocomplete li")
    if not is_beside(page):  # there its documentation would cover the list
        assert page.locator(".cm-completionInfo:visible").count() == 0
    page.wait_for_timeout(150)  # an option can be taken only after it has stood a moment
    page.keyboard.press("Enter")
    page.keyboard.type("(x, ")
    until(lambda: page.locator("#call b").all_inner_texts() == ["queries"])


def test_the_network_is_drawn(page: Page) -> None:
    pytest.importorskip("torch")
    write(page, "def f(x):\n    return shift_right(x, 1)\n")
    page.click("[data-tab=network]")
    page.wait_for_selector(".stack .weights")
    assert "It gives what the program gives" in page.inner_text("#network")
    page.locator(".stack .token").nth(2).click()
    assert "Position 2 looks at position 1." in page.inner_text("#network")
    assert has_no_overflow(page)


def test_the_network_says_why_its_numbers_differ_and_uses_names(page: Page) -> None:
    pytest.importorskip("torch")
    page.select_option("#examples", "mode")
    page.click("[data-tab=network]")
    page.wait_for_selector("#difference")
    assert page.inner_text("#difference").startswith("One head and one layer more")
    assert "a head that finds nothing looks there" in page.inner_text("#network")
    picture = page.locator(".stack .weights").first
    assert picture.locator("text.place").count() == 2 * 8  # positions stand beside the tokens
    assert picture.locator(".chosen").count() == 1

    page.select_option("#examples", "sort")
    page.wait_for_selector("#notwriting")
    until(lambda: page.locator("#difference").count() == 0)
    assert page.locator("[data-strip=output] .token").first.inner_text() == "-3\nEND"
    page.locator("[data-strip=output] .token").nth(1).press("Enter")
    place = "[...document.activeElement.parentElement.children].indexOf(document.activeElement)"
    assert page.evaluate(place) == 1
    assert page.evaluate("document.activeElement.parentElement.dataset.strip") == "output"
    assert has_no_overflow(page)


def arcs(page: Page) -> float:
    """How wide the drawn arcs are."""
    width = "Math.max(0, ...[...document.querySelectorAll('.arc')].map((a) => a.getBBox().width))"
    return float(page.evaluate(width))


def test_arcs_are_drawn_when_a_hidden_trace_is_shown(page: Page) -> None:
    until(lambda: arcs(page) > 20)
    page.click("[data-tab=ask]")
    page.fill("#input", "1 2 3 4")
    until(lambda: page.locator("#trace thead th").count() == 5)
    page.click("[data-tab=trace]")
    until(lambda: arcs(page) > 20)
    page.click("nav [data-view=puzzles]")
    page.evaluate("document.querySelector('#input').value = '5 6 7 8 9 1'")
    page.evaluate("document.querySelector('#input').dispatchEvent(new Event('input'))")
    until(lambda: page.locator("#trace thead th").count() == 7)
    page.click("nav [data-view=play]")
    until(lambda: arcs(page) > 20)


def test_names_have_what_room_there_is(page: Page) -> None:
    write(page, "def f(x):\n    how_often = num_prev(x, x)\n    return argmax(how_often)\n")
    page.fill("#input", "3 1")
    until(lambda: page.locator("#trace thead th").count() == 3)
    page.click('[aria-label="Step into output"]')
    labels = "[...document.querySelectorAll('.inner .label')]"
    cut = f"{labels}.some((e) => e.scrollWidth > e.offsetWidth)"
    if is_beside(page):
        assert page.evaluate(cut) is False
        assert "how many" in page.locator("#trace tr.inner .type").all_inner_texts()
    page.locator("#trace tr.inner td.selector").first.click()
    assert "say how many positions are selected" in page.inner_text("#dock")
    assert has_no_overflow(page)


def test_an_old_trace_is_dimmed(page: Page) -> None:
    def is_old() -> bool:
        return bool(
            page.evaluate("getComputedStyle(document.querySelector('#trace')).opacity") != "1"
        )

    assert not is_old()
    page.fill("#input", "1 two")
    until(is_old)
    assert "`two` is not a token".replace("`", "") in page.inner_text("#tracemessage")
    page.fill("#input", "1 2")
    until(lambda: not is_old())
    write(page, "def f(x):\n    return y\n")
    until(is_old)
    assert page.locator("#stale").is_visible()
    write(page, "def f(x):\n    return x\n")
    until(lambda: not is_old())
    assert not page.locator("#stale").is_visible()


def test_a_broken_link_is_told(page: Page, playground: Playground) -> None:
    assert not page.locator("#notice").is_visible()
    page.goto(f"{playground.address}#no-link-at-all")
    page.wait_for_selector("#notice:visible")
    assert "The page stays as it was." in page.inner_text("#notice")
    page.goto("about:blank")
    page.goto(f"{playground.address}#no-link-at-all")
    page.wait_for_selector("#notice:visible")
    assert "This link could not be read" in page.inner_text("#notice")
    page.select_option("#examples", "sort")
    page.wait_for_selector("#notice", state="hidden")
    page.goto("about:blank")
    page.goto(f"{playground.address}#editor")  # where the link for keyboards leads
    page.wait_for_selector("#trace td.here")
    assert not page.locator("#notice").is_visible()


def test_after_the_last_hint_the_focus_is_on_the_check(page: Page) -> None:
    page.click("#first-puzzle")
    while page.locator("#hint").count():
        page.focus("#hint")
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "check"


def test_targets_are_large_on_a_touch_screen(browser: Browser, playground: Playground) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    opened = context.new_page()
    opened.set_default_timeout(SLOW)
    opened.goto(playground.address)
    opened.wait_for_selector("#trace td.here")
    for target in ("button.opener", "label.check"):
        box = opened.locator(target).first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 32
    context.close()


STREAM = [
    ("task", {"examples": ["1 2"], "trained_to": 10, "tested": [15]}),
    ("forecast", {"sentence": "Fine.", "probability": {"15": 0.9}, "reasons": [], "program": ""}),
    ("training", {"step": 9, "steps": 9, "loss": 0.1, "scores": {"10": 0.5}, "seconds_left": 0}),
]


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.57, "not to the end: 57 % right at the trained lengths"), (1.0, "Trained: 100 % right")],
)
def test_a_training_says_whether_it_came_to_its_end(page: Page, share: float, said: str) -> None:
    pytest.importorskip("torch")
    result = {"exact_match": {"10": share}, "trained": share, "is_converged": share == 1}

    def answered(*events: tuple[str, Any]) -> str:
        told = [json.dumps({"kind": kind, "data": data}) for kind, data in events]
        return "".join(f"data: {event}\n\n" for event in told)

    page.click("[data-tab=ask]")
    assert "it does not see yours" in page.inner_text("#ask")
    page.route("**/api/ask", lambda route: route.fulfill(body=answered(*STREAM)))
    page.get_by_role("button", name="Find out").click()
    page.wait_for_selector("text=Testing on longer inputs")
    page.unroute("**/api/ask")
    trained = answered(*STREAM, ("trained", result))
    page.route("**/api/ask", lambda route: route.fulfill(body=trained))
    page.get_by_role("button", name="Find out again").click()
    until(lambda: said in page.inner_text("#ask"))
    assert has_no_overflow(page)


def test_light_and_dark(page: Page) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    before = paper()
    page.click("#theme")
    assert paper() != before
    page.reload()
    page.wait_for_selector("#trace td.here")
    assert paper() != before


def test_everything_is_reached_by_keyboard(page: Page) -> None:
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        named = "document.activeElement.id || document.activeElement.getAttribute('class')"
        reached.add(page.evaluate(named))
        if page.evaluate("!!document.activeElement.closest('.cm-content')"):
            page.keyboard.press("Escape")  # lets the next Tab leave the editor
    wanted = {"first-puzzle", "input", "generate", "share", "examples", "opener", "grid"}
    assert wanted <= reached
    assert any("here" in str(name) for name in reached)


def test_a_keystroke_is_answered_on_a_hundred_lines(page: Page) -> None:
    """How long from a keystroke to its diagnostics: printed here, measured by a benchmark."""
    body = "\n".join(f"    a{n} = shift_right(x, {n % 7}) + {n % 5}" for n in range(98))
    write(page, f"def f(x):\n{body}\n    return a97")
    until(lambda: "bits" in page.inner_text("#measures"))
    page.evaluate("playground.latencies.length = 0")
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    for letter in " + a12 + x":
        page.keyboard.type(letter)
        page.wait_for_timeout(120)
    until(lambda: page.evaluate("playground.latencies.length") > 0)
    found = sorted(each["total"] for each in page.evaluate("playground.latencies"))
    print(f"\nms from keystroke to diagnostics: median {found[len(found) // 2]:.0f}, {found}")
    assert found
