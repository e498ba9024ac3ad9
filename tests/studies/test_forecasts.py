"""The report tells how good forecasts are, from the scores that ship."""

from pathlib import Path

from raspl.benchmark.scores_file import write_scores
from raspl.benchmark.scoring import board
from raspl.studies.report import forecasts
from raspl.studies.report.page import shown_forecasts
from tests.benchmark.made import cases

SVG = '<?xml version="1.0"?><svg><g id="axes"/><use href="#axes"/></svg>'


def test_each_suite_and_distance_has_a_line_with_its_best_rival(tmp_path: Path) -> None:
    scored = board(cases(120))
    (tmp_path / "forecast" / "figures").mkdir(parents=True)
    (tmp_path / "forecast" / "figures" / "reliability.svg").write_text(SVG, encoding="utf-8")
    write_scores(scored.rows, tmp_path / "forecast")
    made = shown_forecasts(tmp_path)
    assert made is not None
    near, far = made["rows"]
    assert (near["suite"], near["distance"], near["tasks"]) == ("random", "1.25 ×", "120")
    # Tasks with a program generalise nine times out of ten, so that is what a rival must know.
    assert near["rival"].startswith(("a program exists", "cost alone"))
    assert far["auc"] == "–"
    (picture,) = made["pictures"]
    assert 'id="forecast-0-axes"' in picture
    assert 'href="#forecast-0-axes"' in picture


def test_results_without_forecasts_have_no_such_part(tmp_path: Path) -> None:
    assert forecasts.shown(tmp_path) is None
    assert forecasts.shown(None) is None
